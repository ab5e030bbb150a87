import { describe, expect, test } from '@jest/globals';
import { cleanTickets, readTickets } from '../../../../bot/agents/clinical_safety/tickets/readTickets.ts';

describe('reading tickets', () => {
  const read = (...rows: string[]) => readTickets(new Uint8Array(Buffer.from(`${rows.join('\n')}\n`)), 'tickets.csv');

  test.each([
    ['Key,Summary,Description', 'one,Words,more', { key: 'one', summary: 'Words', description: 'more' }, false],
    ['Key,Summary,Sprint', 'EPS-1,Words,4', { key: 'EPS-1', summary: 'Words' }, true],
    ['ID,Title,Sprint', 'EPS-1,Words,4', { key: 'EPS-1', summary: 'Words' }, true],
    ['ID,Title,Colour', 'EPS-1,Words,red', { key: 'EPS-1', summary: 'Words' }, false],
    ['ID,Title,Sprint,Team', 'one,Words,4,Core', { key: 'one', summary: 'Words' }, false],
    ['Issue key,Title', 'EPS-1,Words', { key: 'EPS-1', summary: 'Words' }, true],
    ['Issue key,Title,Body', 'one,Words,more', { key: 'one', description: 'more' }, true],
    ['Key,Summary,Sprint', '" EPS-1 ",Words,4', { key: 'EPS-1' }, true],
    ['ID,Title,Issue Type,Body', 'one,Words,Bug,more', { type: 'Bug', description: 'more' }, true],
    [
      'Key,Subject,Labels,Body,Type',
      'EPS-1,Words,ward,more,Task',
      { labels: 'ward', type: 'Task', description: 'more' },
      false,
    ],
    ['Title,Name,Key', 'Words,Other,EPS-1', { key: 'EPS-1', summary: 'Words' }, false],
    ['ID,Key,Title', '7,EPS-1,Words', { key: 'EPS-1', summary: 'Words' }, false],
    ['Key,Summary,Summary', 'EPS-1,First,Second', { summary: 'First' }, true],
  ])('with the headings %s is certain or not', async (head, row, record, sure) => {
    expect(await read(head, row)).toMatchObject({ records: [record], sure });
  });

  test.each([
    ['ID,Title,Sprint', 'one,Words,4'],
    ['ID,Title,Description', 'one,Words,more'],
    ['Key,Summary,Colour', 'one,Words,red'],
    ['Key,Description,Issue Type', 'EPS-1,Words,Bug'],
    ['Summary,Description,Issue Type', 'Words,more,Bug'],
    ['Key,Summary,Colour', ',Words,red'],
  ])('does not take %s for the headings of a tracker', async (head, row) => {
    await expect(read(head, row)).rejects.toMatchObject({ code: 'not_tickets' });
  });

  test('does not take a text of more than 120 characters for a heading', async () => {
    const head = (size: number) => `Key,${'Summary'.padEnd(size, ':')},Sprint`;
    expect((await read(head(120), 'EPS-1,Words,4')).records).toHaveLength(1);
    await expect(read(head(121), 'EPS-1,Words,4')).rejects.toMatchObject({ code: 'not_tickets' });
  });

  test('looks for headings only in the first thirty rows', async () => {
    const above = (count: number) => Array.from({ length: count }, (_, at) => `Note ${at},,`);
    expect((await read(...above(29), 'Key,Summary,Sprint', 'EPS-1,Words,4')).records).toHaveLength(1);
    await expect(read(...above(30), 'Key,Summary,Sprint', 'EPS-1,Words,4')).rejects.toMatchObject({
      code: 'not_tickets',
    });
  });

  test('judges keys by the first 39 rows', async () => {
    const rows = (good: number, bad: number) => [
      ...Array.from({ length: good }, (_, at) => `EPS-${at + 1},Words,red`),
      ...Array.from({ length: bad }, (_, at) => `n${at},Words,red`),
    ];
    expect((await read('Key,Summary,Colour', ...rows(24, 60))).records).toHaveLength(84);
    await expect(read('Key,Summary,Colour', ...rows(23, 60))).rejects.toMatchObject({ code: 'not_tickets' });
    await expect(read('Key,Summary,Colour', ...rows(23, 16), ...rows(40, 0))).rejects.toMatchObject({
      code: 'not_tickets',
    });
    expect((await read('Key,Summary,Colour', ...rows(3, 2))).sure).toBe(true);
    await expect(read('Key,Summary,Colour', ...rows(2, 2))).rejects.toMatchObject({ code: 'not_tickets' });
  });

  const ticket = (key: string, summary: string, description = '') => ({ key, summary, description });

  test('names a ticket without a key by its position, with the first line as its summary', () => {
    expect(
      cleanTickets([
        ticket('', ' ', ' '),
        ticket(' ', 'Words'),
        ticket(' A-1 ', '  ', `  ${'x'.repeat(200)}\nmore `),
        ticket('A-2', ' Words ', ' more '),
        ticket('a-2', 'Others', 'less'),
        ticket('A-2 ', 'Others', 'more.'),
        ticket('A-2', 'Others', 'fewer'),
      ]),
    ).toEqual({
      records: [
        ticket('row 2', 'Words'),
        ticket('A-1', 'x'.repeat(160), `${'x'.repeat(200)}\nmore`),
        ticket('A-2', 'Words', 'more.'),
      ],
      duplicates: 3,
      empty: 1,
    });
  });
});
