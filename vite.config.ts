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

/** What pages read of a call's contract; the rest of it is for the server and for /api/docs. */
const READ_BY_PAGES = ['method', 'path', 'upload'];

/** Leaves out of each `endpoint({…})` what pages don't read: its schemas are a third of the contracts' text. */
function leaveOutSchemas(): Plugin {
  return {
    name: 'leave-out-schemas',
    apply: 'build',
    transform: {
      filter: { id: /\/models\/contracts\//, code: 'endpoint(' },
      handler(code) {
        const cuts: [start: number, end: number][] = [];
        for (const statement of this.parse(code).body) {
          const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
          if (declared?.type !== 'VariableDeclaration') continue;
          for (const { init } of declared.declarations) {
            if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier' || init.callee.name !== 'endpoint')
              continue;
            const [contract] = init.arguments;
            if (contract?.type !== 'ObjectExpression') continue;
            for (const part of contract.properties) {
              if (part.type !== 'Property' || part.key.type !== 'Identifier' || READ_BY_PAGES.includes(part.key.name))
                continue;
              cuts.push([part.start, code[part.end] === ',' ? part.end + 1 : part.end]);
            }
          }
        }
        let left = code;
        for (const [start, end] of cuts.reverse()) left = left.slice(0, start) + left.slice(end);
        return { code: left, map: null };
      },
    },
  };
}

/** Builds the pages into dist/web; in development the API and the socket are those of the server on port 3000. */
export default defineConfig({
  root: here('./web'),
  plugins: [react(), leaveOutSchemas(), compressOnce()],
  // Pages read paths, limits and texts from the contracts; the schemas themselves run on the server only.
  resolve: { alias: { zod: here('./web/data/schemasLeftOut.ts') } },
  build: {
    outDir: here('./dist/web'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      // Schemas and contracts that no page reads.
      treeshake: { manualPureFunctions: ['z', 'endpoint'] },
      output: {
        codeSplitting: {
          // A page in few files: a browser opens six connections, and each file waits for an answer of the server. The
          // order decides: a module belongs to the first group that takes it.
          groups: [
            { name: 'first', tags: ['$initial'] },
            // What the landing page and the dashboard share.
            {
              name: 'catalogue',
              test: /models\/contracts\/(?:tools|connectors|agents|integrations?|connector\w*|connectors\/\w+|catalogue|\w+\/card)\.ts|web\/data\/(?:agents|integrations|oauthReturn)\.ts|@mantine\/(?:hooks\/.*\/use-(?:id|uncontrolled|merged-ref)|core\/.*\/core)\//,
              minShareCount: 2,
            },
            // The frame of signed-in pages needs these of the libraries alone, so that its words come before the rest.
            {
              name: 'frame',
              test: /SignedInHeader|mantineFrame|WhomToAsk|data\/desk|@mantine\/core\/.*\/(?:Tabs|FloatingIndicator)\/|icons-react\/.*\/Icon(?:Search|MessageCircle|ReportSearch)\./,
            },
            {
              name: 'forms',
              test: /styles\/mantineFields|@mantine\/core\/.*\/(?:Input\w*|InlineInput|Textarea|Switch|CloseButton)\/|get-env/,
            },
            {
              name: 'candidates',
              test: /web\/parts\/(?:agents\/(?:CandidateCard|ToolPanel)|Monogram|MessageText|messageBlocks|Tag|WorkButton|connect\/LazyConnect)|visitorTeam/,
            },
            { name: 'styles', test: /styles\/(?:mantineSignedIn|wholePage)/ },
            // Fields of tables and filters, without what opens over a page.
            {
              name: 'fields',
              test: /@mantine\/core\/.*\/(?:Checkbox|SegmentedControl|NativeSelect|TextInput|Check\w*)\/|@mantine\/hooks\/|tabler\/icons/,
              minShareCount: 3,
            },
            {
              name: 'pages',
              test: /web\/(?:parts\/(?:NotLoaded|SignInNeeded|table\/|ObjectiveField)|data\/)|models\/contracts\/(?:\w+|clinical_safety\/(?:analyses|hazardAnalysis))\.ts/,
              minShareCount: 3,
            },
            { name: 'overlays', test: /node_modules/, minShareCount: 3 },
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
