/** `neardup dedup`: documents → those that stay, as they came, with evidence for each one that goes. */
import { command } from '../command.ts';
import { csvSafeFlag, filesFlag, jsonFlag, outputFlag, pageFlag, rejectsFlag, switchFlag } from '../flags.ts';
import { printable } from '../printable.ts';
import { brakeReason, STOPPED, stopLine } from '../run/brake.ts';
import { formOf, listFormat, requireFileForJson } from '../run/outputs.ts';
import { inputArguments, requireRunOptions, runOptions, startRun } from '../run/request.ts';
import { type DedupSummary, summaryLines, summaryOf } from '../run/summary.ts';
import type { Written } from '../run/write-documents.ts';

export const dedupCommand = command({
  name: 'dedup',
  summary: 'write the documents that stay, with evidence for each one removed',
  arguments: inputArguments,
  options: [...runOptions, 'maxRemoved', 'maxCluster'],
  flags: {
    output: outputFlag('write the documents that stay here (a folder for copies of files: DIR/)', 'o'),
    removed: outputFlag('write which document was removed because of which, and why'),
    clusters: outputFlag('write the clusters'),
    report: pageFlag('write a page about the run, to be opened in a browser', [
      '.html',
      '.htm',
      '.html.gz',
      '.html.zst',
    ]),
    rejects: rejectsFlag,
    csvSafe: csvSafeFlag,
    protect: filesFlag('a reference set: never removed, always wins, never written'),
    mark: switchFlag('remove nothing; add neardup: { cluster, size, keep } to each document'),
    dryRun: switchFlag('write nothing, only say what would be done'),
    json: jsonFlag,
  },
  examples: [
    'neardup dedup corpus.jsonl -o clean.jsonl --removed evidence.jsonl --report report.html',
    'neardup dedup news/ -o kept/ --keep longest',
    'neardup dedup crawl-*.warc.gz -o clean.warc.gz --max-removed 30%',
    'neardup dedup train.parquet -o clean.parquet --protect test.parquet --measure containment',
    'neardup dedup corpus.jsonl --by language --dry-run --json',
  ],
  async run(inputs, options, io, given) {
    const { output = '-', removed, clusters, report, rejects, protect, mark = false } = options;
    const { dryRun = false, json = false, csvSafe = false } = options;
    const lists = { '--removed': removed, '--clusters': clusters, '--rejects': rejects };
    requireRunOptions(given, options);
    requireFileForJson({ '-o': options.output, ...lists, '--report': report }, json, dryRun);
    const formats = Object.entries(lists).map(([flag, path]) =>
      path === undefined ? undefined : listFormat(flag, path),
    );

    const outputs = dryRun ? {} : { '-o': output, ...lists, '--report': report };
    const request = await startRun({ inputs, protect }, options, given, outputs, io);
    const form = formOf(output, request.files.inputs, mark);
    const { decideFiles } = await import('../../engine/files.ts');
    const { noteRejects } = await import('../run/notes.ts');
    const decided = await decideFiles(request);
    await noteRejects(io, decided.read, request.files.inputs, rejects !== undefined && !dryRun);

    let written: Written = {};
    const summary = () => summaryOf(decided, request.effort(decided.read), written);
    const reason = brakeReason(options, decided);
    if (reason !== undefined) {
      io.stderr.write(stopLine(reason));
      return STOPPED;
    }
    let done: DedupSummary | undefined;
    if (!dryRun) {
      const { createStaging } = await import('../run/staging.ts');
      const { writeDocuments } = await import('../run/write-documents.ts');
      const { writeList, writeRejects } = await import('../run/write-list.ts');
      const staging = createStaging(request.files);
      await staging.run(async () => {
        for (const [at, path] of Object.values(lists).entries()) {
          if (path === undefined) continue;
          const [staged, format] = [await staging.pathFor(path), formats[at]!];
          if (path === rejects) await writeRejects(staged, format, decided.read, { csvSafe });
          else await writeList(staged, format, path === removed ? decided.removed : decided.clusters, { csvSafe });
        }
        const path = await (form.kind === 'copies' ? staging.folderFor(output) : staging.pathFor(output));
        written = await writeDocuments({
          inputs: request.files.inputs,
          reading: options,
          decided,
          path,
          form,
          mark,
          csvSafe,
        });
        for (const line of written.lost ?? []) io.warn(printable(`warning: ${output}: ${line}`));
        if (report === undefined) return;
        const { writeReport } = await import('../run/report.ts');
        const run = { inputs, reference: protect, decided, summary, isMarked: mark, date: new Date() };
        done = await writeReport(await staging.pathFor(report), run);
      });
    } else if (report !== undefined) io.note(`--dry-run: ${report} was not written`);
    decided.keeping?.remove();
    const { recallLines } = await import('../run/recall-lines.ts');
    done ??= summary();
    for (const line of [...summaryLines(done, written), ...recallLines(decided.options)]) io.note(line);
    if (json) io.write(JSON.stringify(done));
    return 0;
  },
});
