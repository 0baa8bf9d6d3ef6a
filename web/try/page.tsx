/** Files dropped here → near-duplicates found in this browser, to review and to download. Nothing is sent anywhere. */
import { useEffect } from 'preact/hooks';
import { route, setParams } from '../route.ts';
import { Drop } from '../ui/drop.tsx';
import { Empty, Figures, Progress } from '../ui/parts.tsx';
import { many, percent, size, withCommas } from '../ui/shown.ts';
import { removedItems, unsaved } from './decisions.ts';
import { Downloads } from './downloads.tsx';
import { exampleFile } from './example.ts';
import { OptionFields, optionsOf } from './options.tsx';
import { Problems } from './problems.tsx';
import { Review } from './review.tsx';
import { cancel, given, problem, progress, result, start } from './state.ts';
import type { RunResult } from './types.ts';

export function TryPage() {
  const options = optionsOf(route.value.params);
  const run = (files: readonly File[]) => {
    if (files.length > 0) void start(files, options);
  };
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (unsaved.peek() > 0) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, []);
  return (
    <>
      <h1>Find near-duplicates in your files</h1>
      <p class="lead">
        Everything runs in this browser, with the kernel of the command line.{' '}
        <strong>Nothing leaves your machine.</strong>
      </p>
      <OptionFields options={options} onChange={setParams} />
      <Drop label="Choose files" accept=".jsonl,.ndjson,.json,.csv,.tsv,.txt,.md,.html,.htm,.zip" onFiles={run}>
        <p>
          or drop them here: JSON lines, JSON, CSV, text, HTML, folders of these, or a zip of them. 100 MB is fine; for
          more there is the command line.
        </p>
        <p class="buttons centred">
          <button type="button" onClick={() => run([exampleFile()])}>
            Use an example
          </button>
          {given.value.length > 0 && !progress.value && (
            <button type="button" onClick={() => run(given.value)}>
              Run again with these settings
            </button>
          )}
        </p>
      </Drop>
      <div class="outcome">
        {progress.value && <Progress {...progress.value} onCancel={cancel} />}
        {problem.value && (
          <p class="error" role="alert">
            {problem.value}
          </p>
        )}
        {result.value && <Outcome result={result.value} />}
        {!result.value && !progress.value && !problem.value && (
          <Empty>
            <p>
              {given.value.length > 0
                ? 'Cancelled. Run again with these settings, or choose other files.'
                : 'No files yet. Results appear here: groups of near-duplicates, each with the reason, for you to accept or to overrule.'}
            </p>
          </Empty>
        )}
      </div>
    </>
  );
}

function Outcome({ result }: { result: RunResult }) {
  const removed = removedItems(result.groups).length;
  const members = result.groups.flatMap(group => group.members);
  const count = (relation: string) => withCommas(members.filter(member => member.relation === relation).length);
  return (
    <>
      <p class="lead" role="status">
        {result.isPartial ? 'First results: of ' : 'Of '}
        <strong>{many(result.documents, 'document')}</strong>
        {result.isPartial ? ' so far, ' : ', '}
        {removed === 0 ? (
          'none is a duplicate of another.'
        ) : (
          <>
            <strong>{withCommas(removed)}</strong> ({percent(removed / result.documents)}){' '}
            {removed === 1 ? 'is a duplicate' : 'are duplicates'}, exact or near, of one that stays.
          </>
        )}
      </p>
      <Figures
        figures={[
          ['documents', withCommas(result.documents)],
          ['kept', withCommas(result.documents - removed)],
          ['removed', withCommas(removed)],
          ['exact', count('exact')],
          ['near', count('near')],
          ...(count('contained') === '0' ? [] : [['contained', count('contained')] as const]),
          ['groups', withCommas(result.groups.length)],
          ['rejected', withCommas(result.rejected)],
          ['size', size(result.bytes)],
          ['seconds', result.seconds.toFixed(1)],
        ]}
      />
      <Problems result={result} />
      {!result.isPartial && <Downloads result={result} />}
      {result.groups.length > 0 ? (
        <Review result={result} />
      ) : (
        <Empty>
          <p>
            No two documents are as alike as that. A lower threshold finds more: try 0.5, or shingles of fewer words.
          </p>
        </Empty>
      )}
    </>
  );
}
