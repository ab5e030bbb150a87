import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NamedFile } from './openWithOpenpyxl.ts';

/** Where Debian's package libreoffice-calc puts it. */
const PROGRAM = '/usr/bin/soffice';

/**
 * Opens workbooks with LibreOffice and saves them again, all in one start.
 * @returns each as LibreOffice saved it, null for one that it could not open; null where it is not installed
 */
export function openWithLibreOffice(files: readonly NamedFile[]): (Uint8Array | null)[] | null {
  if (!existsSync(PROGRAM)) return null;
  const folder = mkdtempSync(join(tmpdir(), 'arc-libreoffice-'));
  try {
    const saved = join(folder, 'saved');
    mkdirSync(saved);
    const paths = files.map(({ name, bytes }, at) => {
      const path = join(folder, `${at}${/\.xls[xm]$/.exec(name)?.[0] ?? '.xlsx'}`);
      writeFileSync(path, bytes);
      return path;
    });
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    execFileSync(PROGRAM, [profile, '--headless', '--convert-to', 'xlsx', '--outdir', saved, ...paths], {
      stdio: 'ignore',
    });
    return files.map((_, at) => {
      const path = join(saved, `${at}.xlsx`);
      return existsSync(path) ? new Uint8Array(readFileSync(path)) : null;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
