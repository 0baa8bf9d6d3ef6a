import { expect, it } from 'vitest';
import { setBytes } from './link-documents.ts';

it('gives sets and code points together, with measure edit, what sets have alone', () => {
  for (const room of [0, 2 ** 28, 2 ** 31, 2 ** 36])
    expect(2 * setBytes(room, 2, 'edit')).toBe(setBytes(room, 2, 'resemblance'));
});
