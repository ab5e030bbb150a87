import type { Judged } from './judge.ts';

/** One room's row in docs/mutation.md. */
export type Row = {
  room: string;
  files: number;
  mutants: number;
  tried: number;
  noticed: number;
  equivalent: number;
  /** Whether none of its mutants was tried before, so that no test was written for any. */
  isUnseen: boolean;
};

const HEAD = `# What the suite notices

Written by \`npm run mutate\`: it inserts one fault (a mutant) after the other into a room of the product, and runs the
tests that reach it. A mutant is noticed if a test fails or hangs, or if its process ends. The score is the share of
noticed mutants, without those that a reader found equivalent (\`tests/mutation/equivalent.ts\`). An unseen sample has
only mutants that were never tried before, so no test was written for them. A room that was tried with its nearest tests
alone would score the same or higher with all of them. Design: decisions/018-mutation-driver.md.

| room | files | mutants | tried | noticed | equivalent | score | sample |
|---|--:|--:|--:|--:|--:|--:|---|
`;

export const scoreOf = ({ noticed, tried, equivalent }: Pick<Row, 'noticed' | 'tried' | 'equivalent'>): string =>
  tried > equivalent ? `${((100 * noticed) / (tried - equivalent)).toFixed(0)} %` : '–';

/** A room's row, from the results of its mutants. */
export function rowOf(room: string, files: number, mutants: number, judged: Judged[]): Row {
  const count = (name: string) => judged.filter(({ outcome }) => outcome.outcome === name).length;
  return {
    room,
    files,
    mutants,
    tried: judged.length,
    noticed: count('noticed'),
    equivalent: count('equivalent'),
    isUnseen: judged.every(({ isSeen }) => !isSeen),
  };
}

export function readRows(page: string): Row[] {
  return [...page.matchAll(/^\| (\w+) \|((?: \d+ \|){5}) [^|]+ \| (\S+) \|$/gm)].map(
    ([, room = '', numbers = '', sample = '']) => {
      const [files = 0, mutants = 0, tried = 0, noticed = 0, equivalent = 0] = numbers.match(/\d+/g)!.map(Number);
      return { room, files, mutants, tried, noticed, equivalent, isUnseen: sample === 'unseen' };
    },
  );
}

/** The page, with these rows replacing those of the same rooms. */
export function writePage(page: string, rows: Row[], order: string[]): string {
  const all = new Map([...readRows(page), ...rows].map((row) => [row.room, row]));
  const sorted = order.flatMap((room) => all.get(room) ?? []);
  const lines = sorted.map(
    (row) =>
      `| ${row.room} | ${row.files} | ${row.mutants} | ${row.tried} | ${row.noticed} | ${row.equivalent} | ${scoreOf(row)} | ${row.isUnseen ? 'unseen' : 'seen'} |`,
  );
  return `${HEAD}${lines.join('\n')}\n`;
}
