/** The options of an index → what its documents are sketched, prepared and compared with. */
import { type Sketcher, sketcherOf } from '../../engine/sketcher.ts';
import type { IndexOptions } from '../index-options.ts';
import { createPreparer, type Preparer } from '../prepare.ts';

export interface Tools {
  readonly sketcher: Sketcher;
  readonly preparer: Preparer;
}

export async function createToolsOf(options: IndexOptions): Promise<Tools> {
  const sketcher = await sketcherOf(options);
  return { sketcher, preparer: createPreparer(sketcher, options) };
}
