import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

const server = 'http://127.0.0.1:8000';

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  build: {
    outDir: '../server/static',
    emptyOutDir: true,
    manifest: true, // which page needs which files: the size of the first load is tested by it
    target: 'es2022',
    modulePreload: {
      polyfill: false,
      // The server's headers name what a page needs first; links that a script writes for it again hold it up.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => file.endsWith('.css')),
    },
    // What nearly every page needs, in one file: a dozen tiny ones would each wait for a turn of its own.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'parts',
              test: /src\/(cards\/(Back|Card|face|Icon|Text)|games\/buttons|lib\/(link|options)|state\/speak|table\/Avatar)\./,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: server }, '/ws': { target: server, ws: true } } },
  test: { include: ['src/**/*.test.ts'] },
  // In tests too, runes react only in Svelte's browser build.
  resolve: mode === 'test' ? { conditions: ['browser'] } : {},
}));
