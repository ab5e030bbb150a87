import { createContext, Script } from 'node:vm';
import { type BSONRegExp, BSONSymbol, type Value } from '../bson/value.ts';
import { fail, refuse } from '../errors.ts';

/** Patterns are at most this many characters, as in MongoDB. */
const MAX_PATTERN = 32_764;
/** A repeated group, or several repetitions one after the other: only these can take time without end. */
const RISKY = /\)[*+{]|(?:[*+}][\s\S]*){3}/;
/** Milliseconds that a risky pattern may take for one text. */
const PATIENCE = 100;

const cache = new Map<string, RegExp>();

/** PCRE's whole-pattern switches and its notations that JavaScript writes otherwise. */
function translate(pattern: string, options: string): RegExp {
  let source = pattern;
  let flags = '';
  const lead = /^\(\?([imsx]+)\)/.exec(source);
  let given = options;
  if (lead) {
    given += lead[1];
    source = source.slice(lead[0].length);
  }
  for (const option of given) {
    if (!'imsxu'.includes(option)) fail(51108, `invalid flag in regex options: ${option}`);
    if ('ims'.includes(option) && !flags.includes(option)) flags += option;
  }
  if (given.includes('x'))
    source = source.replace(/\\.|\[(?:\\.|[^\]])*\]|\s+|#.*$/gm, (part) => (/^[\s#]/.test(part) ? '' : part));
  source = source
    .replace(/\\A/g, '^')
    .replace(/\\[zZ]/g, '$')
    .replace(/\(\?P</g, '(?<')
    .replace(/\[\[:(\w+):\]\]/g, (_, name: string) => POSIX[name] ?? `[[:${name}:]]`);
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      fail(51091, `Regular expression is invalid: ${(error as Error).message}`);
    }
  }
}

const POSIX: Record<string, string> = {
  alpha: '[A-Za-z]',
  digit: '[0-9]',
  alnum: '[A-Za-z0-9]',
  space: '\\s',
  upper: '[A-Z]',
  lower: '[a-z]',
  punct: '[!-\\/:-@[-`{-~]',
};

/** Compiles a pattern as MongoDB reads it; throws 51091 for what does not compile. */
export function compileRegex(pattern: string, options: string): RegExp {
  if (pattern.includes('\0') || options.includes('\0'))
    refuse('Regular expression cannot contain an embedded null byte');
  if (pattern.length > MAX_PATTERN) fail(51091, 'Regular expression is invalid: pattern is too large');
  const key = `${options}/${pattern}`;
  let compiled = cache.get(key);
  if (!compiled) {
    compiled = translate(pattern, options);
    if (cache.size > 500) cache.clear();
    cache.set(key, compiled);
  }
  return compiled;
}

const cell = createContext({ pattern: /x/, text: '' });
const script = new Script('pattern.test(text)');

/** Runs a pattern that could stall this thread where it can be interrupted. */
function guarded(pattern: RegExp, text: string): boolean {
  cell.pattern = pattern;
  cell.text = text;
  try {
    return script.runInContext(cell, { timeout: PATIENCE }) as boolean;
  } catch {
    fail(51156, 'Error occurred while executing regular expression: match limit exceeded');
  }
}

/** The test of a string value; throws 51156 where a pattern takes too long. */
export function regexTest(pattern: string, options: string): (value: Value) => boolean {
  const compiled = compileRegex(pattern, options);
  const risky = RISKY.test(pattern);
  return (value) => {
    const subject = value instanceof BSONSymbol ? value.value : value;
    if (typeof subject !== 'string') return false;
    return risky && subject.length > 20 ? guarded(compiled, subject) : compiled.test(subject);
  };
}

/** The fixed text that every match of the pattern begins with, '' when there is none. */
export function fixedPrefix(regex: BSONRegExp): string {
  if (regex.options.replace(/[su]/g, '') !== '' || !regex.pattern.startsWith('^') || regex.pattern.includes('|'))
    return '';
  const prefix = /^\^((?:[\w\s@:;,'"<>=!&%#~`/-]|\\[^\w])*)/.exec(regex.pattern)?.[1] ?? '';
  const next = regex.pattern[prefix.length + 1];
  const fixed = next !== undefined && '?*{'.includes(next) ? prefix.slice(0, prefix.at(-2) === '\\' ? -2 : -1) : prefix;
  return fixed.replace(/\\(.)/g, '$1');
}
