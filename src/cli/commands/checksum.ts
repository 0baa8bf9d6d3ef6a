/** `neardup checksum`: documents → byte sum, CRC-32, MD5 and 64-bit signature of their bytes or their normalised text. */

import { inputOptionNames } from '../../batch/options.ts';
import type { Fingerprints } from '../../engine/calls/fingerprints.ts';
import { fail } from '../../errors.ts';
import { flagOf } from '../../options.ts';
import { printable } from '../../report/printable.ts';
import { command, inputArguments } from '../app/command.ts';
import { switchFlag } from '../app/flags.ts';
import type { InputDocument } from '../input/read-inputs.ts';

export const checksumCommand = command({
  name: 'checksum',
  summary: 'print byte sum, CRC-32, MD5 and 64-bit signature of the text of each document',
  arguments: inputArguments,
  options: ['normalise', 'seed', ...inputOptionNames.filter(name => name !== 'setField')],
  flags: {
    normalised: switchFlag('use the normalised text (words joined by single spaces) instead of the original bytes'),
    json: switchFlag('one JSON object per document: id, byteSum, crc32, md5, signature'),
  },
  examples: [
    'neardup checksum fish.txt',
    'neardup checksum corpus.jsonl --json',
    'neardup checksum mirror/ --normalised --normalise strip-accents',
  ],
  async run(inputs, options, io, given) {
    if (given.normalise !== undefined && !options.normalised) {
      const why = 'the bytes are taken as they are; add --normalised';
      fail('BAD_COMBINATION', { what: '--normalise without --normalised', why });
    }
    const { sketcherWith } = await import('../../engine/sketcher.ts');
    const { fingerprintsOf } = await import('../../engine/calls/fingerprints.ts');
    const { readInputs } = await import('../input/read-inputs.ts');
    const { readWithBytes } = await import('../input/read-with-bytes.ts');
    const { writeLines } = await import('../output/write-lines.ts');

    const sketcher = await sketcherWith(options, flagOf);
    const contentOf = ({ text = '', bytes }: InputDocument) =>
      options.normalised ? sketcher.words(text).join(' ') : (bytes ?? text);
    await writeLines(io, async function* () {
      let isFirst = true;
      for await (const item of readInputs(inputs, options, io, { read: readWithBytes, isPrinting: true })) {
        if (isFirst && !options.json) yield header;
        isFirst = false;
        const fingerprints = fingerprintsOf(sketcher, contentOf(item));
        yield options.json ? JSON.stringify({ id: item.id, ...fingerprints }) : row(fingerprints, item.id);
      }
    });
  },
});

const header = row({ byteSum: 'byte sum', crc32: 'crc-32', md5: 'md5', signature: 'signature' }, 'id');

/** As checksum tools print them: what has a fixed width first, the name last. A sum of 64 MB has 10 digits. */
function row({ byteSum, crc32, md5, signature }: Fingerprints, id: string): string {
  return [byteSum.padStart(10), crc32.padEnd(8), md5.padEnd(32), signature.padEnd(16), printable(id)].join('  ');
}
