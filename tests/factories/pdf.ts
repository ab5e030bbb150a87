import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Number of pages of a PDF whose page objects are not compressed. */
export const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page(?![a-z])/g)?.length ?? 0;

/** The text of a PDF page by page; null where this machine has no pdftotext (poppler-utils). */
export function textOf(pdf: Buffer): string[] | null {
  const folder = mkdtempSync(join(tmpdir(), 'arc-pdf-'));
  try {
    const file = join(folder, 'printed.pdf');
    writeFileSync(file, pdf);
    return execFileSync('pdftotext', ['-layout', file, '-']).toString().split('\f').slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
