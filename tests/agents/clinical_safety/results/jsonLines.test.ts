import { describe, expect, test } from '@jest/globals';
import { packList, packValue, readList, unpackText } from '../../../../bot/agents/clinical_safety/results/jsonLines.ts';

const textOf = async (items: readonly unknown[]) => (await unpackText(await packList(items))).toString();
const upTo = (count: number) => Array.from({ length: count }, (_, at) => ({ at }));

describe('a list', () => {
  test.each<[unknown[], string]>([
    [[], '[\n\n]'],
    [[1], '[\n1\n]'],
    [[1, 'a', null], '[\n1,\n"a",\nnull\n]'],
    [['two\nlines', 'ends,'], '[\n"two\\nlines",\n"ends,"\n]'],
  ])('%j is JSON with one item per line', async (items, text) => {
    expect(await textOf(items)).toBe(text);
    expect(await readList(Buffer.from(text))).toEqual(items);
  });

  test.each([199, 200, 201, 399, 400, 401])('of %i is read back unchanged, and is JSON as a whole', async (count) => {
    const text = await textOf(upTo(count));
    expect(JSON.parse(text)).toEqual(upTo(count));
    expect(text.split('\n')).toHaveLength(count + 2);
    expect(await readList(Buffer.from(text))).toEqual(upTo(count));
  });
});

test('a value is JSON in one piece', async () => {
  const value = { name: 'two\nlines', items: [1, 2] };
  expect((await unpackText(await packValue(value))).toString()).toBe(JSON.stringify(value));
});

describe('a long list yields to other work', () => {
  /** Counts the turns that other work gets. */
  async function countTurns(work: (turn: () => number) => Promise<unknown>): Promise<number> {
    let turn = 0;
    let next: NodeJS.Immediate;
    const count = () => {
      turn += 1;
      next = setImmediate(count);
    };
    next = setImmediate(count);
    await work(() => turn);
    clearImmediate(next);
    return turn;
  }

  test('after every two hundred written items', async () => {
    const seen: number[] = [];
    await countTurns((turn) => packList(Array.from({ length: 500 }, () => ({ toJSON: () => seen.push(turn()) }))));
    expect([...new Set(seen)].map((turn) => seen.filter((one) => one === turn).length)).toEqual([200, 200, 100]);
  });

  test('after every two hundred read items', async () => {
    const text = Buffer.from(await textOf(upTo(1000)));
    expect(await countTurns(() => readList(text))).toBe(5);
  });
});
