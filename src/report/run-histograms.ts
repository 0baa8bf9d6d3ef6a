/** What was counted of a run → its histograms: removals by resemblance, clusters by size. */
import type { Bar, Histogram } from './histogram.ts';
import { shortCount } from './numbers.ts';
import type { RunSelection } from './run-selection.ts';
import { withCommas } from './with-commas.ts';

const found = ['exact', 'near', 'contained'] as const;

/** Bars as narrow as there is room for 25; those of exactly 1 have one of their own, since copies are most of them. */
export function resemblanceHistogram({ hundredths }: RunSelection, threshold: number, isEstimated: boolean): Histogram {
  // Most runs are without decisions: their pages do not speak of them.
  const hasDecided = hundredths.some(({ decided }) => decided > 0);
  const relations = hasDecided ? ([...found, 'decided'] as const) : found;
  const lowest = hundredths.findIndex(counts => relations.some(relation => counts[relation] > 0));
  const wanted = Math.min(lowest < 0 ? 100 : lowest, Math.floor(threshold * 100 + 1e-9), 95);
  const step = [1, 2, 4, 5].find(width => (100 - wanted) / width <= 25)!;
  const bars: Bar[] = [];
  for (let from = wanted - (wanted % step); from < 100; from += step) {
    const within = hundredths.slice(from, Math.min(100, from + step));
    const counts = relations.map(relation => within.reduce((sum, one) => sum + one[relation], 0));
    // A label takes the room of two narrow bars.
    const tick = bars.length % 2 === 0 || 100 - wanted <= 12 * step ? two(from) : '';
    bars.push({ tick, range: `${two(from)} – ${two(Math.min(100, from + step))}`, counts });
  }
  bars.push({ tick: '1', range: '1', counts: relations.map(relation => hundredths[100]![relation]) });
  const what = isEstimated ? 'estimated resemblance' : 'resemblance';
  return { title: `Removed documents by ${what}`, axis: `${what} to the kept document`, kinds: relations, bars };
}

export function sizeHistogram({ sizes }: RunSelection): Histogram {
  const bars = sizes.map((count, power) => {
    const [from, to] = [2 ** power + 1, 2 ** (power + 1)];
    const range = power === 0 ? '2' : `${withCommas(from)}–${withCommas(to)}`;
    // Many bars leave no room for both ends.
    return { tick: sizes.length <= 8 || power === 0 ? range : `≤${shortCount(to)}`, range, counts: [count] };
  });
  return { title: 'Clusters by size', axis: 'documents in the cluster', kinds: ['clusters'], bars };
}

function two(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}
