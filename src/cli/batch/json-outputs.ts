/** The files that a command with --json writes → checked: standard output is for the summary. */
import type { NamedOutputs } from '../../batch/outputs.ts';
import { fail } from '../../errors.ts';
import { STANDARD_OUTPUT } from '../../formats/sink.ts';

/** With `--json` the summary is what standard output is for. */
export function requireFileForJson(outputs: NamedOutputs, json: boolean, dryRun = false): void {
  if (!json || dryRun) return;
  if (outputs['-o'] === undefined)
    fail('BAD_COMBINATION', {
      what: '--json without -o',
      why: 'the summary goes to standard output, so the result needs a file',
    });
  requireFilesBesideSummary(outputs);
}

export function requireFilesBesideSummary(outputs: NamedOutputs): void {
  for (const [flag, path] of Object.entries(outputs)) {
    if (path === STANDARD_OUTPUT)
      fail('BAD_COMBINATION', { what: `--json with ${flag} -`, why: 'both would go to standard output' });
  }
}
