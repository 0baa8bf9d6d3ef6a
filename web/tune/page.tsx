/** A threshold and a scheme → the curve, and on a collection what it misses and what it compares in vain. */
import { CurveChart } from '../charts/curve-chart.tsx';
import { href, route, setParams } from '../route.ts';
import { result } from '../try/state.ts';
import { Block, CopyLine, IdLine, Segments, Slider } from '../ui/parts.tsx';
import { probability, rounded, withCommas } from '../ui/shown.ts';
import { expectedOf, histogramOf, licences, type NamedPair, nextTo, type PairHistogram } from './corpora.ts';
import { serviceHistogram } from './service-histogram.ts';
import { type Mode, type Scheme, type Settings, schemeOf, settingsOf } from './settings.ts';

export function TunePage() {
  const { params } = route.value;
  const settings = settingsOf(params);
  const corpora = corporaThere();
  const corpus = corpora.find(({ name }) => name === params.corpus) ?? corpora[0]!;
  const change = (name: keyof Settings) => (value: number) => setParams({ [name]: String(value) });
  const { scheme, problem } = tried(settings);
  return (
    <>
      <h1>Choose a scheme</h1>
      <p class="lead">
        Sketches are cut into bands; documents that agree in a band are compared. More rows compare fewer unlike pairs,
        more bands miss fewer alike ones.
      </p>
      <div class="pair">
        <div>
          <div class="controls">
            <Segments<Mode>
              label="Scheme"
              value={settings.mode}
              choices={[
                { value: 'auto', label: 'Choose for me' },
                { value: 'bands', label: 'Bands × rows' },
                { value: 'matches', label: 'Equal minima' },
              ]}
              onChange={mode => setParams({ mode: mode === 'auto' ? undefined : mode })}
            />
            <Slider
              label="Threshold"
              {...{ min: 0.05, max: 1, step: 0.01 }}
              value={settings.threshold}
              onChange={change('threshold')}
            />
            {settings.mode === 'auto' && (
              <>
                <Slider
                  label="Wanted recall at the threshold"
                  {...{ min: 0.5, max: 0.9999, step: 0.0001 }}
                  value={settings.recall}
                  onChange={change('recall')}
                />
                <Slider
                  label="Minima in a sketch"
                  {...{ min: 16, max: 1024, step: 16 }}
                  value={settings.hashes}
                  onChange={change('hashes')}
                />
              </>
            )}
            {settings.mode === 'bands' && (
              <>
                <Slider
                  label="Bands"
                  {...{ min: 1, max: 256, step: 1 }}
                  value={settings.bands}
                  onChange={change('bands')}
                />
                <Slider
                  label="Rows in a band"
                  {...{ min: 1, max: 32, step: 1 }}
                  value={settings.rows}
                  onChange={change('rows')}
                />
              </>
            )}
            {settings.mode === 'matches' && (
              <>
                <Slider
                  label="Equal minima that make two documents similar"
                  {...{ min: 1, max: settings.of, step: 1 }}
                  value={settings.matches}
                  onChange={change('matches')}
                />
                <Slider
                  label="Minima compared"
                  {...{ min: 10, max: 512, step: 1 }}
                  value={settings.of}
                  onChange={change('of')}
                />
              </>
            )}
          </div>
          {problem && <p class="error">{problem}</p>}
          {scheme && <Outcome scheme={scheme} settings={settings} corpus={corpus} />}
        </div>
        <div>
          {scheme && (
            <CurveChart
              title={scheme.name}
              description={`The chance that ${scheme.name} find two documents, by their similarity: ${probability(scheme.curve(settings.threshold))} at the threshold ${settings.threshold}.`}
              curves={[{ label: scheme.name, at: scheme.curve }]}
              threshold={settings.threshold}
              axis={settings.mode === 'matches' ? 'chance to be called similar' : 'chance to be compared'}
              counts={corpus.counts}
            />
          )}
          {scheme && (
            <div class="legend">
              <span class="key-missed">alike, missed</span>
              <span class="key-wasted">
                {settings.mode === 'matches' ? 'unlike, called similar' : 'unlike, compared in vain'}
              </span>
              <span class="key-pairs">pairs of the collection (log scale)</span>
            </div>
          )}
          <Segments
            label="Collection"
            value={corpus.name}
            choices={corpora.map(({ name }) => ({ value: name, label: name }))}
            onChange={name => setParams({ corpus: name === corpora[0]!.name ? undefined : name })}
          />
          <p class="note">{corpus.source}</p>
          {corpus.pairs && (
            <NextPairs pairs={corpus.pairs} threshold={settings.threshold} isStored={corpus.name === 'This index'} />
          )}
        </div>
      </div>
      {scheme && <CurveTable scheme={scheme} />}
    </>
  );
}

