import { describe, expect, test } from '@jest/globals';
import { type Block, blocksToText } from '../../../bot/connectors/notion/blocks.ts';
import { versionOf } from '../../../bot/connectors/notion/documents.ts';
import { draftBlocks } from '../../../bot/connectors/notion/drafts.ts';
import { propertyLines } from '../../../bot/connectors/notion/properties.ts';

const rich = (text: string) => [{ plain_text: text }];
const block = (type: string, text: string, more: object = {}, children: Block[] = []): Block => ({
  ...{ id: text, type, children },
  [type]: { rich_text: rich(text), ...more },
});

test('blocks become Markdown, with what is in them', () => {
  const row = (...cells: string[]): Block => ({ id: 'r', type: 'table_row', table_row: { cells: cells.map(rich) } });
  const text = blocksToText([
    block('heading_2', 'Dose'),
    block('paragraph', 'It is checked.'),
    block('bulleted_list_item', 'Adults', {}, [block('bulleted_list_item', 'Over 65')]),
    block('bulleted_list_item', 'Children'),
    block('numbered_list_item', 'Open'),
    block('numbered_list_item', 'Close'),
    block('to_do', 'Sign', { checked: true }),
    { id: 't', type: 'table', table: {}, children: [row('Hazard', 'Score'), row('Overdose', '12')] },
    block('code', 'a\nb'),
    block('quote', 'As said'),
    { id: 'd', type: 'divider', divider: {} },
    { id: 'c', type: 'child_page', child_page: { title: 'Annex' } },
    { id: 'i', type: 'image', image: { caption: rich('Screen') } },
    { id: 'u', type: 'unsupported', unsupported: {} },
    { id: 'o', type: 'column_list', column_list: {}, children: [block('paragraph', 'Left')] },
    { id: 'm', type: 'table_of_contents', table_of_contents: {} },
  ]);
  expect(text.split('\n')).toEqual([
    ...['## Dose', '', 'It is checked.', '', '- Adults', '  - Over 65', '- Children', ''],
    ...['1. Open', '2. Close', '', '- [x] Sign', '', '| Hazard | Score |', '| Overdose | 12 |', ''],
    ...['```', 'a', 'b', '```', '', '> As said', '', '---', '', '[Annex]', '', '[image: Screen]', ''],
    ...['[unsupported]', '', 'Left'],
  ]);
});

test('rows of a table bring their properties, people and files left out', () => {
  const lines = propertyLines({
    Name: { type: 'title', title: rich('H-1') },
    Status: { type: 'status', status: { name: 'Open' } },
    Score: { type: 'number', number: 0 },
    Kinds: { type: 'multi_select', multi_select: [{ name: 'Dose' }, { name: 'Alarm' }] },
    Due: { type: 'date', date: { start: '2027-01-01', end: null } },
    Done: { type: 'checkbox', checkbox: false },
    Note: { type: 'rich_text', rich_text: [] },
    Owner: { type: 'people', people: [{ name: 'Ada' }] },
  });
  expect(lines).toEqual(['Status: Open', 'Score: 0', 'Kinds: Dose, Alarm', 'Due: 2027-01-01', 'Done: no']);
});

test('a page that was edited in the last two minutes has a version that is read again', () => {
  const edited = '2026-11-26T10:00:00.000Z';
  const after = (seconds: number) => versionOf(edited, Date.parse(edited) + seconds * 1000);
  expect(after(120)).toBe(edited);
  expect(after(119)).not.toBe(edited);
  expect(after(119)).not.toBe(after(118));
});

describe('a draft as blocks', () => {
  const link = 'https://arc.example/workspace?draft=k1';
  const blocksOf = (text: string | null) => draftBlocks({ name: 'Plan.docx', text, link });
  const textsOf = (one: ReturnType<typeof draftBlocks>[number] | undefined) => {
    const { rich_text } = (one ? one[one.type] : { rich_text: [] }) as { rich_text: { text: { content: string } }[] };
    return rich_text.map(({ text }) => text.content);
  };

  test('begins with a link to Arc, and has headings and lists', () => {
    const [first, ...rest] = blocksOf('# Plan\n\n• One\n2. Two\nText #3');
    expect(first).toMatchObject({ paragraph: { rich_text: [{ text: { link: { url: link } } }] } });
    expect(rest.map((one) => [one.type, ...textsOf(one)])).toEqual([
      ['heading_1', 'Plan'],
      ['bulleted_list_item', 'One'],
      ['bulleted_list_item', 'Two'],
      ['paragraph', 'Text #3'],
    ]);
    expect(textsOf(blocksOf(null)[0])).toEqual(['Plan.docx was made in Arc. The file itself is there: open Arc']);
  });

  test('has no piece of more than 2,000 characters, none of which is cut, and no block of more than 100', () => {
    expect(textsOf(blocksOf('x'.repeat(2000))[1]).map(({ length }) => length)).toEqual([2000]);
    expect(textsOf(blocksOf('x'.repeat(2001))[1]).map(({ length }) => length)).toEqual([2000, 1]);
    const [head, tail] = textsOf(blocksOf(`${'x'.repeat(1999)}😀y`)[1]);
    expect([head?.length, tail]).toEqual([1999, '😀y']);
    expect(blocksOf('x'.repeat(200_001)).map((one) => textsOf(one).length)).toEqual([1, 100, 1]);
  });
});
