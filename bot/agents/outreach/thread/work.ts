import { FileError } from '../../../engine/files/fileError.ts';
import type { Draft } from '../drafts/composeDrafts.ts';
import { writeCsv, writeWorkbook } from '../files/exportDrafts.ts';
import { type Columns, findColumns, type LeftOut, type Prospect, readList } from '../list/readList.ts';
import { readTables, type Table } from '../list/readTable.ts';
import { makeOptOutCheck, type OptOut } from '../optOuts/address.ts';
import { isOptOutName, optOutsIn } from '../optOuts/readOptOuts.ts';

type File = { name: string; bytes: Uint8Array };

/** What is asked of a thread: to read a list, or to write approved drafts. */
export type Request =
  | {
      job: 'read';
      list: File;
      /** Documents with opt-outs. */
      optOutFiles: File[];
      /** Opt-outs that the company gave before. */
      kept: OptOut[];
      /** The heading of the column with the addresses, where a person chose it. */
      addressColumn: string | null;
    }
  | {
      job: 'export';
      drafts: Draft[];
      leftOut: { row: number; reason: string }[];
      sourceName: string;
      day: string;
    };

/** What a list holds. `prospects` are null where no column holds addresses. */
export type ListOutput = {
  headings: string[];
  columns: Columns;
  prospects: Prospect[] | null;
  leftOut: LeftOut[];
  /** Opt-outs in the list and in the documents. */
  optOuts: OptOut[];
};
export type ExportOutput = { workbook: Uint8Array; csv: string };

async function optOutsOf({ name, bytes }: File): Promise<OptOut[]> {
  if (!/\.(?:csv|txt|md|xls[xm])$/i.test(name))
    throw new FileError(
      'opt_outs_unread',
      `The opt-outs in ${name} can’t be read, and without them nothing is drafted. Save them as .csv, .xlsx or .txt.`,
    );
  return (await readTables(name, bytes)).flatMap(({ rows }) => optOutsIn(rows));
}

/** The table with the people: the first that has a head and a row, and no name of opt-outs. */
const listOf = (tables: readonly Table[]): Table | undefined =>
  tables.find(({ name, rows }) => rows.length > 1 && (tables.length === 1 || !isOptOutName(name)));

async function read({
  list,
  optOutFiles,
  kept,
  addressColumn,
}: Extract<Request, { job: 'read' }>): Promise<ListOutput> {
  const tables = await readTables(list.name, list.bytes);
  const table = listOf(tables);
  if (!table) throw new FileError('empty', 'The list has no row below its head.');
  const given = [
    ...tables.filter(({ name }) => tables.length > 1 && isOptOutName(name)).flatMap(({ rows }) => optOutsIn(rows)),
    ...(await Promise.all(optOutFiles.map(optOutsOf))).flat(),
  ];
  const headings = (table.rows[0] ?? []).map((heading, at) => heading || `Column ${at + 1}`);
  const columns = findColumns(table.rows);
  if (addressColumn !== null) columns.email = headings.indexOf(addressColumn);
  if (columns.email === undefined || columns.email === -1)
    return { headings, columns, prospects: null, leftOut: [], optOuts: given };
  const found = readList(table.rows, columns, makeOptOutCheck([...kept, ...given]));
  return { ...found, headings, optOuts: [...given, ...found.optOuts] };
}

/** Does one job. @throws FileError for a list or opt-outs that can't be read */
export async function work(request: Request): Promise<ListOutput | ExportOutput> {
  if (request.job === 'read') return read(request);
  return { workbook: await writeWorkbook(request), csv: writeCsv(request.drafts) };
}
