import type { Plan } from '../control/plan.ts';
import type { OpenPoint } from '../rules/openPoints.ts';

type Counts = { changes: number; open: number; toFill: number };

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** The counts of a document without any of its words. */
export const summarise = ({ changes, open, toFill }: Counts): string =>
  `${counted(changes, 'kind of change', 'kinds of change')}, ${counted(open, 'open point', 'open points')}, ${counted(toFill, 'place', 'places')} to be filled by a person`;

const NAMES: Record<OpenPoint['kind'], [one: string, many: string]> = {
  weak: ['weak wording', 'weak wordings'],
  gap: ['place left open', 'places left open'],
  date: ['date that can be read in two ways', 'dates that can be read in two ways'],
  reference: ['reference to check', 'references to check'],
  abbreviation: ['abbreviation not written out', 'abbreviations not written out'],
  spelling: ['spelling to settle', 'spellings to settle'],
  kept: ['part that was kept unread', 'parts that were kept unread'],
  repeated: ['repeated word', 'repeated words'],
};

const LISTED = 5;

/** What was done to a document, for its reader. */
export function describePlan(plan: Pick<Plan, 'title' | 'control' | 'openPoints'>, counts: Counts): string {
  const kinds = new Map<OpenPoint['kind'], number>();
  for (const { kind } of plan.openPoints) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const open = [...kinds].map(([kind, count]) => counted(count, ...NAMES[kind])).join(', ');
  const toFill = plan.control.filter((row) => row.toFill !== null).map(({ label }) => label.toLowerCase());
  const first = plan.openPoints
    .slice(0, LISTED)
    .map(({ section, words, why }) => `• ${section ?? '–'}: ${words} (${why})`);
  return [
    `**${plan.title}** is in controlled form, as a draft: ${summarise(counts)}.`,
    `Every change is tracked with author and date, so you can accept or reject each in Word; the table at the end lists them. Numbers, dates, doses and names were compared with the source after writing: all are carried over.`,
    toFill.length > 0 ? `To be filled in the control block: ${toFill.join(', ')}, and the version of this draft.` : '',
    counts.open > 0
      ? `Open points: ${open}. Nothing of them was rewritten. The first:`
      : 'No open point was found. That is no review of what the document says.',
    ...first,
  ]
    .filter(Boolean)
    .join('\n');
}
