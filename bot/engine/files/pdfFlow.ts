import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { makePrintable } from './pdfText.ts';
import type { WordCell, WordRun, WordTable } from './wordDocument.ts';

const FONTS = {
  plain: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  mono: 'dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf',
};
type Font = keyof typeof FONTS;

/** Colours of the product's light theme, as CSS. */
const INK = '#1f1d1a';
const SOFT = '#645e56';
const LINE = '#dedad3';
/** Margins, gaps and widths in points. */
const MARGIN = { top: 44, bottom: 52, left: 42, right: 42 };
const LABEL_WIDTH = 104;
const GAP = 10;
/** A heading or a record's title stays together with at least this height of what follows. */
const KEPT_TOGETHER = 64;

/** A label with a text or a list, and with a digest below it. */
type Field = readonly [label: string, value: string | readonly string[] | null | undefined, digest?: string];
type Style = { font?: Font; size?: number; color?: string };

/**
 * Opens a PDF, which is written from top to bottom on A4.
 * @param given `foot` stands at the foot of every page, beside the page's number; `madeAt` is the document's date
 */
export function openPdf({ title, foot, madeAt }: { title: string; foot: string; madeAt: Date }) {
  const require = createRequire(import.meta.url);
  const doc = new PDFDocument({
    size: 'A4',
    margins: MARGIN,
    bufferPages: true,
    lang: 'en-GB',
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: title, Producer: 'Arc', Creator: 'Arc', CreationDate: madeAt, ModDate: madeAt },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const [name, path] of Object.entries(FONTS)) doc.registerFont(name, require.resolve(path));
  doc.font('plain');
  // Its types leave the font program out.
  const { font } = (doc as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })._font;
  const printable = makePrintable((code) => font.hasGlyphForCodePoint(code));
  const width = doc.page.width - MARGIN.left - MARGIN.right;
  const bottom = doc.page.height - MARGIN.bottom;
  doc.y = MARGIN.top;

  const style = ({ font: name = 'plain', size = 9, color = INK }: Style) =>
    doc.font(name).fontSize(size).fillColor(color);
  const write = (text: string, x: number, y: number, within: number, of: Style = {}, align?: 'right' | 'center') => {
    style(of).text(printable(text), x, y, { width: within, lineGap: 1.5, ...(align ? { align } : {}) });
  };
  const heightOf = (text: string, within: number, of: Style = {}) =>
    style(of).heightOfString(printable(text), { width: within, lineGap: 1.5 });
  /** Starts a new page unless this height is left. */
  const keep = (height: number) => {
    if (doc.y + height > bottom) doc.addPage();
  };
  const rule = (y: number) => {
    doc
      .moveTo(MARGIN.left, y)
      .lineTo(MARGIN.left + width, y)
      .lineWidth(0.5)
      .stroke(LINE);
  };

  function heading(text: string, level: 1 | 2, count?: number): void {
    keep(KEPT_TOGETHER);
    const size = level === 1 ? 17 : 13;
    if (level === 2) {
      doc.y += 14;
      doc.outline.addItem(printable(text));
    }
    const shown = count === undefined ? text : `${text}  ${count.toLocaleString('en-GB')}`;
    write(shown, MARGIN.left, doc.y, width, { font: 'bold', size });
    doc.y += 4;
  }

  function paragraph(text: string): void {
    write(text, MARGIN.left, doc.y, width, { color: SOFT });
    doc.y += 2;
  }

  function field([label, value, digest]: Field): void {
    const x = MARGIN.left + LABEL_WIDTH + GAP;
    const within = width - LABEL_WIDTH - GAP;
    const lines = typeof value === 'string' ? [value] : (value ?? []);
    keep(14);
    const top = doc.y;
    write(label, MARGIN.left, top, LABEL_WIDTH, { color: SOFT, size: 8.5 });
    const [labelEnd, page] = [doc.y, doc.bufferedPageRange().count];
    doc.y = top;
    const isList = typeof value !== 'string';
    for (const line of lines) {
      keep(12);
      const y = doc.y;
      if (isList) write('•', x, y, 8);
      const inset = isList ? 9 : 0;
      write(line, x + inset, y, within - inset);
    }
    if (digest) write(`SHA-256 ${digest}`, x, doc.y, within, { font: 'mono', size: 7, color: SOFT });
    // A label of several lines can end below a short value.
    if (doc.bufferedPageRange().count === page) doc.y = Math.max(doc.y, labelEnd);
    doc.y += 2;
  }

  return {
    heading,
    paragraph,
    fields: (all: readonly Field[]) => all.forEach(field),

    list(lines: readonly string[]): void {
      for (const line of lines) {
        keep(12);
        write(line, MARGIN.left, doc.y, width, { size: 8.5 });
      }
    },

    /** Large numbers with their labels, side by side. */
    figures(all: readonly (readonly [value: string, label: string])[]): void {
      const each = width / Math.max(1, all.length);
      keep(KEPT_TOGETHER);
      const top = doc.y + 4;
      doc.roundedRect(MARGIN.left, top, width, 48, 5).lineWidth(0.5).stroke(LINE);
      for (const [at, [value, label]] of all.entries()) {
        const x = MARGIN.left + at * each;
        write(value, x + GAP, top + 7, each - 2 * GAP, { font: 'bold', size: 15 });
        write(label, x + GAP, top + 29, each - 2 * GAP, { color: SOFT, size: 8.5 });
      }
      doc.y = top + 60;
    },

    /** A title with its code before it and its state at the right, then its fields. */
    record(it: { code: string | null; title: string; state: string | null; fields: readonly Field[] }): void {
      const side = it.state ? Math.min(width / 3, style({ size: 8.5 }).widthOfString(printable(it.state)) + 4) : 0;
      const within = width - side - (side > 0 ? GAP : 0);
      const title = `${it.code === null ? '' : `${it.code}  `}${it.title}`;
      keep(KEPT_TOGETHER);
      doc.y += 6;
      rule(doc.y);
      const top = doc.y + 5;
      write(it.state ?? '', MARGIN.left + width - side, top, side || 1, { size: 8.5, color: SOFT }, 'right');
      const sideEnd = doc.y;
      write(title, MARGIN.left, top, within, { font: 'bold', size: 9.5 });
      doc.y = Math.max(doc.y, sideEnd) + 2;
      it.fields.forEach(field);
    },

    /** A table whose cells may have a background; it stays on one page where it fits one. */
    table({ caption, head, rows, widths }: WordTable): void {
      const sum = widths.reduce((total, one) => total + one, 0);
      const columns = widths.map((one) => (one / sum) * width);
      const styleOf = (row: number, at: number): Style => ({
        size: 7.5,
        font: row === 0 || at === 0 ? 'bold' : 'plain',
      });
      const heightOfRow = (cells: readonly WordCell[], row: number) =>
        Math.max(...cells.map((cell, at) => heightOf(textOf(cell), (columns[at] ?? 0) - 8, styleOf(row, at)))) + 8;
      const all = [head, ...rows];
      const heights = all.map(heightOfRow);
      keep(
        Math.min(
          heights.reduce((total, one) => total + one, 20),
          bottom - MARGIN.top,
        ),
      );
      if (caption) write(caption, MARGIN.left, doc.y, width, { font: 'bold', size: 9 });
      doc.y += 3;
      for (const [row, cells] of all.entries()) {
        const height = heights[row] ?? 0;
        keep(height);
        const top = doc.y;
        let x = MARGIN.left;
        for (const [at, cell] of cells.entries()) {
          const across = columns[at] ?? 0;
          const fill = typeof cell === 'string' ? null : cell.fill;
          doc.rect(x, top, across, height).lineWidth(0.5);
          if (fill) doc.fillAndStroke(`#${fill}`, LINE);
          else doc.stroke(LINE);
          write(textOf(cell), x + 4, top + 4, across - 8, styleOf(row, at));
          x += across;
        }
        doc.y = top + height;
      }
      doc.y += 8;
    },

    /** Writes the foot of every page and ends the document. @returns its bytes */
    async end(): Promise<Buffer> {
      const ended = new Promise<void>((resolve) => doc.on('end', resolve));
      const { count } = doc.bufferedPageRange();
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(page);
        // Text below the margin would begin a new page.
        doc.page.margins.bottom = 0;
        const y = doc.page.height - MARGIN.bottom + 18;
        write(foot, MARGIN.left, y, width - 90, { font: 'mono', size: 6, color: SOFT });
        write(`Page ${page + 1} of ${count}`, MARGIN.left + width - 90, y - 1, 90, { size: 7.5, color: SOFT }, 'right');
      }
      doc.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}

const textOf = (cell: WordCell): string =>
  typeof cell === 'string' ? cell : cell.lines.map((line) => line.map(textOfRun).join('')).join('\n');

const textOfRun = (run: WordRun): string => (typeof run === 'string' ? run : run.text);
