import { describe, expect, test } from '@jest/globals';
import {
  attribute,
  elements,
  escapeXml,
  rewriteAttribute,
  rewriteTags,
  rewriteTexts,
  startTags,
  unescapeXml,
} from '../../../../bot/agents/clinical_safety/ooxml/xmlText.ts';

describe('the text of a node', () => {
  test.each([
    ['a\r\nb\rc\nd', 'a\nb\nc\nd'],
    ['a&#13;&#10;b', 'a\nb'],
    ['_x000D_', '\n'],
    ['_x000d_', '\n'],
    ['&#x10FFFF;', '\u{10ffff}'],
    ['&#1114111;', '\u{10ffff}'],
    ['&#X41;&#x42;', 'AB'],
    ['&LT;', '&LT;'],
    ['&amp_x0041_', '&ampA'],
    ['plain', 'plain'],
  ])('of %j is %j', (written, text) => {
    expect(unescapeXml(written)).toBe(text);
  });

  test.each([
    ['a\tb\nc\rd', 'a\tb\nc\rd'],
    ['\u0008\u000b\u000c\u000e\u001f\u0020', ' '],
    ['\uffff\ufffe\ufffd', '\ufffd'],
    ['_x0041_x0042_', '_x005F_x0041_x005F_x0042_'.replace('_x005F_x0042_', '_x005F_x0042_')],
    ['_x004_ x0041_', '_x004_ x0041_'],
    ['<&>"\'', "&lt;&amp;&gt;&quot;'"],
    ['😀\ud83d', '😀'],
    ['\ude00😀', '😀'],
  ])('%j is written as %j', (text, written) => {
    expect(escapeXml(text)).toBe(written);
  });
});

describe('an attribute', () => {
  test.each([
    ['<c r="A1" s="2">', 'r', 'A1'],
    ['<c r="A1" s="2">', 's', '2'],
    ['<c r="A1"/>', 's', null],
    ['<c rr="A1" r="B2">', 'r', 'B2'],
    ["<c r='A1'>", 'r', 'A1'],
    ["<c\tr\n=\r\n'A1'>", 'r', 'A1'],
    ['<c r = "A1">', 'r', 'A1'],
    ['<c x:r="A1">', 'r', null],
    ['<c x:r="A1" r = "B2">', 'r', 'B2'],
    ['<c r="">', 'r', ''],
    ["<c r=''>", 'r', ''],
    ['<c r="A1', 'r', null],
    ["<c r='A1", 'r', null],
    ['<c r=A1>', 'r', null],
    ['<c r s="1">', 'r', null],
    ["<c r s='1' r='2'>", 'r', '2'],
    ['<c r="it\'s">', 'r', "it's"],
    ['<c r=\'say "a"\'>', 'r', 'say "a"'],
    ['<r>', 'r', null],
    ["<r r='1'>", 'r', '1'],
    ["r r='1'", 'r', '1'],
    ['<c t="&lt;">', 't', '&lt;'],
    ["<c ab='1' b='2'>", 'b', '2'],
    ["<c\u000bb\u000c=\u000d'2'>", 'b', '2'],
    ["<c\u000eb='2'>", 'b', null],
    ["<c\u0008b='2'>", 'b', null],
    ['<c b=\'1">', 'b', null],
  ])('of %s named %s is %s', (tag, name, value) => {
    expect(attribute(tag, name)).toBe(value);
  });

  test.each([
    ['<c r="A1" s="2"/>', 'r', '<c r="B" s="2"/>'],
    ['<c s="A1" r="A1">', 'r', '<c s="A1" r="B">'],
    ['<c r="same">', 'r', '<c r="same">'],
    ["<c r='A1'>", 'r', "<c r='B'>"],
    ["<c r = 'A1\"'>", 'r', "<c r = 'B'>"],
    ['<c s="2">', 'r', '<c s="2">'],
    ['<c r="">', 'r', '<c r="B">'],
    ['<c xr="A1" r="A1">', 'r', '<c xr="A1" r="B">'],
    ['<c\nr="A1">', 'r', '<c\nr="B">'],
    ['<c r="A1', 'r', '<c r="A1'],
  ])('of %s is rewritten', (tag, name, rewritten) => {
    expect(rewriteAttribute(tag, name, (value) => (value === 'same' ? value : 'B'))).toBe(rewritten);
  });

  test('is rewritten based on its old value', () => {
    expect(rewriteAttribute('<c long="ab" r="1">', 'long', (value) => `${value}cd`)).toBe('<c long="abcd" r="1">');
  });
});

