/** A document → the hash of what it says: equal for equal texts, byte for byte, and for equal sets. */
import type { Kernel } from '../kernel/contract.ts';
import type { Document } from '../model.ts';

export function contentOf({ text, set }: Pick<Document, 'text' | 'set'>, kernel: Kernel): bigint {
  if (typeof text === 'string') return kernel.read(text).contentHash;
  const elements = kernel.elementSet(set ?? []);
  return kernel.read(new Uint8Array(elements.buffer)).contentHash;
}

/** With --set-field the set counts, whatever else the document has. */
export function withoutText({ text: _, ...rest }: Document): Document {
  return rest as Document;
}
