import { EVIDENCE, EVIDENCE_IDS } from '../documents/evidence.ts';
import type { Checklist, ChecklistRow } from '../gspr/checklist.ts';

const MAX_SHOWN = 12;

/** Words of a request that name no topic. */
const NO_TOPIC =
  /\b(?:show|tell|list|give|get|me|us|the|a|an|of|on|about|for|to|in|do|does|is|are|it|our|we|have|which|what|all|please|and|or|that|apply|applies|gsprs?|general|safety|performance|requirements?|annex|i|number|numbers|rows?|check-?list|concern(?:s|ing)?|say|says)\b/gi;

/** Numbers of Annex I that a text names: "17.2", "23.4(ab)"; a bare whole number only after "GSPR", "number" or "annex I". */
function numbersIn(text: string): string[] {
  const dotted = [...text.matchAll(/\b\d{1,2}\.\d(?:\.\d)?(?:\s?\([a-z]{1,2}\))?/gi)].map(([it]) =>
    it.replace(/\s/g, ''),
  );
  const whole = [...text.matchAll(/\b(?:GSPR|number|no\.|annex I,?)\s+(\d{1,2}(?:\s?\([a-f]\))?)(?![.\d])/gi)].map(
    ([, it = '']) => it.replace(/\s/g, ''),
  );
  return [...dotted, ...whole];
}

const isUnder = (number: string, named: string) =>
  number === named || number.startsWith(`${named}.`) || number.startsWith(`${named}(`);

/** Other words of a topic, as the texts of the requirements have them. */
const SAME: readonly [RegExp, string][] = [
  [/\bcyber|hack|login|password/i, 'security unauthorised'],
  [/\busab|human factor/i, 'use error ergonomic'],
  [/\bIFU\b|manual/i, 'instructions'],
  [/\bpatients? app|home use/i, 'lay'],
  [/\bphone|tablet|app\b/i, 'mobile'],
];

function topicOf(text: string): string[] {
  const more = SAME.flatMap(([words, same]) => (words.test(text) ? [same] : [])).join(' ');
  const words = `${text.replace(NO_TOPIC, ' ')} ${more}`.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  // Cut to the stem that most endings share: "alarms" finds "alarm".
  return [...new Set(words.map((word) => word.replace(/(?:ies|es|s|ing|ed)$/, '')))].filter((word) => word.length > 2);
}

/** The rows of a checklist that a text asks for: by number, else by topic. */
export function findRequirements({ rows }: Checklist, text: string): ChecklistRow[] {
  const numbers = numbersIn(text);
  if (numbers.length > 0) return rows.filter(({ number }) => numbers.some((named) => isUnder(number, named)));
  const topic = topicOf(text);
  if (topic.length === 0) return [];
  const scored = rows.map((row) => {
    const words = `${row.asks} ${row.expected.join(' ')}`.toLowerCase();
    return { row, score: topic.filter((word) => words.includes(word)).length };
  });
  const best = Math.max(...scored.map(({ score }) => score));
  return best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ row }) => row);
}

const APPLIES = { yes: 'applies', no: 'does not apply', open: 'open' } as const;

const describeRow = ({ number, asks, applies, because, found, missing }: ChecklistRow): string =>
  [
    `• **${number}** ${asks} **${APPLIES[applies]}**: ${because}`,
    found.length > 0 ? `Found: ${found.join('; ')}.` : '',
    applies === 'yes' && missing.length > 0 ? `Not found: ${missing.join('; ')}.` : '',
  ]
    .filter(Boolean)
    .join(' ');

/** Requirements in lines; how many more there are is said. */
export function describeRequirements(product: string, found: readonly ChecklistRow[]): string {
  if (found.length === 0)
    return 'No number of Annex I fits these words. Ask by number, for example “GSPR 17.2”, or by a topic such as security, alarms or lay users.';
  const more = found.length - MAX_SHOWN;
  return [
    `Annex I for ${product}, in Arc’s words:`,
    ...found.slice(0, MAX_SHOWN).map(describeRow),
    ...(more > 0
      ? [
          `${more} more ${more === 1 ? 'number fits' : 'numbers fit'}. The checklist has them all: say “Make the technical file”.`,
        ]
      : []),
  ].join('\n');
}

/** The gaps: each kind of document that was not found, with the numbers of Annex I that expect it. */
export function describeGaps(
  product: string,
  { rows, counts }: Checklist,
  unread: readonly string[],
  read: number,
): string {
  const missing = EVIDENCE_IDS.flatMap((id) => {
    const { name } = EVIDENCE[id];
    const numbers = rows
      .filter((row) => row.applies === 'yes' && row.missing.includes(name))
      .map(({ number }) => number);
    return numbers.length > 0
      ? [`• ${name}: ${numbers.slice(0, 6).join(', ')}${numbers.length > 6 ? ` and ${numbers.length - 6} more` : ''}`]
      : [];
  });
  return [
    `Gaps of ${product}, by the names and texts of ${read} ${read === 1 ? 'document' : 'documents'} in your workspace:`,
    ...(missing.length > 0
      ? missing
      : ['• Of every expected kind there is a document. Whether it suffices, a person decides.']),
    ...(counts.open > 0 ? [`${counts.open} numbers of Annex I are open until more facts are known.`] : []),
    ...(unread.length > 0 ? [`Only by their names: ${unread.join(', ')}.`] : []),
  ].join('\n');
}
