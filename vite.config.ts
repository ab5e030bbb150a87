import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds the pages into dist/web; in development the API and the socket are those of the server on port 3000. */
export default defineConfig({
  root: here('./web'),
  plugins: [react()],
  // Pages read paths, limits and texts from the contracts; the schemas themselves run on the server only.
  resolve: { alias: { zod: here('./web/data/schemasLeftOut.ts') } },
  build: { outDir: here('./dist/web'), emptyOutDir: true, target: 'es2022', reportCompressedSize: false },
  server: {
    proxy: {
      '/api': 'http://127.0.0.1:3000',
      '/socket.io': { target: 'http://127.0.0.1:3000', ws: true },
    },
  },
});
