/** A document → the hash of what it says: equal for equal texts, byte for byte, and for equal sets. */
import type { Kernel } from '../../kernel/contract.ts';
import type { Document } from '../../model.ts';

export function contentOf({ text, set }: Pick<Document, 'text' | 'set'>, kernel: Kernel): bigint {
  if (typeof text === 'string') return kernel.read(text).contentHash;
  const elements = kernel.elementSet(set ?? []);
  const { contentHash } = kernel.read(new Uint8Array(elements.buffer));
  // Without elements there are no bytes, as in an empty text, which it is not.
  return elements.length === 0 ? contentHash ^ ALL_BITS : contentHash;
}

const ALL_BITS = (1n << 128n) - 1n;

/** Only documents of one kind are compared: an element hashes as a text of one word does, and is something else. */
export function isSet({ text }: Pick<Document, 'text'>): boolean {
  return typeof text !== 'string';
}

/** With --set-field the set counts, whatever else the document has. */
export function withoutText({ text: _, ...rest }: Document): Document {
  return rest as Document;
}
