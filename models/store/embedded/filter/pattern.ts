import { unsupported } from '../errors.ts';

/** Characters that stand for themselves in JavaScript's patterns only behind a backslash. */
const literal = (character: string): string => ('^$\\.*+?()[]{}|/'.includes(character) ? `\\${character}` : character);

/** Any character; nothing but the end; the end, or the line break before it. */
const [ANY, END, LAST] = ['[^]', '(?![^])', '(?=\\n?(?![^]))'];
const SPACE = '\\t\\n\\v\\f\\r ';

const POSIX: Record<string, string> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  space: SPACE,
  upper: 'A-Z',
  lower: 'a-z',
  xdigit: '0-9A-Fa-f',
  punct: '!-\\/:-@\\[-`\\{-~',
};

/** A part of a pattern as PCRE has it, and as JavaScript has it under these options; undefined where it has no such part. */
type Rule = [part: RegExp, written: (part: string, options: string) => string | undefined];

const same = (part: string): string => part;

/** What PCRE and JavaScript have in common behind a backslash, outside of classes and in them. */
const ESCAPES: Rule[] = [
  [/\\[dDwWbtnrf]/y, same],
  [/\\x[0-9A-Fa-f]{2}/y, same],
  [/\\[pP]\{(?:L[ulmot]?|M|N[dlo]?|P|S|Z[slp]?)\}/y, same],
  [/\\[^A-Za-z0-9]/uy, (part) => literal(part.slice(1))],
];

const IN_CLASS: Rule[] = [
  [/\\-/y, same],
  ...ESCAPES,
  [/\\s/y, () => SPACE],
  [/\[:\w+:\]/y, (part) => POSIX[part.slice(2, -2)]],
  [/\[[:.=]/y, () => undefined],
  [/-|\^/y, same],
  [/[^\\]/uy, literal],
];

const RULES: Rule[] = [
  ...ESCAPES,
  [/\\B/y, same],
  [/\\s/y, () => `[${SPACE}]`],
  [/\\S/y, () => `[^${SPACE}]`],
  [/\\A/y, () => '(?<![^])'],
  [/\\z/y, () => END],
  [/\\Z/y, () => LAST],
  // A bracket that comes first in a class stands for itself.
  [
    /\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]/y,
    (part) => {
      const [, start = '', items = ''] = /^(\[\^?)([\s\S]*)\]$/.exec(part) ?? [];
      return `${start}${rewritten(items, IN_CLASS, '')}]`;
    },
  ],
  [/\[/y, () => undefined],
  [/\(\?(?:[:=!]|<[=!])/y, same],
  [/\(\?P?<[A-Za-z_]\w*>/y, (part) => part.replace('?P<', '?<')],
  [/\([?*]/y, () => undefined],
  [/[()|]/y, same],
  [/(?:[*+?]|\{\d+(?:,\d*)?\})\+/y, () => undefined],
  [/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y, same],
  [/\{,\d/y, () => undefined],
  [/\^/y, (part, options) => (options.includes('m') ? '(?:(?<![^])|(?<=\\n)(?=[^]))' : part)],
  [/\$/y, (_part, options) => (options.includes('m') ? '(?![^\\n])' : LAST)],
  [/\./y, (_part, options) => (options.includes('s') ? ANY : '[^\\n]')],
  [/[^\\]/uy, literal],
];

/** What the option x lets a pattern hold beside its parts. */
const IGNORED: Rule = [/[\t\n\v\f\r ]+|#[^\n]*/y, () => ''];

function rewritten(text: string, rules: Rule[], options: string): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    let part = text.slice(at, at + 2);
    let written: string | undefined;
    for (const [expression, write] of rules) {
      expression.lastIndex = at;
      const [found] = expression.exec(text) ?? [];
      if (found === undefined) continue;
      part = found;
      written = write(found, options);
      break;
    }
    out += written ?? unsupported(`'${part}' in a pattern`);
    at += part.length;
  }
  return out;
}

/**
 * A pattern of PCRE's as JavaScript's with the flag u. What the two read differently (ends of lines, spaces, the dot) is
 * written out; throws 115 for what only PCRE has, such as \\h, \\Q, possessive quantifiers and references back.
 * @param options of m, s and x those that hold
 */
export const translate = (pattern: string, options: string): string =>
  rewritten(pattern, options.includes('x') ? [IGNORED, ...RULES] : RULES, options);
