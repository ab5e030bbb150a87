/** At most this many rows of a kind are read, newest first. */
const MOST_ROWS = 2000;

/** Rows, and the sentence for an answer that leaves out older ones. */
type Newest<Row> = { rows: Row[]; remark: string | null };

/**
 * The newest rows of a kind.
 * @param read reads at most the given number, newest first
 * @param count counts all
 * @param many "runs"
 */
export async function readNewest<Row>(
  read: (limit: number) => Promise<Row[]>,
  count: () => Promise<number>,
  many: string,
): Promise<Newest<Row>> {
  const rows = await read(MOST_ROWS);
  const total = rows.length < MOST_ROWS ? rows.length : await count();
  const said = (number: number) => number.toLocaleString('en-GB');
  const remark = total > rows.length ? `I looked at the newest ${said(MOST_ROWS)} of ${said(total)} ${many}.` : null;
  return { rows, remark };
}
