import { readSafetyReport } from '../findings/safetyReport.ts';
import type { TextBlock } from '../reading/textBlocks.ts';
import { type FoundSection, SECTIONS } from './sections.ts';

/** What a report says of itself, each as it is written; null where it does not say it. */
export type ReportFacts = {
  title: string | null;
  product: string | null;
  version: string | null;
  status: string | null;
  date: string | null;
  /** Names in rows of tables that name the Clinical Safety Officer. */
  officers: string[];
  hazardCount: number | null;
  logVersion: string | null;
  /** SHA-256 of the log, where the report has it. */
  logDigest: string | null;
  /** Names of files that it mentions. */
  documents: string[];
};

const MAX_LISTED = 50;
const TITLE = /\b(?:clinical )?safety case(?: report)?\b|\bCSCR\b/i;
const DATE = /\b\d{1,2}[ /.-](?:\d{1,2}|[A-Z][a-z]{2,8})[ /.-]\d{2,4}\b|\b\d{4}-\d{2}-\d{2}\b/;
/** A heading of a column, which is no value. */
const LABEL = /^(?:hazards?|date|version|owner|title|name|author)$/i;
const VERSION = /^v?\s*\d{1,3}(?:\.\d{1,3}){0,3}$/i;

/** A block as one text. */
export const textOfBlock = (block: TextBlock): string =>
  'table' in block ? block.table.map((row) => row.join(' | ')).join('\n') : block.text;

/** The first lines, where a document says what it is: the title of its front matter, headings, and short lines. */
function titleLines(blocks: readonly TextBlock[]): string[] {
  const head = blocks.slice(0, 25).filter((block) => 'heading' in block);
  const named = head.flatMap(({ text }) => /^title:\s*(.{3,200})$/.exec(text)?.[1] ?? []);
  const headings = head.filter(({ heading }) => heading !== null).map(({ text }) => text);
  const short = head.filter(({ text, heading }) => heading === null && text.length <= 160).map(({ text }) => text);
  return [...named, ...headings.slice(0, 2), ...short.slice(0, 5)];
}

/** The value beside a label in a table, or after it in a line. */
function labelled(blocks: readonly TextBlock[], label: RegExp, fits: (value: string) => boolean): string | null {
  for (const block of blocks) {
    if ('table' in block) {
      for (const row of block.table)
        for (const [at, cell] of row.entries()) {
          const next = row[at + 1]?.replace(/[*_]/g, '').trim() ?? '';
          if (label.test(cell.replace(/[*_:]/g, '').trim()) && fits(next)) return next;
        }
    } else {
      const [, name = '', value = ''] = /^([A-Za-z ]{3,40}):\s*(\S.{0,100})$/.exec(block.text) ?? [];
      if (label.test(name.trim()) && fits(value.trim())) return value.trim();
    }
  }
  return null;
}

/** The last filled row of the table of versions. */
function lastOfHistory(blocks: readonly TextBlock[]): { version: string; date: string | null } | null {
  for (const block of blocks) {
    if (!('table' in block)) continue;
    const [head = [], ...rows] = block.table;
    const at = head.findIndex((cell) => /^\W*version\W*$/i.test(cell));
    if (at === -1 || !head.some((cell) => /\bdate\b/i.test(cell)) || head.some((cell) => /\btitle\b/i.test(cell)))
      continue;
    const last = rows.findLast((row) => VERSION.test(row[at]?.trim() ?? ''));
    if (last)
      return { version: last[at]?.trim() ?? '', date: last.flatMap((cell) => DATE.exec(cell)?.[0] ?? [])[0] ?? null };
  }
  return null;
}

function officersIn(blocks: readonly TextBlock[]): string[] {
  const rows = blocks.flatMap((block) => ('table' in block ? block.table : []));
  const names = rows.flatMap((row) => {
    if (!row.some((cell) => /\bClinical Safety Officer\b|\bCSO\b/.test(cell))) return [];
    const name = row.find((cell) =>
      /^(?:(?:Dr|Prof|Mr|Ms|Mrs|Miss)\.? )?\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'.-]*){1,3}$/u.test(cell.trim()),
    );
    return name && !/\b(?:Clinical|Officer|Safety|Lead|Head|Name)\b/.test(name) ? [name.trim()] : [];
  });
  return [...new Set(names)].slice(0, 10);
}

