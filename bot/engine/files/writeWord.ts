import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  Header,
  HeadingLevel,
  LevelFormat,
  Packer,
  PageNumber,
  PageOrientation,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableLayoutType,
  TableOfContents,
  TableRow,
  TextRun,
  VerticalAlign,
  WidthType,
} from 'docx';
import type { WordBlock, WordCell, WordDocument, WordRun, WordTable } from './wordDocument.ts';

/** A4 and its margins in twentieths of a point. */
const PAGE = { width: 11_906, height: 16_838 };
const MARGIN = 1134;
const FONT = 'Arial';
const INK = '1F2933';
const ACCENT = '0B5D5B';
const HEAD_FILL = 'E3EFEE';
const GAP_FILL = 'FFF2A8';
const RULE = { style: BorderStyle.SINGLE, size: 4, color: 'B8C4CE' };
const BULLETS = 'bullets';
/** Half-points. */
const TABLE_SIZE = 17;

/** Characters that XML does not allow, which would make the file unreadable. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const clean = (text: string): string => text.toWellFormed().replace(NOT_IN_XML, '');

const textOf = (run: WordRun): string => (typeof run === 'string' ? run : run.text);

function makeRuns(runs: readonly WordRun[], more: { size?: number; bold?: boolean } = {}): TextRun[] {
  return runs.flatMap((run) => {
    const { text, bold = false, gap = false } = typeof run === 'string' ? { text: run } : run;
    return clean(text)
      .split(/\r\n|[\n\r]/)
      .map(
        (line, at) =>
          new TextRun({
            text: line,
            ...more,
            // Marking a run as not bold would override the weight of a heading's style.
            ...(bold || more.bold === true ? { bold: true } : {}),
            ...(at > 0 ? { break: 1 } : {}),
            ...(gap ? { shading: { type: ShadingType.CLEAR, fill: GAP_FILL, color: 'auto' } } : {}),
          }),
      );
  });
}

function makeCell(cell: WordCell, width: number, isHead: boolean): TableCell {
  const { lines, fill, isCentred = false } = typeof cell === 'string' ? { lines: [[cell]] } : cell;
  const shade = fill ?? (isHead ? HEAD_FILL : undefined);
  return new TableCell({
    width: { size: width, type: WidthType.DXA },
    verticalAlign: isCentred ? VerticalAlign.CENTER : VerticalAlign.TOP,
    ...(shade ? { shading: { type: ShadingType.CLEAR, fill: shade, color: 'auto' } } : {}),
    children: (lines.length > 0 ? lines : [['']]).map(
      (runs, at) =>
        new Paragraph({
          spacing: { before: 30, after: 30, line: 240 },
          ...(isCentred ? { alignment: AlignmentType.CENTER } : {}),
          children: makeRuns(runs, { size: TABLE_SIZE, bold: isHead && at === 0 }),
        }),
    ),
  });
}

/** The characters of a row that is kept on one page; a longer one may be higher than a page. */
const MAX_KEPT_CHARACTERS = 1500;
const charactersOf = (row: readonly WordCell[]): number =>
  row.reduce(
    (sum, cell) => sum + (typeof cell === 'string' ? cell : cell.lines.flat().map(textOf).join('\n')).length,
    0,
  );

function makeTable({ caption, head, rows, widths, hasRowHeads = false, share = 1 }: WordTable, page: number) {
  const across = page * share;
  const all = widths.reduce((sum, width) => sum + width, 0);
  const columns = widths.map((width) => Math.floor((width / all) * across));
  const cells = (row: readonly WordCell[], isHead: boolean) =>
    row.map((cell, at) => makeCell(cell, columns[at] ?? 0, isHead || (hasRowHeads && at === 0)));
  return [
    new Paragraph({ style: 'Caption', keepNext: true, children: makeRuns([caption]) }),
    new Table({
      width: { size: columns.reduce((sum, width) => sum + width, 0), type: WidthType.DXA },
      columnWidths: columns,
      layout: TableLayoutType.FIXED,
      margins: { left: 85, right: 85, top: 20, bottom: 20, marginUnitType: WidthType.DXA },
      borders: { top: RULE, bottom: RULE, left: RULE, right: RULE, insideHorizontal: RULE, insideVertical: RULE },
      rows: [
        new TableRow({ tableHeader: true, cantSplit: true, children: cells(head, true) }),
        ...rows.map(
          (row) => new TableRow({ cantSplit: charactersOf(row) <= MAX_KEPT_CHARACTERS, children: cells(row, false) }),
        ),
      ],
    }),
    new Paragraph({ spacing: { before: 0, after: 120 }, children: [] }),
  ];
}

