import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUILT_IN } from '../../build.mjs';
import { ROOT } from './built.mjs';

const globals = fileURLToPath(new URL('./globals.mjs', import.meta.url));

/** Keeps `import.meta` pointing at the source after the build, because tests find other files relative to it. */
const keepPlaces = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const source = await readFile(path, 'utf8');
      if (!source.includes('import.meta')) return undefined;
      const contents = source
        .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replace(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path)));
      return { contents, loader: extname(path) === '.ts' ? 'ts' : 'js' };
    });
  },
};

/**
 * Bundles the test files with everything they import, shared modules once: translating each module on import makes
 * loading the product two and a half times as slow.
 * @param paths the test files and the setup files
 * @returns the output directory; `null` if the build failed, in which case the file with the error reports it when it
 * runs
 */
export async function buildTests(paths) {
  const directory = mkdtempSync(join(process.env.TEST_DIRECTORY ?? tmpdir(), 'built-'));
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  const lane = fileURLToPath(new URL('./process.mjs', import.meta.url));
  try {
    await build({
      entryPoints: [lane, ...paths],
      outdir: directory,
      outbase: ROOT,
      absWorkingDir: ROOT,
      bundle: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      alias: { '@jest/globals': globals, ...BUILT_IN },
      plugins: [keepPlaces],
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'silent',
    });
    return directory;
  } catch (error) {
    rmSync(directory, { recursive: true });
    console.error(`The tests could not be built, and run slowly: ${error.message}`);
    return null;
  }
}
