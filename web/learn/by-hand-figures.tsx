/** Small examples to work out by hand: columns of bits, orderings of words, signatures of chosen minima. */
import { firstInOrdering, measuresOf } from 'neardup/browser';
import { route, setParams } from '../route.ts';
import { Segments } from '../ui/parts.tsx';
import { rounded } from '../ui/shown.ts';
import { Figure } from './figure.tsx';

/** The two columns of the lecture, from the top row down. */
const columns = '01 10 11 00 11 01';

export function ColumnsFigure() {
  const given = route.value.params.bits ?? '';
  const rows = (/^([01]{2}\.){5}[01]{2}$/.test(given) ? given : columns.replaceAll(' ', '.')).split('.');
  const count = (kind: (row: string) => boolean) => rows.filter(kind).length;
  const shared = count(row => row === '11');
  const { resemblance } = measuresOf(
    count(row => row[0] === '1'),
    count(row => row[1] === '1'),
    shared,
  );
  const flip = (at: number, side: number) => {
    const changed = rows.map((row, place) =>
      place === at ? [...row].map((bit, column) => (column === side ? String(1 - Number(bit)) : bit)).join('') : row,
    );
    setParams({ bits: changed.join('.') });
  };
  return (
    <Figure
      id="columns"
      title="Sets as columns of bits"
      text={
        <>
          <p>
            Each row is an element, each column a set; 1 means that the set has the element. A row with two ones is in
            both sets, a row with a single one in only one of them. Rows without a one do not count.
          </p>
          <p role="status">
            Resemblance: {shared} of {count(row => row !== '00')} = <b>{rounded(resemblance)}</b>. Click on a bit to
            change it.
          </p>
        </>
      }
    >
      <table class="bytes">
        <thead>
          <tr>
            <th scope="col">element</th>
            <th scope="col">C₁</th>
            <th scope="col">C₂</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={`${at + 1}`} class={row === '11' ? 'on' : ''}>
              <th scope="row">{at + 1}</th>
              {[0, 1].map(side => (
                <td key={side}>
                  <button
                    type="button"
                    class="plain bit"
                    aria-label={`Element ${at + 1} in set ${side + 1}: ${row[side]}`}
                    onClick={() => flip(at, side)}
                  >
                    {row[side]}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Figure>
  );
}

const orderings = {
  '1': ['cat', 'dog', 'mouse', 'banana'],
  '2': ['banana', 'mouse', 'cat', 'dog'],
} as const;

const animals = [
  ['Document 1', ['mouse', 'dog']],
  ['Document 2', ['cat', 'mouse']],
] as const;

export function OrderingFigure() {
  const round = route.value.params.ordering === '2' ? '2' : '1';
  const ordering = orderings[round];
  const found = animals.map(([, set]) => firstInOrdering(set, ordering));
  return (
    <Figure
      id="ordering"
      title="The same with words: who comes first?"
      text={
        <>
          <p>
            Put all words in some order. The word of a document that comes first in it is the document’s signature of
            this round. Each round has another order.
          </p>
          <p role="status">
            Round {round}: {found[0]} and {found[1]}, {found[0] === found[1] ? 'equal' : 'different'}.
          </p>
        </>
      }
    >
      <Segments
        label="Round"
        value={round}
        choices={[
          { value: '1', label: 'Round 1' },
          { value: '2', label: 'Round 2' },
        ]}
        onChange={value => setParams({ ordering: value === '1' ? undefined : value })}
      />
      <p>Order: {ordering.join(', ')}</p>
      {animals.map(([name, set], at) => (
        <p key={name}>
          {name}: {`{${set.join(', ')}}`} → <b>{found[at]}</b>
        </p>
      ))}
    </Figure>
  );
}

const minima = [
  ['Document 1', ['horse', 'mouse', 'ant', 'dog']],
  ['Document 2', ['cat', 'mouse', 'ice', 'shoe']],
] as const;

export function SelectionFigure() {
  const given = route.value.params.select ?? '';
  const chosen = /^[1-4]{1,4}$/.test(given) ? given : '134';
  const toggle = (place: string) => {
    const changed = chosen.includes(place) ? chosen.replace(place, '') : [...chosen, place].sort().join('');
    if (changed !== '') setParams({ select: changed });
  };
  const signatures = minima.map(([, words]) => [...chosen].map(place => words[Number(place) - 1]).join('-'));
  return (
    <Figure
      id="selection"
      title="Another way to make buckets: chosen minima"
      text={
        <>
          <p>
            Instead of bands, choose r of the minima at random and join them: documents with the same signature meet in
            a bucket. Two documents of similarity s have the same signature with the chance s<sup>r</sup>. That is
            small, so each document has many signatures: for example 125, of 3 minima each.
          </p>
          <p role="status">
            {signatures[0] === signatures[1] ? 'Equal: they meet in one bucket.' : 'Different: they do not meet here.'}
          </p>
        </>
      }
    >
      <fieldset class="buttons" aria-label="Chosen minima">
        {['1', '2', '3', '4'].map(place => (
          <button key={place} type="button" aria-pressed={chosen.includes(place)} onClick={() => toggle(place)}>
            Minimum {place}
          </button>
        ))}
      </fieldset>
      <table class="order">
        <tbody>
          {minima.map(([name, words], at) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{words.join(', ')}</td>
              <td>
                LSH<sub>{chosen}</sub> = <b>{signatures[at]}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Figure>
  );
}
