import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { buildWorkers, PICTURES } from '../../build.mjs';
import { ROOT } from './built.mjs';

const COMMANDS = ['account', 'admin', 'auditVerify', 'backup', 'doctor', 'manifest', 'restore', 'seed'];
const SERVER = 'api/start.ts';
/** Scripts of the processes that tests start beside the server, by name of the built file. */
const SCRIPTS = {
  ...Object.fromEntries(COMMANDS.map((name) => [name, `api/commands/${name}.ts`])),
  badFilesChild: 'tests/factories/badFilesChild.ts',
};

/** Native packages, packages that find files by their own location, and those that these processes never load. */
const EXTERNAL = [
  '@node-rs/argon2',
  'esbuild',
  'exceljs',
  'lmdb',
  'pino',
  'vite',
  '@vitejs/*',
  ...['@aws-sdk/*', '@mongodb-js/zstd', 'aws4', 'bufferutil', 'gcp-metadata', 'kerberos'],
  ...['mongodb-client-encryption', 'snappy', 'socks', 'utf-8-validate'],
];

const IMPORTS = /^(?:import [^;]*;\n|\/\/.*\n|\n)*/;
const SERVER_RUNS_ITSELF = /^if \(.*\) await main\(\);$/m;

/** Puts a script, which may await at its top, into a function, and takes the server's own call of `main` out. */
const withoutTopLevelAwait = {
  name: 'without-top-level-await',
  setup({ onLoad, onResolve }) {
    // Builds the threads where they are missing, which they never are in tests.
    onResolve({ filter: /\/build\.mjs$/ }, () => ({ path: join(ROOT, 'build.mjs'), external: true }));
    const scripts = new Set(Object.values(SCRIPTS).map((path) => join(ROOT, path)));
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path === join(ROOT, SERVER)) {
        const source = await readFile(path, 'utf8');
        if (!SERVER_RUNS_ITSELF.test(source)) throw new Error(`${SERVER} is expected to call main.`);
        return { contents: source.replace(SERVER_RUNS_ITSELF, ''), loader: 'ts' };
      }
      if (!scripts.has(path)) return undefined;
      const source = await readFile(path, 'utf8');
      const [imports] = IMPORTS.exec(source);
      const body = source.slice(imports.length);
      return { contents: `${imports}export const main = async () => {\n${body}\n};`, loader: 'ts' };
    });
  },
};

/** Escapes what esbuild leaves in regular expressions: ASCII is read in a third of the time and half of the memory. */
const escapeBeyondAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What each process runs, by name. */
const ENTRY = `export const processes = {
  start: async () => (await import('./${SERVER}')).main(),
  ${Object.entries(SCRIPTS).map(([name, path]) => `${name}: async () => (await import('./${path}')).main()`)}
};`;

/**
 * Builds the processes that tests start, with their packages, as one script whose parts are evaluated when they are
 * imported. A plain script and not modules: only of a script can Node keep the compiled code, and compiling takes a third
 * of the processor time of a start. Each process is a file `<name>.js` in the directory; see `process/run.mjs`.
 */
export async function buildProcesses(directory) {
  mkdirSync(directory, { recursive: true });
  const workers = buildWorkers(join(directory, 'workers'));
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: ROOT, loader: 'js' },
    write: false,
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'bundle',
    // Class names are needed, because some errors are recognised by them.
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
    charset: 'ascii',
    legalComments: 'none',
    // An uncaught fault prints the line that it came from.
    lineLimit: 400,
    // No warnings about optional dependencies that are not installed.
    logLevel: 'error',
    external: EXTERNAL,
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': '__url',
      'import.meta.filename': '__filename',
      'import.meta.dirname': '__dirname',
    },
    banner: { js: '"use strict"; const __url = require("node:url").pathToFileURL(__filename).href;' },
    plugins: [withoutTopLevelAwait],
  });
  const contents = escapeBeyondAscii(outputFiles[0].text);
  const name = `processes-${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.cjs`;
  for (const old of readdirSync(directory)) {
    if (/\.(js|cjs|code)\b/.test(old) && !old.startsWith(name)) rmSync(join(directory, old));
  }
  if (!existsSync(join(directory, name))) writeFileSync(join(directory, name), contents);
  const write = (one, module, call) => {
    const from = JSON.stringify(join(ROOT, 'tests/runner/process', module));
    writeFileSync(join(directory, `${one}.js`), `import { run } from ${from};\nawait run(${call});\n`);
  };
  const script = `new URL('${name}', import.meta.url)`;
  for (const one of ['start', ...Object.keys(SCRIPTS)]) write(one, 'run.mjs', `${script}, '${one}'`);
  write('commands', 'commands.mjs', script);
  for (const picture of PICTURES) copyFileSync(join(ROOT, picture), join(directory, basename(picture)));
  await workers;
}