function productIn(title: string | null): string | null {
  if (!title) return null;
  const said = /\bsafety case(?: report)?\b\s*(?:for(?: the)?|[-–—:]|of(?: the)?)\s*(.{3,150})$/i.exec(title)?.[1];
  return said?.replace(/\s+v?\d+(?:\.\d+)+\s*$/i, '').trim() || null;
}

/** Reads what a report says of itself. */
export function readFacts(blocks: readonly TextBlock[]): ReportFacts {
  const text = blocks.map(textOfBlock).join('\n');
  const { hazardCount, logVersion } = readSafetyReport(text, '');
  const titles = titleLines(blocks);
  const title =
    titles.find((line) => TITLE.test(line) && productIn(line)) ??
    titles.find((line) => TITLE.test(line)) ??
    titles[0] ??
    null;
  const history = lastOfHistory(blocks);
  const front = blocks.slice(0, 60);
  const ofLog = labelled(front, /^(?:version of the (?:hazard )?log|hazard log version)$/i, (value) =>
    /^v?\d/i.test(value),
  );
  const named = /\bv\s?(\d{1,3}(?:\.\d{1,3}){1,3})\b/i.exec(titles.find((line) => TITLE.test(line)) ?? '')?.[1];
  return {
    title: title?.slice(0, 200) ?? null,
    product:
      labelled(front, /^(?:product|system|product and release)(?: name)?$/i, (value) =>
        /^[^[{<]{2,150}$/.test(value),
      ) ?? productIn(title),
    version:
      labelled(front, /^(?:document |report )?version(?: number)?$/i, (value) => VERSION.test(value)) ??
      history?.version ??
      named ??
      null,
    status: labelled(
      front,
      /^(?:document )?status$/i,
      (value) => /^[A-Za-z][^|[\]]{2,60}$/.test(value) && !LABEL.test(value),
    ),
    date: labelled(front, /\b(?:date|issued|published)\b/i, (value) => DATE.test(value)) ?? history?.date ?? null,
    officers: officersIn(blocks),
    hazardCount,
    logVersion: logVersion ?? /\d{1,3}(?:\.\d{1,3}){0,2}/.exec(ofLog ?? '')?.[0] ?? null,
    logDigest: /\b[0-9a-f]{64}\b/.exec(text)?.[0] ?? null,
    documents: withoutLonger([
      ...new Set(
        [...text.matchAll(/[\p{L}\d][\p{L}\d ()_.-]{1,80}\.(?:xlsx|xlsm|xls|docx|pdf|csv)\b/gu)].map(([name]) =>
          name.trim(),
        ),
      ),
    ]).slice(0, MAX_LISTED),
  };
}

/** Names without those that are another name after further words. */
const withoutLonger = (names: readonly string[]): string[] =>
  names.filter((name) => !names.some((other) => other !== name && name.endsWith(` ${other}`)));

/** Other documents of clinical safety and of the office, by their title. */
const OTHERS: readonly [title: RegExp, what: string][] = [
  [/\bmemo(?:randum)?\b/i, 'a memo'],
  [/\bminutes\b/i, 'minutes of a meeting'],
  [/\bagenda\b/i, 'an agenda'],
  [/\b(?:risk|safety) management plan\b/i, 'a clinical risk management plan'],
  [/\brelease notes?\b/i, 'release notes'],
];
const OTHERS_UNLESS_TITLED: readonly [title: RegExp, what: string][] = [
  [/\bhazard log\b/i, 'a hazard log'],
  [/\bcompliance (?:sheet|assessment)\b/i, 'a compliance assessment'],
];

const MIN_CORE_TITLED = 2;
const MIN_CORE = 4;

/** Whether a document is a safety case report; otherwise what it seems to be, null where that is not known. */
export function recogniseReport(
  blocks: readonly TextBlock[],
  sections: readonly FoundSection[],
): { isReport: boolean; seems: string | null } {
  const titles = titleLines(blocks);
  const [first = ''] = titles;
  const isTitled = titles.some((line) => TITLE.test(line));
  const seems =
    OTHERS.find(([title]) => title.test(first))?.[1] ??
    (isTitled ? undefined : OTHERS_UNLESS_TITLED.find(([title]) => title.test(first))?.[1]) ??
    null;
  const coreIds = new Set(SECTIONS.filter(({ isCore }) => isCore).map(({ id }) => id));
  const core = sections.filter(({ id, state }) => coreIds.has(id) && state !== 'missing').length;
  return { isReport: seems === null && core >= (isTitled ? MIN_CORE_TITLED : MIN_CORE), seems };
}
