import { createContext, Script } from 'node:vm';
import { equal } from '../bson/compare.ts';
import { BSONRegExp, BSONSymbol, type Doc, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';
import type { Test } from './path.ts';
import { translate } from './pattern.ts';

/** Patterns are at most this many characters, as in MongoDB. */
const MAX_PATTERN = 32_764;
/** Classes of patterns by worst-case time, each with the text length from which it runs with a time limit. */
const RISKS: [shape: RegExp, length: number][] = [
  [/\)[*+{]|(?:[*+}][\s\S]*){3}/, 20],
  [/(?:[*+}][\s\S]*){2}/, 200],
  [/[*+{]/, 2000],
];
/** Milliseconds that a watched pattern may take for one text. */
const PATIENCE = 100;

const cache = new Map<string, RegExp>();

/** A pattern with its options and the switches that it begins with; throws 51108 and 51091 for what is not valid. */
function compiled(pattern: string, options: string): RegExp {
  const [lead = '', switches = ''] = /^\(\?([imsx]+)\)/.exec(pattern) ?? [];
  const given = options + switches;
  const unknown = [...given].find((option) => !'imsxu'.includes(option));
  if (unknown) fail(51108, `invalid flag in regex options: ${unknown}`);
  const source = translate(pattern.slice(lead.length), given);
  try {
    return new RegExp(source, given.includes('i') ? 'iu' : 'u');
  } catch (error) {
    return fail(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

/** A pattern with its options, as it was given. */
export type Pattern = { pattern: string; options: string };

/** The pattern that $regex stands for, beside which $options may stand. */
export function patternOf(operand: Value, siblings: Doc): Pattern {
  const options = siblings.get('$options');
  if (!(operand instanceof BSONRegExp) && typeof operand !== 'string') refuse('$regex has to be a string');
  if (options !== undefined && typeof options !== 'string') refuse('$options has to be a string');
  const given = typeof operand === 'string' ? { pattern: operand, options: '' } : operand;
  return { pattern: given.pattern, options: options ?? given.options };
}

/** Compiles a pattern as MongoDB reads it; throws 51091 for what does not compile. */
function compileRegex({ pattern, options }: Pattern): RegExp {
  if (`${pattern}${options}`.includes('\0')) refuse('Regular expression cannot contain an embedded null byte');
  if (pattern.length > MAX_PATTERN) fail(51091, 'Regular expression is invalid: pattern is too large');
  const key = `${options}/${pattern}`;
  const known = cache.get(key);
  if (known) return known;
  if (cache.size > 500) cache.clear();
  const made = compiled(pattern, options);
  cache.set(key, made);
  return made;
}

const cell = createContext({ run: () => undefined });
const script = new Script('run()');

/** Runs a pattern that could block this thread where it can be interrupted; throws 51156 on timeout. */
function guarded<T>(run: () => T): T {
  cell.run = run;
  try {
    return script.runInContext(cell, { timeout: PATIENCE });
  } catch {
    fail(51156, 'Error occurred while executing regular expression: match limit exceeded');
  }
}

/** The test of a string value; throws 51156 where a pattern takes too long. */
export function regexTest(regex: Pattern): Test {
  const compiled = compileRegex(regex);
  const [, watched] = RISKS.find(([shape]) => shape.test(regex.pattern)) ?? [/x/, Number.POSITIVE_INFINITY];
  return (value) => {
    const subject = value instanceof BSONSymbol ? value.value : value;
    if (typeof subject !== 'string') return false;
    return subject.length > watched ? guarded(() => compiled.test(subject)) : compiled.test(subject);
  };
}

/** The test of a value as a filter asks it: text that matches, or the same pattern. */
export function matches({ pattern, options }: Pattern): Test {
  const test = regexTest({ pattern, options });
  const same = new BSONRegExp(pattern, options);
  return (value) => test(value) || (value instanceof BSONRegExp && equal(value, same));
}

/** The fixed text that every match of the pattern begins with, '' when there is none. */
export function fixedPrefix({ pattern, options }: Pattern): string {
  if (options.replace(/[su]/g, '') !== '' || !pattern.startsWith('^') || pattern.includes('|')) return '';
  const prefix = /^\^((?:[\w\s@:;,'"<>=!&%#~`/-]|\\[^\w])*)/.exec(pattern)?.[1] ?? '';
  // What may be repeated no times is not fixed.
  const optional = '?*{'.includes(pattern[prefix.length + 1] ?? ' ');
  const fixed = optional ? prefix.slice(0, prefix.at(-2) === '\\' ? -2 : -1) : prefix;
  return fixed.replace(/\\(.)/g, '$1');
}
