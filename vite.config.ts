import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Writes every text of the build beside itself as .br and .gz, so that the server only has to send the right one. */
function compressOnce(): Plugin {
  return {
    name: 'compress-once',
    apply: 'build',
    writeBundle({ dir }) {
      const root = dir ?? here('./dist/web');
      for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|svg|html)$/.test(name)) continue;
        const bytes = readFileSync(join(root, name));
        writeFileSync(join(root, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        writeFileSync(join(root, `${name}.br`), brotliCompressSync(bytes));
      }
    },
  };
}

/** Builds the pages into dist/web; in development the API and the socket are those of the server on port 3000. */
export default defineConfig({
  root: here('./web'),
  plugins: [react(), compressOnce()],
  // Pages read paths, limits and texts from the contracts; the schemas themselves run on the server only.
  resolve: { alias: { zod: here('./web/data/schemasLeftOut.ts') } },
  build: {
    outDir: here('./dist/web'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A page in few files. What the entry imports comes in one; what three pages or more take from libraries, in
          // another, which visitors of the landing do not load.
          groups: [
            { name: 'first', tags: ['$initial'] },
            // The dashboard's frame needs these of the libraries alone, so that its words come before the rest.
            {
              name: 'frame',
              test: /@mantine\/(?:hooks|core\/.*\/(?:Tabs|FloatingIndicator|core)\/)|icons-react\/.*\/Icon(?:Search|MessageCircle|ReportSearch)\./,
            },
            { name: 'widgets', test: /node_modules/, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:3000',
      '/socket.io': { target: 'http://127.0.0.1:3000', ws: true },
    },
  },
});