const SHOWN_PAIRS = 3;

/** What the number means: real pairs that are just in, and just out. */
function NextPairs(props: { pairs: readonly NamedPair[]; threshold: number; isStored: boolean }) {
  const { above, below } = nextTo(props.pairs, props.threshold, SHOWN_PAIRS);
  const rows = (pairs: readonly NamedPair[], side: string) =>
    pairs.length === 0 ? (
      <tr>
        <td class="note" colSpan={3}>
          No pair {side} it is known.
        </td>
      </tr>
    ) : (
      pairs.map(({ a, b, resemblance }) => (
        <tr key={JSON.stringify([a, b])}>
          <td>{side}</td>
          <td class="id">
            <PairNames {...{ a, b }} isStored={props.isStored} />
          </td>
          <td class="number">{rounded(resemblance)}</td>
        </tr>
      ))
    );
  return (
    <Block title={`Pairs next to ${props.threshold}`} id="next">
      <table class="next-pairs" aria-live="polite">
        <tbody>
          {rows([...above].reverse(), 'above')}
          {rows(below, 'below')}
        </tbody>
      </table>
    </Block>
  );
}

function PairNames({ a, b, isStored }: { a: string; b: string; isStored: boolean }) {
  const names = (
    <>
      <IdLine id={a} /> <span class={a.length + b.length > 60 ? 'visually-hidden' : ''}>and</span> <IdLine id={b} />
    </>
  );
  return isStored ? <a href={href(['compare'], { a, b })}>{names}</a> : names;
}

/** A collection that was looked at on this page comes first. */
function corporaThere(): PairHistogram[] {
  const run = result.value;
  const own =
    run && !run.isPartial && run.groups.length > 0
      ? [
          histogramOf(
            'Your files',
            'Removed documents of your last run and their kept ones. Pairs below its threshold were not kept, so nothing is known of what is compared in vain.',
            run.groups.flatMap(({ id: kept, members }) =>
              members.map(({ id, resemblance }) => ({ a: id, b: kept, resemblance })),
            ),
          ),
        ]
      : [];
  const service = serviceHistogram();
  return [...(service ? [service] : []), licences, ...own];
}

function tried(settings: Settings): { scheme?: Scheme; problem?: string } {
  try {
    return { scheme: schemeOf(settings) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function Outcome({ scheme, settings, corpus }: { scheme: Scheme; settings: Settings; corpus: PairHistogram }) {
  const { alike, missed, unlike, wasted } = expectedOf(corpus, scheme.curve, settings.threshold);
  return (
    <>
      <Block title="What it does" id="does">
        <table>
          <tbody>
            <Row
              name={scheme.name}
              means={scheme.formula}
              value={probability(scheme.curve(settings.threshold))}
              unit="at the threshold"
            />
            <Row
              name="Expected misses"
              means={`of ${withCommas(alike)} pairs at or above the threshold`}
              value={expectedText(missed)}
              unit="pairs"
            />
            <Row
              name={settings.mode === 'matches' ? 'Called similar by mistake' : 'Compared in vain'}
              means={`of ${withCommas(unlike)} pairs below it${settings.mode === 'matches' ? '' : '; each costs time, none is reported'}`}
              value={expectedText(wasted)}
              unit="pairs"
            />
          </tbody>
        </table>
      </Block>
      <Block title="To use it" id="use">
        <CopyLine label="the command" text={scheme.command} />
        <CopyLine label="the library call" text={scheme.code} />
      </Block>
    </>
  );
}

function Row({ name, means, value, unit }: { name: string; means: string; value: string; unit: string }) {
  return (
    <tr>
      <th scope="row">
        {name}
        <small>{means}</small>
      </th>
      <td class="value">
        <b>{value}</b> {unit}
      </td>
    </tr>
  );
}

function expectedText(count: number): string {
  if (count === 0) return '0';
  return count < 10 ? (count < 0.01 ? 'less than 0.01' : count.toFixed(2)) : withCommas(Math.round(count));
}

function CurveTable({ scheme }: { scheme: Scheme }) {
  return (
    <details class="block">
      <summary>The curve as a table</summary>
      <table class="narrow">
        <thead>
          <tr>
            <th scope="col">similarity</th>
            <th scope="col" class="number">
              probability
            </th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: 21 }, (_, step) => step / 20).map(similarity => (
            <tr key={similarity}>
              <th scope="row">{similarity}</th>
              <td class="number">{probability(scheme.curve(similarity))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
