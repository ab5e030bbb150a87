import { csvText } from '../../../engine/files/csvText.ts';
import { addTextSheet } from '../../../engine/files/textSheet.ts';
import { DAYS, type Draft } from '../drafts/composeDrafts.ts';
import type { LeftOut } from '../list/readList.ts';

const STEPS = ['first', 'second', 'third'] as const;
const HEAD = ['Address', 'Name', 'Company', 'Mail', 'Day', 'Subject', 'Text'];

/** A row for each mail: whoever sends them needs the address, the day and the text. */
const rowsOf = (drafts: readonly Draft[]): string[][] =>
  drafts.flatMap((draft) =>
    STEPS.map((step, at) => [
      draft.address,
      draft.name,
      draft.company,
      String(at + 1),
      String(DAYS[step]),
      at === 0 ? draft.subject : `Following up: ${draft.subject}`,
      draft[step],
    ]),
  );

/** The approved drafts as CSV. */
export const writeCsv = (drafts: readonly Draft[]): string => csvText([HEAD, ...rowsOf(drafts)]);

type Book = {
  drafts: readonly Draft[];
  leftOut: readonly { row: number; reason: string }[];
  sourceName: string;
  day: string;
};

/** The approved drafts as a workbook, with the rows that got none: their numbers and the reason, and no name. */
export async function writeWorkbook({ drafts, leftOut, sourceName, day }: Book): Promise<Uint8Array> {
  // It takes long to load, and a thread that only reads a list needs none of it.
  const { Workbook } = (await import('exceljs')).default;
  const book = new Workbook();
  addTextSheet(
    book,
    'About',
    [
      { header: 'About this workbook', width: 30 },
      { header: '', width: 100 },
    ],
    [
      ['Made of', `${sourceName}, on ${day}, by rules and without a language model`],
      ['People', String(drafts.length)],
      ['Sent', 'Nothing. Arc writes drafts and sends no mail to anybody on a list.'],
      ['Opt-outs', 'Who opted out is in no draft. Check again right before you send: an opt-out may have come since.'],
      [
        'Whether you may write',
        'Arc does not know. People and partnerships need to have agreed (PECR, SI 2003/2426, regulation 22, as amended), and anybody may object to direct marketing at any time (UK GDPR, Article 21). Claims in the offer were not checked.',
      ],
    ],
  );
  addTextSheet(
    book,
    'Drafts',
    [30, 22, 26, 7, 7, 34, 90].map((width, at) => ({ header: HEAD[at] ?? '', width })),
    rowsOf(drafts),
    2,
  );
  addTextSheet(
    book,
    'Left out',
    [
      { header: 'Row of the list', width: 16 },
      { header: 'Why', width: 60 },
    ],
    leftOut.map(({ row, reason }) => [String(row), reason]),
  );
  return new Uint8Array(await book.xlsx.writeBuffer());
}

/** The reasons in words. */
export const REASONS: Record<LeftOut['reason'], string> = {
  'opted out': 'opted out',
  'no address': 'no address in the list',
  'not an address': 'what stands there is not an address',
  twice: 'the same person stands further up',
};
