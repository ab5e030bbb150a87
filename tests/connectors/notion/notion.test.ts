import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { notion } from '../../../bot/connectors/notion/index.ts';
import type { Access, DocumentSource, RemoteDraft } from '../../../bot/engine/connectors/connector.ts';
import { directAccess } from '../../factories/directAccess.ts';
import { type FakeBlock, startNotion } from '../../fakes/notion.ts';

const documents = notion.documents as DocumentSource;
const values = { page: 'root/Safety case' };
let fake: Awaited<ReturnType<typeof startNotion>>;
let access: Access;
beforeAll(async () => {
  fake = await startNotion();
  access = directAccess(notion, fake);
});
afterAll(() => fake.stop());
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  fake.pages.clear();
  fake.put('root', { title: 'Safety case', parent: { type: 'workspace' } });
  fake.asked.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
  fake.recover();
  fake.setPageSize(100);
});

const paragraph = (id: string, text: string, children: FakeBlock[] = []): FakeBlock => ({
  ...{ id, type: 'paragraph', children },
  paragraph: { rich_text: [{ plain_text: text }] },
});
const listed = async () => (await documents.list(access, values, null)).documents.map(({ name }) => name).sort();
const textOf = async (id: string) => {
  const { documents: found } = await documents.list(access, values, null);
  const document = found.find((one) => one.id === id);
  const { bytes } = await documents.read(access, document as (typeof found)[number], values);
  return Buffer.from(bytes).toString('utf8');
};
const draft = (lines: number): RemoteDraft => ({
  ...{ key: 'k1', name: 'Plan.md', type: 'text/markdown', bytes: new Uint8Array() },
  ...{ text: Array.from({ length: lines }, (_, at) => `Line ${at}`).join('\n') },
  link: 'https://arc.example/workspace?draft=k1',
});
const draftLines = (id: string) => fake.pages.get(id)?.blocks.length;
const idOf = (url: string) => url.split('/').at(-1) ?? '';

describe('pages', () => {
  test('below the chosen one are read at any depth, also in a block or a table; others and the trash are not', async () => {
    fake.put('a', { title: 'A' });
    fake.put('b', { title: 'B', parent: { type: 'page_id', page_id: 'a' } });
    fake.put('c', { title: 'C', parent: { type: 'block_id', block_id: 'a1' } });
    fake.put('a', { title: 'A', blocks: [paragraph('a1', 'Toggle')] });
    fake.put('gone', { title: 'Gone', isTrashed: true });
    fake.put('else', { title: 'Elsewhere', parent: { type: 'workspace' } });
    fake.put('lost', { title: 'Lost', parent: { type: 'page_id', page_id: 'not-allowed' } });
    fake.put('loop', { title: 'Loop', parent: { type: 'page_id', page_id: 'loop' } });
    expect(await listed()).toEqual(['A', 'B', 'C', 'Safety case']);
  });

  test('are read with blocks in blocks, page by page', async () => {
    fake.setPageSize(2);
    const inner = [paragraph('i1', 'Inner 1'), paragraph('i2', 'Inner 2'), paragraph('i3', 'Inner 3')];
    fake.put('a', {
      title: 'A',
      blocks: [paragraph('1', 'One', inner), paragraph('2', 'Two'), paragraph('3', 'Three')],
    });
    fake.put('below', {
      title: 'Below',
      parent: { type: 'page_id', page_id: 'a' },
      blocks: [paragraph('x', 'Its own')],
    });
    const text = ['# A', 'One', 'Inner 1', 'Inner 2', 'Inner 3', 'Two', 'Three', '[Below]'].join('\n\n');
    expect(await textOf('a')).toBe(`${text}\n`);
  });

  test('say where the rest was not read', async () => {
    let block = paragraph('deepest', 'Deepest');
    for (let depth = 0; depth < 14; depth += 1) block = paragraph(`d${depth}`, `Depth ${depth}`, [block]);
    fake.put('a', { title: 'A', blocks: [block] });
    const text = await textOf('a');
    expect(text).not.toContain('Deepest');
    expect(text).toContain('The rest of this page was not read');
  });

  test('that the search leaves out are asked for before they count as gone', async () => {
    fake.put('a', { title: 'A' });
    fake.hideFromSearch('a');
    expect(await listed()).toEqual(['Safety case']);
    expect(await documents.isGone?.(access, values, 'a')).toBe(false);
    fake.put('a', { title: 'A', isTrashed: true });
    expect(await documents.isGone?.(access, values, 'a')).toBe(true);
    fake.put('a', { title: 'A', isTrashed: false, parent: { type: 'workspace' } });
    expect(await documents.isGone?.(access, values, 'a')).toBe(true);
    fake.pages.delete('a');
    expect(await documents.isGone?.(access, values, 'a')).toBe(true);
    fake.fail(503, 'down', 3);
    await expect(documents.isGone?.(access, values, 'a')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('are waited for where Notion’s limit is reached', async () => {
    fake.limit(2);
    expect(await listed()).toEqual(['Safety case']);
    fake.limit(3);
    await expect(listed()).rejects.toMatchObject({ kind: 'unavailable', message: 'it answers 429' });
  });
});

describe('a draft', () => {
  test.each([
    [99, 1],
    [100, 2],
    [250, 3],
  ])('of %i lines is saved whole, in %i calls of at most a hundred blocks', async (lines, calls) => {
    const id = idOf(await documents.save(access, values, draft(lines)));
    // The link to Arc is a block of its own.
    expect(draftLines(id)).toBe(lines + 1);
    const writes = fake.asked.filter(({ body }) => body?.includes('children'));
    expect(writes).toHaveLength(calls);
  });

  test('that a crash left unfinished is completed, and not begun again', async () => {
    const path = '/v1/pages';
    fake.failAfter(path, 503, 3);
    await expect(documents.save(access, values, draft(250))).rejects.toMatchObject({ kind: 'unavailable' });
    fake.recover();
    const id = idOf(await documents.save(access, values, draft(250)));
    expect(draftLines(id)).toBe(251);
    expect([...fake.pages.values()].filter(({ title }) => title === 'Plan')).toHaveLength(1);
    await documents.save(access, values, { ...draft(1), link: 'https://arc.example/workspace?draft=k2' });
    expect([...fake.pages.values()].filter(({ title }) => title === 'Plan')).toHaveLength(2);
  });
});
