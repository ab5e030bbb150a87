import { describe, expect, test } from '@jest/globals';
import { regexTest } from '../../models/store/embedded/filter/regex.ts';

/** What a pattern finds among texts; expectations by PCRE's documentation (pcre2pattern). */
const found = (pattern: string, options: string, texts: string[]): string[] =>
  texts.filter(regexTest({ pattern, options }));

/** Every character of ASCII that is printed. */
const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));

describe('patterns', () => {
  test.each<[string, string, string[], string[]]>([
    ['^ab$', '', ['ab', 'ab\n', 'ab\n\n', 'xab', 'ab\nc'], ['ab', 'ab\n']],
    ['^b$', 'm', ['a\nb\nc', 'a\rb', 'b', 'ab'], ['a\nb\nc', 'b']],
    ['^$', 'm', ['a\n', '', 'a\n\nb'], ['', 'a\n\nb']],
    ['\\Aa\\z', 'm', ['a', 'a\n', 'b\na'], ['a']],
    ['a\\Z', '', ['a', 'a\n', 'ab'], ['a', 'a\n']],
    ['a.b', '', ['axb', 'a\nb', 'a\rb', 'a\u2028b', 'a😀b'], ['axb', 'a\rb', 'a\u2028b', 'a😀b']],
    ['a.b', 's', ['a\nb'], ['a\nb']],
    ['a\\sb', '', ['a b', 'a\tb', 'a\u00a0b'], ['a b', 'a\tb']],
    ['^\\s$', '', ['\t', '\n', '\v', '\f', '\r', ' ', '\b', '\u0085'], ['\t', '\n', '\v', '\f', '\r', ' ']],
    ['a[\\s,]b', '', ['a b', 'a,b', 'a\u00a0b'], ['a b', 'a,b']],
    ['^\\S+$', '', ['a\u00a0b', 'a b'], ['a\u00a0b']],
    ['[[:alpha:]_]+[^[:digit:]]', '', ['_a', '1', '_1', 'a_'], ['_a', 'a_']],
    ['^[[:punct:]]$', '', ASCII, ASCII.filter((item) => /[^A-Za-z0-9 ]/.test(item))],
    ['^[[:alnum:]]$', '', ASCII, ASCII.filter((item) => /[A-Za-z0-9]/.test(item))],
    ['^[[:upper:]]$', '', ASCII, ASCII.filter((item) => /[A-Z]/.test(item))],
    ['^[[:lower:]]$', '', ASCII, ASCII.filter((item) => /[a-z]/.test(item))],
    ['^[[:xdigit:]]$', '', ASCII, ASCII.filter((item) => /[A-Fa-f0-9]/.test(item))],
    ['^[[:space:]]$', '', [...ASCII, '\v'], [' ', '\v']],
    ['[]a]', '', [']', 'a', 'b'], [']', 'a']],
    ['[^]a]', '', [']', 'a', 'b'], ['b']],
    ['[a\\-c]', '', ['-', 'b', 'c'], ['-', 'c']],
    ['[[]', '', ['[', 'a'], ['[']],
    ['a{2}', '', ['aa', 'a{2}', 'a'], ['aa']],
    ['a{x}', '', ['a{x}', 'a'], ['a{x}']],
    ['a}]', '', ['a}]', 'a'], ['a}]']],
    ['\\@\\-\\ \\/', '', ['@- /', '@-/'], ['@- /']],
    ['\\x41', '', ['A', 'x41'], ['A']],
    ['^\\p{Lu}', '', ['É', 'é', 'E'], ['É', 'E']],
    ['straße', 'i', ['STRAßE', 'strasse'], ['STRAßE']],
    ['(?i)ab', '', ['AB', 'a'], ['AB']],
    ['(?P<n>a)(?:b|c)', '', ['ab', 'ac', 'a'], ['ab', 'ac']],
    ['(?<=a)b(?!c)', '', ['ab', 'abc', 'b'], ['ab']],
    ['a b # comment\nc', 'x', ['abc', 'ab', 'a bc'], ['abc']],
    ['[ #]', 'x', [' ', '#', 'a'], [' ', '#']],
    ['a+?b??', '', ['a', 'b'], ['a']],
    ['', '', ['', 'a'], ['', 'a']],
  ])('%j with %j', (pattern, options, texts, expected) => {
    expect(found(pattern, options, texts)).toEqual(expected);
  });

  test.each([
    '\\h',
    '\\R',
    '\\v',
    '\\Qa\\E',
    '\\x{6b}',
    '\\p{Latin}',
    '\\1',
    '(a)\\1',
    '\\k<n>',
    '\\cA',
    '\\012',
    '\\u0041',
  ])('%j is refused by name', (pattern) =>
    expect(() => found(pattern, '', [])).toThrow(/in a pattern: use MONGODB_URI/),
  );
  test.each([
    'a++',
    'a*+',
    'a{2}+',
    '(?>a)',
    '(?#c)',
    '(?R)',
    'a(?i)b',
    '(*UCP)a',
    'a{,3}',
    '[[:^alpha:]]',
    '[[:foo:]]',
    '[\\S]',
  ])('%j is refused by name', (pattern) =>
    expect(() => found(pattern, '', [])).toThrow(/in a pattern: use MONGODB_URI/),
  );
  test.each(['(', 'a**', '[b-a]', '*', '[a', '\\'])('%j is not valid', (pattern) =>
    expect(() => found(pattern, '', [])).toThrow(/Regular expression is invalid|in a pattern/),
  );
  test('an unknown option is refused', () => expect(() => found('a', 'g', [])).toThrow('invalid flag'));
});
