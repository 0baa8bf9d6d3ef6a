/** Documents that came from WARC → a WARC file of the same records; compressed, each is a gzip member of its own. */
import { gzipSync } from 'node:zlib';
import { fail } from '../errors.ts';
import type { Compression } from './name.ts';
import type { Sink } from './sink.ts';
import type { DocumentWriter } from './writer.ts';

/** The sink of a gzip file must not compress: the members are made here. */
export function writeWarc(path: string, sink: Sink, compression: Compression): DocumentWriter {
  return {
    write: async ({ raw, format }, added) => {
      if (raw === undefined || format !== 'warc' || added) {
        fail('CANNOT_WRITE', { file: path, reason: 'only unchanged records of WARC files can be written as WARC' });
      }
      await sink.write(compression === 'gzip' ? gzipSync(raw) : raw);
    },
    close: () => sink.close(),
    abort: () => sink.abort(),
  };
}
