/** Two texts, their comparison and shared passages → the page that shows them side by side. */
import type { Comparison } from '../../engine/calls/compare.ts';
import type { Passage } from '../../model.ts';
import { type ComparedText, comparePage } from '../../report/compare-page.ts';
import { differences } from '../../similarity/differences.ts';

export function comparisonPage(
  a: ComparedText,
  b: ComparedText,
  { estimated, editSimilarity, ...measures }: Comparison,
  passages: readonly Passage[],
  options: object,
): string {
  return comparePage({
    a,
    b,
    measures: { ...measures, ...(editSimilarity !== null && { editSimilarity }) },
    ...(estimated && 'resemblance' in estimated && { estimated }),
    passages,
    differences: differences(a.text, b.text, passages),
    options: { ...options },
  });
}
