/** Checksums, shingles, and two sets of them. */
import { checksumsOf, shingleTexts, splitWords } from 'neardup/browser';
import { Wide } from '../ui/parts.tsx';
import { rounded } from '../ui/shown.ts';
import { Figure, Steps } from './figure.tsx';
import { type Chosen, numberParam, setNumber, type TwoSets } from './state.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

export function ChecksumFigure({ example }: { example: Chosen }) {
  const sample = 'Tropical fish';
  const { byteSum, crc32, md5 } = checksumsOf(bytesOf(example.a));
  return (
    <Figure
      id="exact"
      title="Exact copies are easy"
      text={
        <>
          <p>
            Add up the bytes of a text: equal texts have equal sums. Some unequal texts have, too, such as any two made
            of the same letters. CRC-32, MD5 and 64-bit hashes are hardly ever equal by chance.
          </p>
          <p>
            But change one word, and all of these numbers change. They say nothing about texts that are nearly the same.
          </p>
        </>
      }
    >
      <Wide label="Bytes and their sum">
        <table class="bytes">
          <tbody>
            <tr>
              {[...sample].map((letter, at) => (
                <td key={`${letter}${at * 1}`}>{letter === ' ' ? '␣' : letter}</td>
              ))}
              <th scope="col">sum</th>
            </tr>
            <tr>
              {[...bytesOf(sample)].map((byte, at) => (
                <td key={`${byte}-${at * 1}`} class="mono">
                  {byte.toString(16).toUpperCase()}
                </td>
              ))}
              <td class="mono">
                <b>{checksumsOf(bytesOf(sample)).byteSum.toUpperCase()}</b>
              </td>
            </tr>
          </tbody>
        </table>
      </Wide>
      <p class="note">
        All numbers are hexadecimal. Text A: byte sum <code>{byteSum}</code>, CRC-32 <code>{crc32}</code>, MD5{' '}
        <code>{md5}</code>
      </p>
    </Figure>
  );
}

export function ShingleFigure({ example, sets }: { example: Chosen; sets: TwoSets | undefined }) {
  const { a, k } = example;
  const words = splitWords(a);
  const runs = Math.max(words.length > 0 ? 1 : 0, words.length - k + 1);
  const step = numberParam('shingle', 0, runs, Math.min(runs, 3));
  const seen = shingleTexts(
    words.slice(0, Math.max(0, step - 1 + k)).map(({ word }) => word),
    { unit: 'word', size: k },
  );
  const shown = step === 0 ? [] : seen;
  const current = words
    .slice(Math.max(0, step - 1), step - 1 + k)
    .map(({ word }) => word)
    .join(' ');
  const hash = step === 0 ? undefined : sets?.union.find(({ text }) => text === current)?.hash;
  return (
    <Figure
      id="shingles"
      title="A text becomes a set of shingles"
      text={
        <>
          <p>
            Slide a window of {k} {k === 1 ? 'word' : 'words'} over the text. What it shows is a shingle. The text is
            now the set of its shingles: each counts once, however often it comes.
          </p>
          <p>
            Case, punctuation and spaces do not matter. The order of words matters within a shingle only, so a paragraph
            may move without changing much.
          </p>
          <p>A hash function turns each shingle into a 64-bit number. From here on, a text is a set of numbers.</p>
        </>
      }
    >
      <p class="words">
        {words.map(({ word, start }, at) => (
          <span key={start} class={step > 0 && at >= step - 1 && at < step - 1 + k ? 'word on' : 'word'}>
            {word}
          </span>
        ))}
      </p>
      <Steps label="Shingles" at={step} count={runs} onStep={at => setNumber('shingle', at)} />
      <ol class="tokens">
        {shown.map(text => (
          <li key={text}>{text}</li>
        ))}
      </ol>
      <p class="note" role="status">
        {step} {step === 1 ? 'place' : 'places'} of the window, {shown.length} distinct{' '}
        {shown.length === 1 ? 'shingle' : 'shingles'}
        {hash !== undefined && (
          <>
            . Hash of “{current}”: <code>{hash.toString(16).padStart(16, '0')}</code>
          </>
        )}
      </p>
    </Figure>
  );
}

export function SetsFigure({ sets }: { sets: TwoSets }) {
  const { union, shared, resemblance } = sets;
  const [countA, countB] = [union.filter(({ inA }) => inA).length, union.filter(({ inB }) => inB).length];
  const groups = [
    ['Only in A', union.filter(({ inA, inB }) => inA && !inB)],
    ['In both', union.filter(({ inA, inB }) => inA && inB)],
    ['Only in B', union.filter(({ inA, inB }) => !inA && inB)],
  ] as const;
  return (
    <Figure
      id="resemblance"
      title="Resemblance: how much two sets share"
      text={
        <>
          <p>
            Resemblance: shingles in both, divided by shingles in either. Here{' '}
            <b>
              {shared} / {union.length} = {rounded(resemblance)}
            </b>
            .
          </p>
          <p>
            Containment asks how much of one is in the other: {rounded(countA === 0 ? 0 : shared / countA)} of A is in
            B, {rounded(countB === 0 ? 0 : shared / countB)} of B is in A.
          </p>
        </>
      }
    >
      <div class="venn">
        {groups.map(([name, elements]) => (
          <section key={name} class={name === 'In both' ? 'both' : ''}>
            <h2>
              {name}: {elements.length}
            </h2>
            <ul class="tokens">
              {elements.map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Figure>
  );
}