function makeBlock(block: WordBlock, across: number): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'heading':
      return [
        new Paragraph({
          heading: block.level === 1 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2,
          children: makeRuns([block.text]),
        }),
      ];
    case 'text':
      return [new Paragraph({ children: makeRuns(block.runs) })];
    case 'list':
      return block.items.map(
        (runs) => new Paragraph({ numbering: { reference: BULLETS, level: 0 }, children: makeRuns(runs) }),
      );
    case 'table':
      return makeTable(block, across);
  }
}

const makeCover = ({ title, subtitle, state, cover }: WordDocument, across: number): (Paragraph | Table)[] => [
  new Paragraph({ style: 'Title', children: makeRuns([title]) }),
  new Paragraph({ style: 'Subtitle', children: makeRuns([subtitle]) }),
  new Paragraph({ spacing: { after: 240 }, children: makeRuns([state], { size: 28, bold: true }) }),
  ...makeTable(
    {
      kind: 'table',
      caption: 'About this document',
      head: ['Item', 'Value'],
      rows: cover.map(({ label, runs }) => [label, { lines: [runs] }]),
      widths: [3, 7],
      hasRowHeads: true,
    },
    across,
  ),
];

/** Writes a document as .docx: headings, a table of contents, repeated table heads, and page numbers. */
export async function writeWord(document: WordDocument): Promise<Uint8Array> {
  const { title, state, footer, author, parts } = document;
  const acrossOf = (isLandscape: boolean) => (isLandscape ? PAGE.height : PAGE.width) - 2 * MARGIN;
  const small = (children: (string | (typeof PageNumber)[keyof typeof PageNumber])[]) =>
    new TextRun({ size: 16, color: '52606D', children });
  const edge = {
    headers: {
      default: new Header({ children: [new Paragraph({ children: [small([clean(`${title} · ${state}`)])] })] }),
    },
    footers: {
      default: new Footer({
        children: [
          new Paragraph({ spacing: { after: 0 }, children: [small([clean(footer)])] }),
          new Paragraph({ children: [small(['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES])] }),
        ],
      }),
    },
  };
  const heading = (size: number, before: number) => ({
    run: { size, bold: true, color: ACCENT, font: FONT },
    paragraph: { spacing: { before, after: 120 }, keepNext: true },
  });
  const file = new Document({
    title: clean(title),
    creator: clean(author),
    lastModifiedBy: clean(author),
    description: clean(state),
    styles: {
      default: {
        document: {
          run: { font: FONT, size: 21, color: INK, language: { value: 'en-GB' } },
          paragraph: { spacing: { after: 120, line: 276 } },
        },
        title: { run: { size: 52, bold: true, color: ACCENT, font: FONT }, paragraph: { spacing: { after: 80 } } },
        heading1: heading(30, 360),
        heading2: heading(24, 240),
      },
      paragraphStyles: [
        {
          id: 'Subtitle',
          name: 'Subtitle',
          basedOn: 'Normal',
          run: { size: 28, color: '52606D' },
          paragraph: { spacing: { after: 200 } },
        },
        {
          id: 'Caption',
          name: 'caption',
          basedOn: 'Normal',
          run: { size: 18, bold: true, color: '52606D' },
          paragraph: { spacing: { before: 160, after: 60 } },
        },
      ],
    },
    numbering: {
      config: [
        {
          reference: BULLETS,
          levels: [
            {
              level: 0,
              format: LevelFormat.BULLET,
              text: '•',
              alignment: AlignmentType.LEFT,
              style: { paragraph: { indent: { left: 425, hanging: 283 }, spacing: { after: 60 } } },
            },
          ],
        },
      ],
    },
    sections: parts.map(({ isLandscape, blocks }, at) => ({
      properties: {
        page: {
          size: {
            ...PAGE,
            orientation: isLandscape ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT,
          },
          margin: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
        },
      },
      ...edge,
      children: [
        ...(at === 0
          ? [
              ...makeCover(document, acrossOf(isLandscape)),
              new Paragraph({ style: 'Subtitle', pageBreakBefore: true, children: makeRuns(['Contents']) }),
              // Otherwise Word asks whether to update the fields when it opens the document.
              new TableOfContents('Contents', { hyperlink: true, headingStyleRange: '1-2', beginDirty: false }),
              new Paragraph({ pageBreakBefore: true, spacing: { after: 0, line: 20 }, children: [] }),
            ]
          : []),
        ...blocks.flatMap((block) => makeBlock(block, acrossOf(isLandscape))),
      ],
    })),
  });
  return new Uint8Array(await Packer.toArrayBuffer(file));
}
