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
import { instrument } from './instrument.ts';
import { findMutants, type Mutant } from './mutants.ts';
import type { Project } from './project.ts';

const SWITCH = 'switch.mjs';
/** Folders of a checkout that are made, not written. */
const MADE = /^(node_modules|dist|shots|test-results|playwright-report|\..*)$/;

/** Every file of a checkout, as paths from its root. */
export function filesOf(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return MADE.test(entry.name) ? [] : filesOf(root, path);
    return entry.isFile() ? [path] : [];
  });
}

/** The mutants of every room, by file. */
export function findAll({ root, rooms }: Project, files = filesOf(root)): Map<string, Mutant[]> {
  const named = files.filter((file) => file.endsWith('.ts') && Object.values(rooms).some((of) => of.test(file)));
  return new Map(named.map((file) => [file, findMutants(file, readFileSync(join(root, file), 'utf8'))]));
}

function write(path: string, content: Buffer | string): void {
  const bytes = Buffer.from(content);
  const known = statSync(path, { throwIfNoEntry: false });
  if (known?.size === bytes.length && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

/**
 * Brings the copy of the checkout up to date, with every mutant of every room in it behind its switch.
 * @returns where the copy stands
 */
export function makeCopy(project: Project, mutants: Map<string, Mutant[]>): string {
  const copy = join(project.cache, 'checkout');
  mkdirSync(copy, { recursive: true });
  const files = filesOf(project.root);
  for (const gone of filesOf(copy).filter((file) => file !== SWITCH && !files.includes(file)))
    unlinkSync(join(copy, gone));
  for (const file of files) {
    const content = readFileSync(join(project.root, file));
    const own = mutants.get(file);
    const switchFile = relative(dirname(file), SWITCH);
    write(
      join(copy, file),
      own ? instrument(content.toString(), own, switchFile.startsWith('.') ? switchFile : `./${switchFile}`) : content,
    );
  }
  write(join(copy, SWITCH), readFileSync(fileURLToPath(new URL(SWITCH, import.meta.url))));
  const packages = join(copy, 'node_modules');
  rmSync(packages, { force: true });
  symlinkSync(resolve('node_modules'), packages);
  return copy;
}
