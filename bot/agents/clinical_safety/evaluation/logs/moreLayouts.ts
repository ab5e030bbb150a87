import { cellsOf, csvOf, HEAD, inText, type Layout, markdownTable, type Row, wide, workbookOf } from './layouts.ts';
import { NHS_SCALE, PRODUCT_SCALE, type TrueHazard } from './trueLog.ts';
import { type Block, writeDocument } from './writeDocument.ts';

const document = (blocks: readonly Block[]) => ({ bytes: writeDocument(blocks), fileName: 'log.docx' });
const titleOf = ({ id, name }: TrueHazard) => `${id}: ${name}`;
/** Headings and texts of a hazard, without its id and name. */
const fieldsOf = (hazard: TrueHazard): Row[] => {
  const cells = cellsOf(hazard);
  return HEAD.slice(2).map((heading, at) => [heading, cells[at + 2] ?? '']);
};

/** Layouts in Word, in tables that refer to each other, and with text around the log. */
export const MORE_LAYOUTS: readonly Layout[] = [
  {
    name: 'Word table',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      document([
        { heading: 'Hazard log' },
        { paragraph: 'Of the ward app.' },
        { table: wide(hazards) },
        { paragraph: 'End' },
      ]),
  },
  {
    name: 'Word cards',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      document(
        hazards.flatMap((hazard): Block[] => [
          { heading: titleOf(hazard), level: 2 },
          ...fieldsOf(hazard).flatMap(([heading, text]): Block[] =>
            String(text)
              .split('\n')
              .map((line, at) => ({ paragraph: at === 0 ? `${heading}: ${line}` : line })),
          ),
        ]),
      ),
  },
  {
    name: 'Word, a table of fields for each hazard',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      document(
        hazards.flatMap((hazard): Block[] => [
          { heading: titleOf(hazard), level: 2 },
          { table: fieldsOf(hazard) },
          { paragraph: 'Agreed.' },
        ]),
      ),
  },
  {
    name: 'Markdown, a table of fields for each hazard',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      inText(
        hazards
          .map((hazard) => `## ${titleOf(hazard)}\n\n${markdownTable([['Field', 'Entry'], ...fieldsOf(hazard)])}\n`)
          .join('\n'),
        'log.md',
      ),
  },
  {
    name: 'web page with text around its table',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      inText(
        `<html><head><title>Log</title></head><body><h1>Log</h1><p>Cause: see below</p><table>${wide(hazards)
          .map((row) => `<tr>${row.map((cell) => `<td>${String(cell).replaceAll('\n', '<br>')}</td>`).join('')}</tr>`)
          .join('')}</table><p>Agreed by the board.</p></body></html>`,
        'log.html',
      ),
  },
  {
    name: 'controls on a sheet of their own',
    scale: NHS_SCALE,
    isCheckable: true,
    write: (hazards) =>
      workbookOf({
        Hazards: [
          HEAD.map((heading) => (heading === 'Controls' ? 'Control IDs' : heading)),
          ...hazards.map((hazard, at) => cellsOf(hazard).map((cell, column) => (column === 7 ? `C${at + 1}` : cell))),
        ],
        'Risk controls': [
          ['Control ID', 'Description', 'Type'],
          ...hazards.map(({ controls }, at): Row => [`C${at + 1}`, controls, 'Process']),
        ],
      }),
  },
  {
    name: 'P1 and P2 with their total',
    scale: PRODUCT_SCALE,
    isCheckable: true,
    write: (hazards) =>
      csvOf(
        [
          ['ID', 'Hazard', 'Cause', 'Harm', 'S', 'P1', 'P2', 'P1 x P2', 'R', 'Measures'],
          ...hazards.map((hazard) => {
            const [id = '', name = '', causes = '', effect = '', severity = '', likelihood = ''] = cellsOf(hazard);
            return [id, name, causes, effect, severity, likelihood, 1, likelihood, hazard.risk, hazard.controls];
          }),
        ],
        ',',
      ),
  },
];
