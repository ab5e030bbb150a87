import { allRows, type Row, type Rows, STATES } from './rows.ts';
import type { Tag } from './tags.ts';

export const PAGE_FILE = 'docs/spec-coverage.md';

const INTRODUCTION = `<!-- Written by \`npm run spec-coverage\` from docs/spec-coverage.rows and the tags of the tests. Change those. -->
# What the two specifications ask, and the tests that show it

S1 is the specification of the visitor, onboarding and dashboard area, S2 that of workspace, inbox and admin. A comment that cites “specification 1, section 5” means the rows S1-5 here. Each row has an id. A test that shows a row names it in a comment above itself, \`/** @shows S1-1.1 */\`, and is listed here with its file and title. \`tests/specCoverage.test.ts\` fails when a row has no test, when a tag names no row, when a test with a tag may be skipped, and when this page is not what \`npm run spec-coverage\` writes.

Where the work behind a screen is not built yet, the call answers \`not_available\` (422) in plain words and the screen says so. Such a row is marked “in preparation”; a test beside it shows the refusal. A client's internal error names (‘Failed to create task’, S2 section 8) are not shown to people: they read ‘Task Assignment Failed’ with the server's reason.`;

const PARTS: [heading: keyof Rows, title: string, columns: string[]][] = [
  ['S1', 'S1, section by section', ['id', 'section', 'what', 'where']],
  ['S2', 'S2, section by section', ['id', 'section', 'what', 'where']],
  ['Every page', 'Every page', ['id', 'what', 'where']],
  ['The states of every page', 'The states of every page', ['address', 'page', 'where', ...STATES]],
  ['Every call, together', 'Every call, together', ['id', 'what', 'where']],
  ['Every call', 'Every call', ['call', 'who', 'contract', 'route']],
];

const code = (cell: string) => (/^[a-z]+\/[\w/.-]+$/.test(cell) ? `\`${cell}\`` : cell);
const line = (cells: string[]) => `| ${cells.join(' | ')} |`;

/** Renders the page: every row with the tests whose tags name it. */
export function renderPage(rows: Rows, tags: readonly Tag[]): string {
  const shownBy = ({ id }: Row) =>
    tags.filter(({ ids }) => ids.includes(id)).map(({ file, title }) => `\`${file}\` › “${title}”`);
  const claimOf = (row: Row) => [row.excuse, shownBy(row).join(', ')].filter(Boolean).join('; ');
  const linesOf = (heading: keyof Rows): string[][] =>
    heading === 'The states of every page'
      ? rows[heading].map(({ address, cells, states }) => [
          `\`${address}\``,
          ...cells.map(code),
          ...states.map((state) => [state.cells[0], claimOf(state)].filter(Boolean).join(': ')),
        ])
      : rows[heading].map((row) => [
          heading === 'Every call' ? `\`${row.id}\`` : row.id,
          ...row.cells.map(code),
          claimOf(row),
        ]);
  const parts = PARTS.map(([heading, title, columns]) => {
    const head = heading === 'The states of every page' ? columns : [...columns, 'shown by'];
    return [`## ${title}`, '', line(head), `|${'---|'.repeat(head.length)}`, ...linesOf(heading).map(line)].join('\n');
  });
  return `${[INTRODUCTION, ...parts].join('\n\n')}\n`;
}

/** Lists the faults of the rows and the tags, one sentence each. */
export function findFaults(rows: Rows, tags: readonly Tag[]): string[] {
  const all = allRows(rows);
  const ids = all.map(({ id }) => id);
  const shown = new Set(tags.flatMap((tag) => tag.ids));
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id}: two rows have this id`),
    ...all.filter(({ id, excuse }) => !excuse && !shown.has(id)).map(({ id }) => `${id}: no test shows it`),
    ...tags.flatMap((tag) => {
      const place = `${tag.file}, @shows ${tag.ids.join(', ')}`;
      return [
        ...(tag.title === null ? [`${place}: stands above no test`] : []),
        ...(tag.skipped ? [`${place}: the file skips a test`] : []),
        ...tag.ids.filter((id) => !ids.includes(id)).map((id) => `${tag.file}: @shows ${id}, which is no row`),
      ];
    }),
  ];
}
