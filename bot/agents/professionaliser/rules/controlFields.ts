import type { Paragraph } from '../word/paragraphs.ts';

/** The fields of the control block, in order. */
const CONTROL_FIELDS = ['number', 'version', 'status', 'owner', 'approver', 'effective', 'review'] as const;
type ControlField = (typeof CONTROL_FIELDS)[number];

/** A value with where it was given: the request, or a paragraph of the document. */
type GivenValue = { value: string; from: 'request' | number };

export type ControlValues = Partial<Record<ControlField, GivenValue>>;

type Field = {
  label: string;
  /** The labels by which a line gives it. */
  named: RegExp;
};

export const FIELDS: Record<ControlField, Field> = {
  number: {
    label: 'Document number',
    named: /^(?:document (?:number|no\.?|id|ref(?:erence)?)|doc(?:ument)? ?#|doc\.? (?:no\.?|id|ref)|reference)$/i,
  },
  version: { label: 'Version', named: /^(?:(?:document )?version(?: (?:number|no\.?))?|rev(?:ision)?|issue)$/i },
  status: { label: 'Status', named: /^(?:(?:document )?status)$/i },
  owner: { label: 'Owner', named: /^(?:(?:document |process )?owner)$/i },
  approver: { label: 'Approved by', named: /^(?:approved by|approver|authori[sz]ed by)$/i },
  effective: { label: 'Effective date', named: /^(?:effective(?: date| from)?|date effective|valid from)$/i },
  review: { label: 'Next review', named: /^(?:(?:next )?review(?: date| due)?|date of next review)$/i },
};

/** Values that say that there is none. */
const NO_VALUE = /^(?:\[.*\]|<.*>|\{.*\}|_+|-+|–|…|\.{2,}|n\/?a|none|tb[cdan]|to be .*|x{2,}|\?+)$/i;
/** Lines of the control block stand among the first of a document. */
const MAX_LINES = 40;
const MAX_VALUE = 120;
/** Longer lines give no value; a search in them would begin anew at every space. */
const MAX_LINE = 400;

function readLine(line: string): { field: ControlField; value: string } | null {
  const text = line.trim();
  if (text.length > MAX_LINE) return null;
  const [, label = '', value = ''] = /^([^:\t]{2,30}?)\s*[:\t]\s*(\S.*)$/.exec(text) ?? [];
  const field = CONTROL_FIELDS.find((id) => FIELDS[id].named.test(label));
  if (!field || value.length > MAX_VALUE || NO_VALUE.test(value)) return null;
  return { field, value };
}

/** The values that lines of a request give, for example "Version: 2". */
export function readRequestValues(request: string): ControlValues {
  const values: ControlValues = {};
  for (const line of request.split(/\n|;/)) {
    const read = readLine(line);
    if (read) values[read.field] = { value: read.value, from: 'request' };
  }
  return values;
}

/** A line of the document that gives a value, or a label without one. */
type ControlLine = { at: number; field: ControlField; value: string };

function readTableValues(paragraphs: readonly Paragraph[]): ControlLine[] {
  return paragraphs.slice(0, MAX_LINES).flatMap((paragraph, at) => {
    const next = paragraphs[at + 1];
    if (paragraph.ofPair !== 0 || next?.ofPair !== 1) return [];
    const label = paragraph.text.trim().replace(/:$/, '');
    const read = readLine(`${label}: ${next.text}`);
    return read ? [{ at: paragraph.at, ...read }] : [];
  });
}

/** Fields that a document gives more than once, with different values. */
type Disagreeing = Partial<Record<ControlField, readonly string[]>>;

/**
 * The values that a document gives of itself, in lines or in a table at its beginning.
 * @returns the lines outside tables, which the control block replaces; and fields that are given twice differently
 */
export function readDocumentValues(
  paragraphs: readonly Paragraph[],
  firstHeadingAt: number | null,
): { values: ControlValues; lines: readonly ControlLine[]; disagree: Disagreeing } {
  const until = Math.min(firstHeadingAt ?? MAX_LINES, MAX_LINES);
  const lines = paragraphs.flatMap((paragraph): ControlLine[] => {
    if (paragraph.at >= until || paragraph.isInTable || paragraph.text.includes('\n')) return [];
    const read = readLine(paragraph.text);
    return read ? [{ at: paragraph.at, ...read }] : [];
  });
  const values: ControlValues = {};
  const all: Partial<Record<ControlField, string[]>> = {};
  for (const { at, field, value } of [...lines, ...readTableValues(paragraphs)]) {
    values[field] ??= { value, from: at };
    all[field] = [...new Set([...(all[field] ?? []), value])];
  }
  const disagree = Object.fromEntries(Object.entries(all).filter(([, given]) => given.length > 1));
  return { values, lines, disagree };
}

/** Words by which a document says that somebody released it. */
const RELEASED = /\b(?:approved|released|effective|final|issued|in force|signed)\b/i;

/** A row of the control block: a value, or what a person has to fill. */
export type ControlRow = { field: ControlField; label: string; value: string | null; toFill: string | null };

/**
 * The rows of the control block. What nobody gave is to be filled; a status of release is never carried over, because
 * the changed text was not released.
 */
export function makeControlRows(given: ControlValues, found: ControlValues, disagree: Disagreeing): ControlRow[] {
  return CONTROL_FIELDS.map((field): ControlRow => {
    const { label } = FIELDS[field];
    const [wanted, own] = [given[field]?.value, found[field]?.value];
    const sources = disagree[field] ?? (own === undefined ? [] : [own]);
    const said = `the source says ${sources.map((value) => `“${value}”`).join(' and ')}`;
    const toFill = (what: string): ControlRow => ({ field, label, value: null, toFill: what });
    const name = label.toLowerCase();
    if (wanted !== undefined) {
      if (field === 'status' && RELEASED.test(wanted))
        return toFill(`${name}: the request says “${wanted}”, and this changed text is a draft`);
      const differs = sources.some((value) => value !== wanted);
      return { field, label, value: wanted, toFill: differs ? `check: ${said}` : null };
    }
    if (own === undefined) return toFill(name);
    if (field === 'status' && sources.some((value) => RELEASED.test(value)))
      return toFill(`${name}: ${said}, and this changed text is a draft`);
    if (field === 'effective' || field === 'approver') return toFill(`${name}: ${said} of its own text`);
    return sources.length > 1 ? toFill(`${name}: ${said}`) : { field, label, value: own, toFill: null };
  });
}
