/** So many rows of a kind are looked at, the newest. */
const MOST_ROWS = 2000;

/** Rows, and what an answer about them has to say where there are more. */
type Newest<Row> = { rows: Row[]; remark: string | null };

/**
 * The newest rows of a kind.
 * @param read gives at most so many, the newest first
 * @param count how many there are in all
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
