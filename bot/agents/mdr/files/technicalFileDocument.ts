import {
  AlignmentType,
  Document,
  Footer,
  Header,
  HeadingLevel,
  Packer,
  PageNumber,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { plainText } from '../../../engine/files/plainText.ts';
import { FACTS, labelOf, shownValue } from '../facts/facts.ts';
import { EDITIONS, TO_CHECK } from '../rules/editions.ts';
import { countToWrite } from '../technicalFile/compose.ts';
import type { FileContent } from '../technicalFile/content.ts';
import type { Piece, Section } from '../technicalFile/section.ts';

const MARK = 'To be written';

const paragraphOf = (words: string, more: object = {}) =>
  new Paragraph({ text: plainText(words), spacing: { after: 100 }, ...more });

/** What only a person can write is marked, so that it is seen and can be searched for. */
const marked = (what: string) =>
  new Paragraph({
    spacing: { after: 100 },
    children: [
      new TextRun({
        text: `[${MARK}: ${plainText(what)}]`,
        shading: { type: ShadingType.CLEAR, fill: 'FFF2CC', color: 'auto' },
      }),
    ],
  });

function drawPiece(piece: Piece): Paragraph[] {
  switch (piece.kind) {
    case 'text':
      return [paragraphOf(piece.text)];
    case 'fact':
      return [
        new Paragraph({
          spacing: { after: 100 },
          children: [new TextRun({ text: `${piece.label}: `, bold: true }), new TextRun(plainText(piece.text))],
        }),
      ];
    case 'list':
      return piece.items.map((item) => paragraphOf(item, { bullet: { level: 0 }, spacing: { after: 40 } }));
    case 'toWrite':
      return [marked(piece.what)];
  }
}

const drawSection = ({ number, title, level, pieces }: Section): Paragraph[] => [
  new Paragraph({
    text: `${number} ${title}`,
    heading: level === 1 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2,
    keepNext: true,
    spacing: { before: level === 1 ? 360 : 200, after: 100 },
  }),
  ...pieces.flatMap(drawPiece),
];

const TABLE_WIDTH = 9000;

function drawTable(rows: readonly (readonly [string, string])[]): Table {
  const cell = (words: string, width: number, isHead: boolean) =>
    new TableCell({
      width: { size: width, type: WidthType.DXA },
      margins: { top: 60, bottom: 60, left: 100, right: 100 },
      ...(isHead ? { shading: { type: ShadingType.CLEAR, fill: 'E8EEF4', color: 'auto' } } : {}),
      children: plainText(words)
        .split('\n')
        .map((line) => new Paragraph({ children: [new TextRun({ text: line, bold: isHead })] })),
    });
  return new Table({
    width: { size: TABLE_WIDTH, type: WidthType.DXA },
    columnWidths: [2800, TABLE_WIDTH - 2800],
    rows: rows.map(
      ([head, words]) =>
        new TableRow({ cantSplit: true, children: [cell(head, 2800, true), cell(words, TABLE_WIDTH - 2800, false)] }),
    ),
  });
}

function drawFront({ facts }: FileContent, sections: readonly Section[], day: string): (Paragraph | Table)[] {
  const name = shownValue(facts, 'name') ?? 'Product';
  return [
    new Paragraph({ text: 'Technical documentation', heading: HeadingLevel.TITLE, spacing: { after: 80 } }),
    new Paragraph({ text: plainText(name), heading: HeadingLevel.HEADING_1, spacing: { after: 200 } }),
    drawTable([
      ['Status', `Draft of ${day}, made by Arc by rules from the facts below. ${TO_CHECK}`],
      ['Structure', `Annex II and III of ${EDITIONS.mdr}`],
      ['To be written', `${countToWrite(sections)} passages are marked “${MARK}”: only a person can write them.`],
      ['Not applied', `${EDITIONS.proposal} ${EDITIONS.ukPlans}`],
      ['Prepared by', ''],
      ['Reviewed by, on', ''],
      ['Approved by, on', ''],
    ]),
    new Paragraph({
      text: 'Facts that this draft rests on',
      heading: HeadingLevel.HEADING_1,
      spacing: { before: 360, after: 100 },
    }),
    drawTable(
      FACTS.filter((fact) => facts[fact]).map((fact) => [labelOf(fact), shownValue(facts, fact) ?? ''] as const),
    ),
  ];
}

/** Writes Annex II and III as a Word document: what is known, and marked passages for what only a person can write. */
export async function writeTechnicalFile(
  content: FileContent,
  sections: readonly Section[],
  day: string,
): Promise<Buffer> {
  const name = plainText(shownValue(content.facts, 'name') ?? 'Product');
  const document = new Document({
    title: `Technical documentation: ${name}`,
    creator: 'Arc',
    description: 'A draft, to be reviewed',
    styles: {
      default: {
        document: { run: { font: 'Calibri', size: 22 } },
        title: { run: { font: 'Calibri', size: 44, bold: true, color: '1F4E79' } },
        heading1: { run: { font: 'Calibri', size: 30, bold: true, color: '1F4E79' } },
        heading2: { run: { font: 'Calibri', size: 24, bold: true, color: '1F2A37' } },
      },
    },
    sections: [
      {
        headers: {
          default: new Header({
            children: [
              new Paragraph({
                children: [new TextRun({ text: `${name}: technical documentation, draft`, size: 18, color: '5B6773' })],
              }),
            ],
          }),
        },
        footers: {
          default: new Footer({
            children: [
              new Paragraph({
                alignment: AlignmentType.RIGHT,
                children: [
                  new TextRun({
                    children: ['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES],
                    size: 18,
                    color: '5B6773',
                  }),
                ],
              }),
            ],
          }),
        },
        children: [...drawFront(content, sections, day), ...sections.flatMap(drawSection)],
      },
    ],
  });
  return await Packer.toBuffer(document);
}
