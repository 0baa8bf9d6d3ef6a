/** Documents and other records that came from WARC → a WARC file of the same records; compressed, each is a gzip member of its own. */
import { createGzip, gzipSync } from 'node:zlib';
import { fail } from '../../errors.ts';
import { codecOf } from '../compression/codec.ts';
import type { Target } from '../loaders.ts';
import type { DocumentWriter } from '../writer.ts';

/** The sink of a gzip file must not compress: the members are made here. */
export function writeWarc({ path, sink, compression }: Target): DocumentWriter {
  const writeWhole = (record: Uint8Array) => sink.write(compression === 'gzip' ? gzipSync(record) : record);
  return {
    write: async ({ raw, format }, added) => {
      if (raw === undefined || format !== 'warc' || added) {
        fail('CANNOT_WRITE', { file: path, reason: 'only unchanged records of WARC files can be written as WARC' });
      }
      await writeWhole(raw);
    },
    writeOther: async ({ bytes }) => {
      if (bytes instanceof Uint8Array) return writeWhole(bytes);
      const member = compression === 'gzip' ? codecOf(createGzip()) : undefined;
      for await (const chunk of bytes)
        for (const part of member ? await member.write(chunk) : [chunk]) await sink.write(part);
      for (const part of (await member?.end()) ?? []) await sink.write(part);
    },
    close: () => sink.close(),
    abort: () => sink.abort(),
  };
}
