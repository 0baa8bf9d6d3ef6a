/** The curve, sets that are no texts, and why alike is not transitive. */
import { bandCurve, matchCurve, shingleTexts } from 'neardup/browser';
import { CurveChart } from '../charts/curve-chart.tsx';
import { href, route } from '../route.ts';
import { Slider, Wide } from '../ui/parts.tsx';
import { rounded } from '../ui/shown.ts';
import { chainWords, clicks, otherWords } from './examples.ts';
import { Figure } from './figure.tsx';
import { numberParam, setNumber } from './state.ts';

export function CurveFigure({ resemblance }: { resemblance: number }) {
  const bands = numberParam('b', 1, 100, 20);
  const rows = numberParam('r', 1, 20, 5);
  const curve = bandCurve(bands, rows);
  return (
    <Figure
      id="curve"
      title="The chance to meet rises like an S"
      text={
        <>
          <p>
            Two texts of similarity s agree in a band of {rows} with the chance s<sup>{rows}</sup>, and in at least one
            of {bands} bands with the chance 1 − (1 − s<sup>{rows}</sup>)<sup>{bands}</sup>. For your two texts that is{' '}
            {rounded(curve(resemblance))}.
          </p>
          <p>
            Dashed: the rule “90 of 100 minima are equal”. It separates more sharply, but needs two whole sketches to
            compare. Its chance is {matchCurve(90, 100)(0.9).toFixed(3)} at similarity 0.9, and{' '}
            {matchCurve(90, 100)(0.8).toFixed(4)} at 0.8.
          </p>
          <p>
            <a href={href(['tune'], { mode: 'bands', bands: String(bands), rows: String(rows) })}>Try other values</a>
          </p>
        </>
      }
    >
      <CurveChart
        title="The chance to meet"
        description={`The chance that two texts meet in one of ${bands} bands of ${rows}, by their similarity.`}
        curves={[
          { label: `${bands} bands of ${rows}`, at: curve },
          { label: '90 of 100 equal', at: matchCurve(90, 100) },
        ]}
        threshold={resemblance}
        markLabel={`your two texts: ${rounded(resemblance)}`}
        axis="probability"
        isShaded={false}
      />
      <Wide label="The curve in numbers">
        <table class="s-table">
          <tbody>
            <tr>
              <th scope="row">s</th>
              {sampled.map(s => (
                <td key={s}>{s}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">chance</th>
              {sampled.map(s => (
                <td key={s}>{curve(s) > 0.9995 ? curve(s).toFixed(4) : curve(s).toFixed(3)}</td>
              ))}
            </tr>
          </tbody>
        </table>
      </Wide>
    </Figure>
  );
}

const sampled = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

export function ClicksFigure() {
  const first = numberParam('q1', 0, clicks.length - 1, 0);
  const second = numberParam('q2', 0, clicks.length - 1, 1);
  const [a, b] = [clicks[first]!, clicks[second]!];
  const all = [...new Set([...a.urls, ...b.urls])];
  const shared = all.filter(url => a.urls.includes(url) && b.urls.includes(url)).length;
  const choose = (name: 'q1' | 'q2', chosen: number) => (
    <div class="field">
      <label for={name}>{name === 'q1' ? 'Query' : 'and'}</label>
      <select
        id={name}
        value={String(chosen)}
        onChange={({ currentTarget }) => setNumber(name, Number(currentTarget.value))}
      >
        {clicks.map(({ query }, at) => (
          <option key={query} value={String(at)}>
            {query}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <Figure
      id="sets"
      title="Sets need not come from texts"
      text={
        <>
          <p>
            Two queries are alike when people click the same results. “cheap flights” and “low cost flights” have one
            word in common, but three of five clicked addresses.
          </p>
          <p>
            In the same way, compare products by their features, ads by the sites that show them, or sites by their
            terms.
          </p>
        </>
      }
    >
      <div class="fields">
        {choose('q1', first)}
        {choose('q2', second)}
      </div>
      <table class="order clicks">
        <thead>
          <tr>
            <th scope="col">clicked</th>
            <th scope="col">{a.query}</th>
            <th scope="col">{b.query}</th>
          </tr>
        </thead>
        <tbody>
          {all.map(url => (
            <tr key={url} class={a.urls.includes(url) && b.urls.includes(url) ? 'first' : ''}>
              <td>{url}</td>
              <td>{a.urls.includes(url) ? '●' : ''}</td>
              <td>{b.urls.includes(url) ? '●' : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p role="status">
        Resemblance: {shared} / {all.length} = <b>{rounded(shared / all.length)}</b>
      </p>
    </Figure>
  );
}

/** Words changed from one version to the next. */
function versions(changed: number): readonly (readonly string[])[] {
  const b = [...otherWords.slice(0, changed), ...chainWords.slice(changed)];
  const end = chainWords.length - changed;
  return [chainWords, b, [...b.slice(0, end), ...otherWords.slice(end)]];
}

function resemblanceOf(a: readonly string[], b: readonly string[]): number {
  const size = { unit: 'word', size: 2 } as const;
  const [setA, setB] = [new Set(shingleTexts(a, size)), new Set(shingleTexts(b, size))];
  const shared = [...setA].filter(shingle => setB.has(shingle)).length;
  return shared / (setA.size + setB.size - shared);
}

export function ChainFigure() {
  const changed = numberParam('changed', 0, 10, 4);
  const threshold = Number(route.value.params.chain ?? 0.6) || 0.6;
  const [a, b, c] = versions(changed);
  const links = [
    ['A and B', resemblanceOf(a!, b!)],
    ['B and C', resemblanceOf(b!, c!)],
    ['A and C', resemblanceOf(a!, c!)],
  ] as const;
  const isChain = links[0][1] >= threshold && links[1][1] >= threshold && links[2][1] < threshold;
  return (
    <Figure
      id="chains"
      title="Alike is not transitive"
      text={
        <>
          <p>
            B is A with its first {changed} words changed, C is B with its last {changed} words changed. With shingles
            of 2 words and the threshold {threshold}, A may resemble B, and B resemble C, while A and C do not resemble
            each other.
          </p>
          <p>
            Connected groups put A and C together; in this way, chains of thousands of documents become one group. By
            default neardup makes direct groups: every removed document resembles the kept one <b>itself</b>.
          </p>
          <p role="status">
            {isChain
              ? 'Connected groups: one group of three; B and C are removed. Direct groups: B is removed, because it resembles A; C stays.'
              : links.every(([, value]) => value >= threshold)
                ? 'All three resemble each other: both ways make one group.'
                : links.every(([, value]) => value < threshold)
                  ? 'No two resemble each other: each document stays.'
                  : 'Two of the three resemble each other: both ways remove one document.'}
          </p>
        </>
      }
    >
      <div class="fields">
        <Slider
          label="Words changed in a step"
          min={0}
          max={10}
          step={1}
          value={changed}
          onChange={value => setNumber('changed', value)}
        />
      </div>
      {[a!, b!, c!].map((words, row) => (
        <p key={'ABC'[row]} class="words">
          <b>{'ABC'[row]}</b>{' '}
          {words.map((word, at) => (
            <span key={`${word}${at * 1}`} class={word === chainWords[at] ? 'word' : 'word on'}>
              {word}
            </span>
          ))}
        </p>
      ))}
      <table class="order">
        <tbody>
          {links.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="gauge">
                <svg viewBox="0 0 200 12" preserveAspectRatio="none" aria-hidden="true">
                  <rect class="track" y="2" width="200" height="8" rx="2" />
                  <rect class="share" y="2" width={value * 200} height="8" rx="2" />
                  <rect class="limit" x={threshold * 200} width="1.6" height="12" />
                </svg>
              </td>
              <td class="value">
                <b>{rounded(value)}</b> {value >= threshold ? '≥' : '<'} {threshold}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Figure>
  );
}
