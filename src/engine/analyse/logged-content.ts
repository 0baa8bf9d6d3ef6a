/** A document → its content hash as a log of decisions has it: of the seed that runs have by default, whatever that of this run is. */
import { contentText } from '../../decisions/decision.ts';
import type { Kernel } from '../../kernel/contract.ts';
import { createKernel } from '../../kernel/wasm-kernel.ts';
import type { Document } from '../../model.ts';
import { options } from '../../options.ts';
import { contentOf } from './content.ts';

export type LoggedContent = (document: Pick<Document, 'text' | 'set'>) => string;

/** `own`: a kernel of the run, which will do where it has that seed. */
export async function createLoggedContent(seed: number, own?: Kernel): Promise<LoggedContent> {
  const kernel = own && hasLoggedContents(seed) ? own : await createKernel(anyKernel);
  return document => contentText(contentOf(document, kernel));
}

export function hasLoggedContents(seed: number): boolean {
  return seed === options.seed.default;
}

/** Contents depend on nothing but the seed. */
const anyKernel = {
  shingle: { unit: 'word', size: 5 },
  keepCase: false,
  seed: options.seed.default,
  hashes: 1,
} as const;
