import type { Field, FieldType, Rule } from '../apps/app.ts';

/** The type of a field by the words of its label. The first that fits counts. */
const TYPES: readonly [FieldType, RegExp][] = [
  ['email', /\be-?mail\b/i],
  ['phone', /\b(?:phone|telephone|mobile)\b/i],
  ['check', /\b(?:consent|agreed?|confirmed|accepted)\b/i],
  ['date', /\b(?:date|day of|deadline|due|valid (?:until|from)|birthday|born)\b/i],
  ['time', /\btime\b/i],
  [
    'number',
    /\b(?:amount|count|quantity|price|cost|score|age|hours|minutes|days|weight|height|rating|total|pulse|temperature|number of|percent\w*|budget|size|distance)\b/i,
  ],
  ['long', /\b(?:notes?|descriptions?|comments?|details|reasons? why|what happened|message|remarks|text|feedback)\b/i],
];

const MAX = { fields: 16, label: 60, options: 12 };

/** Cuts a list at commas, semicolons and “and”, but not inside brackets. */
export function splitList(text: string): string[] {
  const parts: string[] = [];
  let [depth, part] = [0, ''];
  for (const word of text.split(/((?<!\s)\s+and\s+|[,;()])/i)) {
    if (word === '(') depth += 1;
    if (word === ')') depth = Math.max(0, depth - 1);
    if (depth === 0 && (word === ',' || word === ';' || /^\s+and\s+$/i.test(word))) {
      parts.push(part);
      part = '';
    } else part += word;
  }
  return [...parts, part].map((one) => one.replace(/^(?:\s|and\s)+/i, '').trim()).filter((one) => one !== '');
}

/** A text whose runs of spaces are one space, or one end of a line: patterns would try every part of a long run. */
export const evenSpaces = (text: string): string => text.replace(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '));

/** Begins with a capital letter. */
export const sentenceCase = (text: string): string => {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
};

const bare = (text: string): string =>
  text
    .replace(/^(?:the|an?|their|its|his|her|your|our)\s+/i, '')
    .replace(/(?<![.:])[.:]+$/, '')
    .trim();

/** What stands in brackets behind a field: its answers, its limits, its type, whether it is required. */
function readBrackets(text: string): Partial<Field> & { type?: FieldType } {
  const inside = text.trim();
  if (/^yes (?:or|\/) ?no$|^yes\/no$|^tick|^check ?box$/i.test(inside)) return { type: 'check' };
  if (/^required$|^mandatory$/i.test(inside)) return { isRequired: true };
  if (/^optional$/i.test(inside)) return { isRequired: false };
  const [, from, to] = /^(-?\d+(?:\.\d+)?)\s*(?:to|-|–)\s*(-?\d+(?:\.\d+)?)$/i.exec(inside) ?? [];
  if (from !== undefined && to !== undefined && Number(from) < Number(to))
    return { type: 'number', min: Number(from), max: Number(to) };
  const named = (['number', 'date', 'time', 'email', 'phone', 'text'] as const).find(
    (type) => type === inside.toLowerCase(),
  );
  if (named) return { type: named };
  if (/^long text$/i.test(inside)) return { type: 'long' };
  const options = inside.split(/(?:(?<!\s)\s+)?[,;/]\s*|(?<!\s)\s+or\s+/i).filter((option) => option !== '');
  return options.length > 1 ? { type: 'choice', options: options.slice(0, MAX.options) } : {};
}

/** A field from its words, e.g. "severity (low, medium, high)". @param at its place in the app, from 0 */
export function readField(words: string, at: number): Field | null {
  const label = sentenceCase(bare(words.replace(/\([^()]*\)/g, ' ').replace(/\s+/g, ' '))).slice(0, MAX.label);
  if (!/[\p{L}\d]/u.test(label)) return null;
  const brackets = [...words.matchAll(/\(([^()]*)\)/g)].map(([, inside = '']) => readBrackets(inside));
  const type = TYPES.find(([, pattern]) => pattern.test(label))?.[0] ?? 'text';
  const field: Field = { id: `f${at + 1}`, label, type, options: [], isRequired: false, min: null, max: null };
  return Object.assign(field, ...brackets) as Field;
}

/** The fields of a list of words; a label counts once. */
export function readFields(text: string): Field[] {
  const fields: Field[] = [];
  for (const words of splitList(text)) {
    const field = readField(words, fields.length);
    if (field && !fields.some(({ label }) => label.toLowerCase() === field.label.toLowerCase())) fields.push(field);
  }
  return fields.slice(0, MAX.fields);
}

const RULE = /([^.;\n]{1,80}?) (?:is|are) required (?:when|if) ([^.;\n]{1,80}?) (?:is|=) ([^.;\n]+)/gi;

/** Rules such as "Details is required when reason is other", between fields that there are. */
export function readRules(text: string, fields: readonly Field[]): Rule[] {
  const find = (words: string) => fields.find(({ label }) => label.toLowerCase() === bare(words).toLowerCase());
  return [...text.matchAll(RULE)].flatMap(([, target = '', when = '', is = '']) => {
    const [field, other] = [find(target.trim()), find(when.trim())];
    if (!field || !other || field === other) return [];
    const answer = other.options.find((option) => option.toLowerCase() === is.trim().toLowerCase());
    if (other.type === 'choice' && answer === undefined) return [];
    return [{ field: field.id, when: other.id, is: answer ?? is.trim() }];
  });
}
