import ExcelJS from 'exceljs';

type Sheet = { name: string; rows: string[][]; state?: 'hidden' };

/** The bytes of a workbook with these sheets. */
export async function workbookOf(sheets: readonly Sheet[]): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  for (const { name, rows, state = 'visible' } of sheets) book.addWorksheet(name, { state }).addRows(rows);
  return Buffer.from(await book.xlsx.writeBuffer());
}
