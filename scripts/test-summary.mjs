/** JSON reports of vitest → `N passed, N failed` over all, and exit code 1 unless every test of each ran and passed. */
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

/** A report without a test, or that is not there, counts as one failure: its run ended early. */
function summaryOf(path) {
  try {
    const summary = summarise(JSON.parse(readFileSync(path, 'utf8')));
    if (Object.values(summary).some(count => count > 0)) return summary;
    console.error(`${path} has no tests`);
  } catch (error) {
    console.error(`${path} cannot be read: ${error.message}`);
  }
  return { passed: 0, failed: 1, skipped: 0 };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const summaries = process.argv.slice(2).map(summaryOf);
  const total = name => summaries.reduce((sum, summary) => sum + summary[name], 0);
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(total);
  if (skipped > 0) console.error(`${skipped} skipped: in CI every test must run`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = passed > 0 && failed === 0 && skipped === 0 ? 0 : 1;
}
