/** What could not be used: never hidden, since it is loss. */
import { save } from '../ui/files.ts';
import { Id, Wide } from '../ui/parts.tsx';
import { many, withCommas } from '../ui/shown.ts';
import type { Problem, RunResult } from './types.ts';

export function Problems({ result }: { result: RunResult }) {
  const { rejects, rejected, damages, unknownFiles, repeatedIds, files } = result;
  return (
    <>
      {files === 0 && <p class="error">None of the files has an ending that can be read here.</p>}
      {damages.length > 0 && (
        <p class="error" role="alert">
          {many(damages.length, 'file')} could not be read to the end; what is behind the damage is missing from the
          result.
        </p>
      )}
      {unknownFiles.length > 0 && (
        <p class="note">
          {many(unknownFiles.length, 'file')} left out, by the ending of the name:{' '}
          {unknownFiles.slice(0, 5).map((name, at) => (
            <>
              {at > 0 && ', '}
              <Id key={name} id={name} most={60} />
            </>
          ))}
          {unknownFiles.length > 5 && ' …'}
        </p>
      )}
      {repeatedIds > 0 && (
        <p class="note">{many(repeatedIds, 'document')} with an id that came before: named by file and line.</p>
      )}
      {rejected + damages.length > 0 && (
        <details class="block" open={result.documents === 0}>
          <summary>{many(rejected + damages.length, 'line')} that could not be used</summary>
          <ProblemTable problems={[...damages, ...rejects].slice(0, 20)} />
          {rejected > 20 && <p class="note">… and {withCommas(rejected - 20)} more.</p>}
          {rejects.length > 0 && (
            <button type="button" onClick={() => save(linesOf(rejects), 'rejects.jsonl')}>
              {rejected > rejects.length ? `Download the first ${rejects.length}` : 'Download rejects.jsonl'}
            </button>
          )}
        </details>
      )}
    </>
  );
}

function linesOf(rejects: readonly Problem[]): Blob {
  return new Blob(rejects.map(({ file, line, reason }) => `${JSON.stringify({ file, line, reason })}\n`));
}

function ProblemTable({ problems }: { problems: readonly Problem[] }) {
  return (
    <Wide label="Lines that could not be used">
      <table>
        <thead>
          <tr>
            <th scope="col">file</th>
            <th scope="col" class="number">
              line
            </th>
            <th scope="col">reason</th>
          </tr>
        </thead>
        <tbody>
          {problems.map(({ file, line, reason }) => (
            <tr key={`${file}:${line}`}>
              <td>
                <Id id={file} />
              </td>
              <td class="number">{withCommas(line)}</td>
              <td>
                <Id id={reason} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
