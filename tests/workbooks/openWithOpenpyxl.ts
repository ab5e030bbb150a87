import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type NamedFile = { name: string; bytes: Uint8Array };
/** A workbook as a program read it: texts and numbers by sheet and cell. */
export type ReadBook = Record<string, Record<string, string | number>>;

/** Debian's own Python, which its package python3-openpyxl is for. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = `
import json, sys, openpyxl
for path in sys.argv[1:]:
    try:
        book = openpyxl.load_workbook(path)
        sheets = {}
        for sheet in book.worksheets:
            cells = {}
            # Only the cells that there are: a sheet may reach to its last row.
            for cell in sheet._cells.values():
                if isinstance(cell.value, (str, int, float)) and cell.data_type != 'f':
                    cells[cell.coordinate] = cell.value
            sheets[sheet.title] = cells
        print(json.dumps({'sheets': sheets}))
    except Exception as error:
        print(json.dumps({'error': type(error).__name__ + ': ' + str(error)[:300]}))
`;

const isInstalled = () => {
  if (!existsSync(PYTHON)) return false;
  try {
    execFileSync(PYTHON, ['-c', 'import openpyxl'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/**
 * Opens workbooks with openpyxl, all in one start of Python.
 * @returns what it read of each, or its error; null where Debian's package python3-openpyxl is not installed
 */
export function openWithOpenpyxl(files: readonly NamedFile[]): ({ sheets: ReadBook } | { error: string })[] | null {
  if (!isInstalled()) return null;
  const folder = mkdtempSync(join(tmpdir(), 'arc-openpyxl-'));
  try {
    const paths = files.map(({ name, bytes }, at) => {
      const path = join(folder, `${at}${/\.xls[xm]$/.exec(name)?.[0] ?? '.xlsx'}`);
      writeFileSync(path, bytes);
      return path;
    });
    const out = execFileSync(PYTHON, ['-W', 'ignore', '-c', SCRIPT, ...paths], { maxBuffer: 1 << 30 });
    return out
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
