import { AGENTS } from '../../../models/contracts/catalogue.ts';

const AGENT_NAMES = new Set(AGENTS.map(({ displayName }) => displayName.toLowerCase()));

/** The most characters that are read. */
const MAX_READ = 2000;

/** Content that says nothing about what is wanted, in the order in which it is replaced, over a line in lower case. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\b\S{1,60}\.(?:xlsx|xlsm|xls|csv|docx|pdf|md|ods|json)\b/g, ' #file '],
  [/\b(?:dcb ?-?)?0?1(?:29|60)\b/g, ' #standard '],
  [/\b[a-z]{1,8}-\d{1,6}\b/g, ' #id '],
  [/\b(?!v\d|p1\b|q[1-4]\b)[a-z]{1,2}\d{1,4}\b/g, ' #id '],
  [/\b\d+(?:\.\d+){1,3}\b/g, ' #section '],
  [/\d+/g, ' #number '],
];

/**
 * A message as a classifier reads it: in lower case, with straight quotes, and with names, ids and numbers replaced by
 * placeholders, so that its form counts and not its content. Takes time in proportion to at most 2,000 characters.
 * @param names names of people and owners in the account, in lower case
 */
export function withPlaceholders(text: string, names: readonly string[] = []): string {
  let line = text.trim().slice(0, MAX_READ).toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ');
  for (const name of names) if (name.length > 1) line = replaceName(line, name);
  for (const [pattern, placeholder] of REPLACED) line = line.replace(pattern, placeholder);
  return line.replace(/[a-z]+/g, (word) => (AGENT_NAMES.has(word) ? '#agent' : word));
}

/** Replaces a name where it stands as a word, without a pattern: a name may hold any signs. */
function replaceName(line: string, name: string): string {
  const parts = line.split(name);
  return parts.reduce((left, right) =>
    /[\p{L}\p{N}]$/u.test(left) || /^[\p{L}\p{N}]/u.test(right) ? left + name + right : `${left}#person${right}`,
  );
}
