/** A text, or its bytes → its content fingerprints, the engine's own signature among them. */
import { type Checksums, checksumsOf, hex64 } from '../../similarity/fingerprint.ts';
import type { Sketcher } from '../sketcher.ts';

export interface Fingerprints extends Checksums {
  /** The low 64 bits of the 128 by which the engine tells equal texts; 16 hex digits. It depends on the seed. */
  readonly signature: string;
}

/**
 * A text → its checksums, and the 64-bit signature by which a run tells equal texts.
 *
 * @example
 * ```ts
 * const sketcher = await createSketcher();
 * fingerprintsOf(sketcher, 'fish').md5; // → '83e4a96aed96436c621b9809e258b309'
 * ```
 */
export function fingerprintsOf({ kernel }: Pick<Sketcher, 'kernel'>, text: string | Uint8Array): Fingerprints {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return { ...checksumsOf(bytes), signature: hex64(kernel.read(bytes).contentHash) };
}
