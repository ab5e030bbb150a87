import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { instrument } from './instrument.ts';
import { findMutants, type Mutant } from './mutants.ts';
import type { Project } from './project.ts';

const SWITCH = 'switch.mjs';
/** Files that the copy has in addition to the checkout's own. */
export const EXTRA_FILES = { switch: SWITCH, watcher: 'watcher.mjs', plain: 'plain.mjs' };
/** The first line of a test file, which tells the runner how to run it. */
const DOCBLOCK = /^\/\*\*.*\*\/\n/;
/** Folders of a checkout that are generated. */
const GENERATED_FOLDERS = /^(node_modules|dist|shots|test-results|playwright-report|\..*)$/;

/** Every file of a checkout, as paths from its root. */
export function listFiles(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return GENERATED_FOLDERS.test(entry.name) ? [] : listFiles(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** The mutants of all rooms, by file, each with its number. */
export function findAll({ root, rooms }: Project, files = listFiles(root)): Map<string, Mutant[]> {
  const named = files.filter((file) => file.endsWith('.ts') && Object.values(rooms).some((of) => of.test(file)));
  const found = new Map(named.map((file) => [file, findMutants(file, readFileSync(join(root, file), 'utf8'))]));
  for (const [index, mutant] of [...found.values()].flat().entries()) mutant.number = index + 1;
  return found;
}

/**
 * Moves the call at the start of a compiled source behind its imports, which are evaluated before it anyway. The build
 * of the processes that tests start puts a script into a function after the imports that it finds at the top.
 */
export const importsFirst = (code: string): string =>
  code.replace(/^(import [^;]*;\n)(__enter\(\);\n)((?:import [^;]*;\n)+)/, '$1$3$2');

/** Compiles a source to JavaScript, so that a process that loads the copy has nothing to compile. */
async function compile(file: string, source: string): Promise<string> {
  const { code } = await transform(source, {
    loader: file.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    format: 'esm',
    target: 'node20',
    sourcefile: file,
  });
  return (DOCBLOCK.exec(source)?.[0] ?? '') + importsFirst(code);
}

function write(path: string, content: Buffer | string): void {
  const bytes = Buffer.from(content);
  const known = statSync(path, { throwIfNoEntry: false });
  if (known?.size === bytes.length && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

/** The content of a file in the copy. */
async function copiedContent(root: string, file: string, mutants: Mutant[] = []): Promise<Buffer | string> {
  const content = readFileSync(join(root, file));
  if (!/\.tsx?$/.test(file) || file.endsWith('.d.ts')) return content;
  // A test file is loaded afresh for each run; everything else is loaded once.
  if (file.endsWith('.test.ts')) return compile(file, content.toString());
  const switchFile = relative(dirname(file), SWITCH);
  const from = switchFile.startsWith('.') ? switchFile : `./${switchFile}`;
  return compile(file, instrument(content.toString(), mutants, from));
}

/**
 * Updates the copy of the checkout, which contains every mutant of every room behind its switch.
 * @returns the copy's path
 */
export async function makeCopy(project: Project, mutants: Map<string, Mutant[]>): Promise<string> {
  const copy = join(project.cache, 'checkout');
  mkdirSync(copy, { recursive: true });
  const files = listFiles(project.root);
  const added: string[] = Object.values(EXTRA_FILES);
  for (const gone of listFiles(copy).filter((file) => !added.includes(file) && !files.includes(file)))
    unlinkSync(join(copy, gone));
  await Promise.all(
    files.map(async (file) => write(join(copy, file), await copiedContent(project.root, file, mutants.get(file)))),
  );
  for (const file of added) write(join(copy, file), readFileSync(fileURLToPath(new URL(file, import.meta.url))));
  const packages = join(copy, 'node_modules');
  rmSync(packages, { force: true });
  symlinkSync(resolve('node_modules'), packages);
  return copy;
}
