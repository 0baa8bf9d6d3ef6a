/** What every reader needs, worked out once from the options. */
import type { FieldRules } from './fields.ts';
import { DEFAULT_MAX_DOCUMENT, type ReadOptions } from './item.ts';

export interface Reading {
  readonly maxDocument: number;
  readonly fields: FieldRules;
  readonly html: ReadOptions['html'];
  readonly paragraphs?: boolean | undefined;
  readonly onOther?: ReadOptions['onOther'];
  readonly onHeader?: ReadOptions['onHeader'];
}

/** The HTML reader takes 25 ms to load, so it is loaded only where there may be HTML. */
export async function openReading(options: ReadOptions): Promise<Reading> {
  const { maxDocument = DEFAULT_MAX_DOCUMENT, html, paragraphs, onOther, onHeader } = options;
  const reading = { maxDocument, html, paragraphs, onHeader, ...(onOther && { onOther }) };
  if (html !== 'always') return { ...reading, fields: options };
  const { htmlToText } = await import('../text/html.ts');
  return { ...reading, fields: { ...options, toText: page => htmlToText(page, { paragraphs }) } };
}
