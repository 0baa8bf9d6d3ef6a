/** The JSON report of vitest → `N passed, N failed`, and exit code 1 unless every test ran and passed. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file that could not be loaded has no tests to count: it counts as one that failed. */
export function summarise({ testResults }) {
  const states = testResults.flatMap(({ status, assertionResults }) =>
    assertionResults.length === 0 && status === 'failed' ? ['failed'] : assertionResults.map(one => one.status),
  );
  const passed = states.filter(state => state === 'passed').length;
  const failed = states.filter(state => state === 'failed').length;
  return { passed, failed, skipped: states.length - passed - failed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { passed, failed, skipped } = summarise(JSON.parse(readFileSync(process.argv[2], 'utf8')));
  if (skipped > 0) console.error(`${skipped} skipped: in CI every test must run`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = passed > 0 && failed === 0 && skipped === 0 ? 0 : 1;
}
