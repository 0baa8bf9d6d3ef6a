/** The pages there are, in the order of the menu; the static site has those that need no service. */
import type { ComponentType } from 'preact';
import { lazy } from './ui/lazy.tsx';

export interface PageEntry {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  readonly Page: ComponentType;
}

const ofService: readonly PageEntry[] = __SITE__
  ? []
  : [
      {
        name: 'overview',
        title: 'Overview',
        Page: lazy(async () => (await import('./overview/page.tsx')).OverviewPage),
      },
      {
        name: 'clusters',
        title: 'Clusters',
        Page: lazy(async () => (await import('./clusters/page.tsx')).ClustersPage),
      },
      { name: 'search', title: 'Search', Page: lazy(async () => (await import('./search/page.tsx')).SearchPage) },
    ];

export const pages: readonly PageEntry[] = [
  ...ofService,
  { name: 'try', title: 'Try it here', Page: lazy(async () => (await import('./try/page.tsx')).TryPage) },
  { name: 'compare', title: 'Compare', Page: lazy(async () => (await import('./compare/page.tsx')).ComparePage) },
  { name: 'tune', title: 'Tune', Page: lazy(async () => (await import('./tune/page.tsx')).TunePage) },
  { name: 'learn', title: 'Learn', Page: lazy(async () => (await import('./learn/page.tsx')).LearnPage) },
];

export const startPage = pages[0]!.name;
