/** `neardup demo`: the SPDX licence texts → families of near-duplicates, some pairs, and pages to look at. */
import { command } from '../app/command.ts';
import { fileFlag } from '../app/flags.ts';

/** Short enough to read, alike and unlike enough to be worth it. */
const COMPARED = ['BSD-3-Clause', 'BSD-4-Clause'] as const;

export const demoCommand = command({
  name: 'demo',
  summary: 'find near-duplicates among the SPDX licence texts: a first look, no network',
  arguments: [],
  options: [],
  flags: {
    out: { ...fileFlag('folder for the pages and the texts (default: a new temporary one)'), placeholder: 'folder' },
  },
  examples: ['neardup demo', 'neardup demo --out licences'],
  async run(_args, { out }, io) {
    const begun = performance.now();
    const { findAmong, loadLicences, pageOf } = await import('../demo/find.ts');
    const { storyOf } = await import('../demo/story.ts');
    const { reportOf } = await import('../../batch/write-report.ts');
    const { documentsInMemory } = await import('../../batch/report-texts.ts');
    const { summaryOf } = await import('../../batch/summary.ts');
    const { mkdtemp } = await import('node:fs/promises');
    const { makeFolder } = await import('../../files/make-folder.ts');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const { reasonOf } = await import('../../files/system-errors.ts');
    const { writeWhole } = await import('../../formats/sink.ts');
    const { fail } = await import('../../errors.ts');

    const licences = await loadLicences();
    const findings = await findAmong(licences);
    const seconds = (performance.now() - begun) / 1000;

    if (out !== undefined) {
      try {
        makeFolder(out);
      } catch (error) {
        fail('CANNOT_WRITE', { file: out, reason: reasonOf(error) }, error);
      }
    }
    const folder = out ?? (await mkdtemp(join(tmpdir(), 'neardup-demo-')));
    const corpus = join(folder, 'licences.jsonl');
    const report = join(folder, 'report.html');
    const page = join(folder, `${COMPARED.join('-and-')}.html`);
    const [a, b] = COMPARED.map(id => licences.find(licence => licence.id === id)!);
    await writeWhole(corpus, licences.map(licence => `${JSON.stringify(licence)}\n`).join(''));
    await writeWhole(page, await pageOf(a!, b!));
    const { decided, bytes } = findings;
    const summary = () => summaryOf(decided, { seconds, bytes });
    const documentsOf = () => documentsInMemory(licences.map(({ id, text }) => ({ id, text })));
    const run = { decided, summary, inputs: [corpus], date: new Date(), documentsOf };
    await writeWhole(report, (await reportOf(run)).page);

    const strong = (text: string) => (io.color ? `\u001b[1m${text}\u001b[22m` : text);
    for (const line of storyOf(findings, { report, page, corpus, seconds }, strong)) io.write(line);
  },
});
