/** web/ → the pages of the service (dist/web), or the static site of those that need none (site/, `--mode site`). */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Stop words and stemmers are 450 KB, and no page offers them. */
const withoutNormaliser = {
  name: 'without-normaliser',
  enforce: 'pre' as const,
  resolveId: (source: string, importer?: string) =>
    source === './normalise.ts' && importer?.endsWith('load-normaliser.ts') ? path('work/no-normaliser.ts') : undefined,
};

export default defineConfig(({ mode }) => ({
  root: path('.'),
  // Relative, so that the folder can be served from any place.
  base: './',
  define: { __SITE__: JSON.stringify(mode === 'site') },
  resolve: {
    alias: [{ find: 'neardup/browser', replacement: path('../src/browser.ts') }],
  },
  plugins: [withoutNormaliser],
  worker: { format: 'es' as const, plugins: () => [withoutNormaliser] },
  build: {
    outDir: path(mode === 'site' ? '../site' : '../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // Fonts and pictures as data: addresses would need a wider policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
}));
