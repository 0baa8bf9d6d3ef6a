/** Members and links → places on a plane, by forces, beside the page. */
import { forceCenter, forceLink, forceManyBody, forceSimulation, type SimulationNodeDatum } from 'd3-force';
import { serve } from './protocol.ts';

export interface LayoutLink {
  readonly a: number;
  readonly b: number;
  readonly resemblance: number;
}

export type LayoutApi = {
  layout: {
    args: { count: number; links: readonly LayoutLink[] };
    /** x and y of each, one after the other, between 0 and 1. */
    reply: Float32Array;
  };
};

serve<LayoutApi>({
  layout({ count, links }) {
    const nodes: SimulationNodeDatum[] = Array.from({ length: count }, () => ({}));
    forceSimulation(nodes)
      .force('charge', forceManyBody().strength(-40))
      .force(
        'link',
        forceLink(links.map(({ a, b, resemblance }) => ({ source: a, target: b, resemblance }))).distance(
          link => 12 + 160 * (1 - (link as unknown as LayoutLink).resemblance),
        ),
      )
      .force('center', forceCenter())
      .stop()
      .tick(count > 1000 ? 80 : 200);
    const [xs, ys] = [nodes.map(({ x = 0 }) => x), nodes.map(({ y = 0 }) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const span = Math.max(1, Math.max(...xs) - left, Math.max(...ys) - top);
    return Float32Array.from(nodes.flatMap(({ x = 0, y = 0 }) => [(x - left) / span, (y - top) / span]));
  },
});