describe('start tags', () => {
  const of = (xml: string, names = ['c', 'row'], from = 0) =>
    [...startTags(xml, names, from)].map(({ tag, prefix, name }) => `${prefix}|${name}|${tag}`);
  test.each([
    ['<row r="1"><c/><v>1</v></row>', ['|row|<row r="1">', '|c|<c/>']],
    ['<x:row><x:c r="1"></x:c></x:row>', ['x:|row|<x:row>', 'x:|c|<x:c r="1">']],
    ['<a:b:c>', ['a:b:|c|<a:b:c>']],
    ['<rows><cc><_c><c-d><c.d><c1><Zc><zc><cé><éc><c{>', []],
    ['<c\t1><c\r\n2><c\u000b3>', ['|c|<c\t1>', '|c|<c\r\n2>', '|c|<c\u000b3>']],
    ['</c><?c?><!c><!-- <c> -->', ['|c|<c>']],
    ['< c>', []],
    ['<c\n>', ['|c|<c\n>']],
    ['<c', []],
    ['<c <c>', ['|c|<c <c>']],
    ['<v<c>', ['|c|<c>']],
    ['<v><c/', []],
    ['', []],
    ['<', []],
    ['<c><c>', ['|c|<c>', '|c|<c>']],
  ])('of %s', (xml, tags) => {
    expect(of(xml)).toEqual(tags);
  });

  test('have a position, and are looked for from a position on', () => {
    expect([...startTags('ab<c/>d<c>', ['c'])].map(({ start, end }) => [start, end])).toEqual([
      [2, 6],
      [7, 10],
    ]);
    expect(of('<c 1><c 2>', ['c'], 1)).toEqual(['|c|<c 2>']);
    expect(of('<c 1><c 2>', ['c'], 5)).toEqual(['|c|<c 2>']);
    expect(of('<c 1><c 2>', ['c'], 6)).toEqual([]);
  });

  test('are rewritten, and the rest is unchanged', () => {
    const xml = 'a<x:c 1/>b<v>c</v><row>d';
    expect(rewriteTags(xml, ['c', 'row'], (tag, name, prefix) => `[${prefix}${name}${tag.length}]`)).toBe(
      'a[x:c8]b<v>c</v>[row5]d',
    );
    expect(rewriteTags(xml, ['c', 'row'], (tag) => tag)).toBe(xml);
    expect(rewriteTags(xml, ['c', 'row'], (tag, name) => (name === 'row' ? '' : tag))).toBe('a<x:c 1/>b<v>c</v>d');
    expect(rewriteTags(xml, ['none'], () => '')).toBe(xml);
  });
});

describe('the texts of elements', () => {
  const upper = (xml: string) => rewriteTexts(xml, ['f', 'g'], (text) => text.toUpperCase());
  test.each([
    ['a<f>b</f>c<g x="1">d</g>e', 'a<f>B</f>c<g x="1">D</g>e'],
    ['<f/>b<f>c</f>', '<f/>b<f>C</f>'],
    ['<f>b<i>c</i></f>', '<f>b<i>c</i></f>'],
    ['<x:f>b</x:f>', '<x:f>B</x:f>'],
    ['<h>b</h>', '<h>b</h>'],
    ['<x><f/>b</x>', '<x><f/>b</x>'],
    ['<f>b', '<f>b'],
    ['<f>B</f><f>c</f>', '<f>B</f><f>C</f>'],
    ['<f></f>', '<f></f>'],
    ['<f>a</f>', '<f>A</f>'],
    ['<f>1</f>', '<f>1</f>'],
  ])('of %s are rewritten', (xml, rewritten) => {
    expect(upper(xml)).toBe(rewritten);
  });
});

describe('elements', () => {
  const of = (xml: string) => [...elements(xml, 'c')].map(({ tag, inner, start, end }) => [tag, inner, start, end]);
  test.each([
    ['<c r="1">a</c>', [['<c r="1">', 'a', 0, 14]]],
    [
      'x<c/>y<c>b</c>',
      [
        ['<c/>', '', 1, 5],
        ['<c>', 'b', 6, 14],
      ],
    ],
    ['<x:c>a</x:c>', [['<x:c>', 'a', 0, 12]]],
    ['<x:c>a</c></x:c>', [['<x:c>', 'a</c>', 0, 16]]],
    [
      '<c>a<v>b</v></c><c></c>',
      [
        ['<c>', 'a<v>b</v>', 0, 16],
        ['<c>', '', 16, 23],
      ],
    ],
    ['<c>a', []],
    ['<c>a</c><c>b', [['<c>', 'a', 0, 8]]],
    ['<cc>a</cc>', []],
    ['', []],
  ])('of %s', (xml, found) => {
    expect(of(xml)).toEqual(found);
  });
});
