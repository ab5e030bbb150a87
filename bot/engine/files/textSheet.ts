import type ExcelJS from 'exceljs';
import { plainText } from './plainText.ts';

/** A column of a sheet of texts; the width is Excel's, in characters. */
export type TextColumn = { header: string; width: number };

export const LINE_POINTS = 15;
/** A font given to a row replaces the whole default one. */
export const SHEET_FONT = { name: 'Calibri', size: 11, family: 2 } as const;
const HEAD_COLOUR = 'FF1F4E79';
/** Excel takes 32,767 characters in a cell. */
const MAX_CELL = 32_000;

/** A solid fill. @param argb e.g. `FFFFFFFF` */
export const fillWith = (argb: string): ExcelJS.Fill => ({ type: 'pattern', pattern: 'solid', fgColor: { argb } });

/** The height of a row in which every text is seen whole: not every program works it out from wrapped cells. */
function heightOf(texts: readonly string[], columns: readonly TextColumn[]): number {
  const lines = texts.map((text, at) =>
    text
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / ((columns[at]?.width ?? 10) * 0.95))), 0),
  );
  return Math.min(400, Math.max(1, ...lines) * LINE_POINTS);
}

/**
 * Adds a sheet of texts that prints on landscape pages: a frozen head that is repeated on each page, wrapped cells,
 * rows as high as their texts. Texts are written as texts, never as formulas.
 * @param keepColumns number of columns that stay in view
 */
export function addTextSheet(
  book: ExcelJS.Workbook,
  name: string,
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  keepColumns = 0,
): ExcelJS.Worksheet {
  const sheet = book.addWorksheet(name, {
    views: [{ state: 'frozen', xSplit: keepColumns, ySplit: 1 }],
    pageSetup: {
      orientation: 'landscape',
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
      paperSize: 9,
      showGridLines: true,
    },
  });
  sheet.pageSetup.printTitlesRow = '1:1';
  sheet.columns = columns.map(({ header, width }) => ({ header, width }));
  const head = sheet.getRow(1);
  head.font = { ...SHEET_FONT, bold: true, color: { argb: 'FFFFFFFF' } };
  head.alignment = { vertical: 'middle', wrapText: true };
  head.height = 2 * LINE_POINTS;
  head.eachCell((cell) => {
    cell.fill = fillWith(HEAD_COLOUR);
  });
  for (const row of rows) {
    const texts = row.map((text) => plainText(text).slice(0, MAX_CELL));
    const added = sheet.addRow(texts);
    added.alignment = { vertical: 'top', wrapText: true };
    added.height = heightOf(texts, columns);
  }
  return sheet;
}
