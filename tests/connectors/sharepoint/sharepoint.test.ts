import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { draftName } from '../../../bot/connectors/sharepoint/documents.ts';
import { sharepoint } from '../../../bot/connectors/sharepoint/index.ts';
import type { Access, DocumentSource, RemoteDraft } from '../../../bot/engine/connectors/connector.ts';
import { CursorRefused } from '../../../bot/engine/connectors/failure.ts';
import { directAccess } from '../../factories/directAccess.ts';
import { startSharepoint } from '../../fakes/sharepoint.ts';

const documents = sharepoint.documents as DocumentSource;
const values = { library: 'b!1/Safety: Documents' };
let fake: Awaited<ReturnType<typeof startSharepoint>>;
let access: Access;
beforeAll(async () => {
  fake = await startSharepoint();
  access = directAccess(sharepoint, fake);
});
afterAll(() => fake.stop());
beforeEach(() => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  fake.items.clear();
});
afterEach(() => {
  jest.restoreAllMocks();
  fake.recover();
  fake.setPageSize(200);
});

/** Everything from a cursor to the last page. */
async function list(from: string | null) {
  const [names, gone]: [string[], string[]] = [[], []];
  for (let cursor = from; ; ) {
    const page = await documents.list(access, values, cursor);
    names.push(...page.documents.map(({ name }) => name));
    gone.push(...(page.gone ?? []));
    cursor = page.next;
    if (cursor === null) return { names, gone, mark: page.mark ?? null };
  }
}
const draft = (change: Partial<RemoteDraft> = {}): RemoteDraft => ({
  ...{ key: '0123456789ab', name: 'Plan.md', type: 'text/markdown', bytes: Buffer.from('Plan'), text: 'Plan' },
  ...{ link: 'https://arc.example/workspace?draft=k1', ...change },
});

test('sites and libraries are chosen together; a site that may not be read is left out', async () => {
  fake.setPageSize(1);
  expect((await sharepoint.scope?.readOptions(access))?.library).toEqual([
    { value: 'b!1/Safety: Documents', label: 'Safety: Documents' },
    { value: 'b!2/Safety: Private', label: 'Safety: Private' },
  ]);
  expect(sharepoint.scope?.describe(values)).toBe('library Safety: Documents');
});

describe('changes', () => {
  test('are listed page by page from where the last listing ended, with what is gone', async () => {
    fake.setPageSize(1);
    fake.put('folder', { name: 'Plans', isFolder: true });
    fake.put('a', { name: 'a.md', parent: 'folder' });
    for (const name of ['b.docx', 'c.txt', 'd.png', 'e.pdf']) fake.put(name.slice(0, 1), { name });
    fake.put('other', { name: 'other.md', drive: 'b!2' });
    const first = await list(null);
    expect(first.names).toEqual(['a.md', 'b.docx', 'c.txt']);
    fake.put('a', { name: 'renamed.md' });
    fake.put('b', { name: 'b.zip' });
    fake.remove('c');
    fake.put('n', { name: 'new.md' });
    const second = await list(first.mark);
    expect({ names: second.names, gone: second.gone }).toEqual({ names: ['renamed.md', 'new.md'], gone: ['b', 'c'] });
    expect(await list(second.mark)).toMatchObject({ names: [], gone: [] });
  });

  test('are not trusted after a folder was deleted, because what was in it is not named', async () => {
    fake.put('folder', { name: 'Plans', isFolder: true });
    fake.put('a', { name: 'a.md', parent: 'folder' });
    const { mark } = await list(null);
    fake.remove('folder');
    await expect(list(mark)).rejects.toBeInstanceOf(CursorRefused);
    expect((await list(null)).names).toEqual([]);
  });

  test('are not listed from a token that Microsoft has forgotten', async () => {
    const { mark } = await list(null);
    fake.forgetTokens();
    await expect(list(mark)).rejects.toBeInstanceOf(CursorRefused);
  });

  test.each([403, 404])('of a library that answers %i are refused, and nothing counts as gone', async (status) => {
    const { mark } = await list(null);
    fake.fail(status, 'accessDenied');
    await expect(list(mark)).rejects.toMatchObject({ kind: 'refused', name: 'ProviderFailure' });
  });
});

test('a file is downloaded from where Microsoft sends to', async () => {
  fake.put('a', { name: 'a.md', content: 'The dose.' });
  const { documents: found } = await documents.list(access, values, null);
  const { fileName, bytes } = await documents.read(access, found[0] as (typeof found)[number], values);
  expect([fileName, Buffer.from(bytes).toString('utf8')]).toEqual(['a.md', 'The dose.']);
});

describe('a draft', () => {
  test('that was saved right before a crash is found by its name, and not replaced', async () => {
    const link = await documents.save(access, values, draft());
    expect(link).toContain('Plan%20(Arc%2001234567).md');
    expect(await documents.save(access, values, draft({ bytes: Buffer.from('Later') }))).toBe(link);
    expect([...fake.items.values()].map(({ content }) => content)).toEqual(['Plan']);
    await documents.save(access, values, draft({ key: 'fedcba9876543210' }));
    expect(fake.items.size).toBe(2);
  });

  test('is refused where Microsoft refuses it', async () => {
    fake.fail(403, 'accessDenied');
    await expect(documents.save(access, values, draft())).rejects.toMatchObject({ kind: 'refused' });
    fake.fail(423, 'locked');
    await expect(documents.save(access, values, draft())).rejects.toMatchObject({ kind: 'refused' });
  });

  test.each([
    ['Plan.docx', 'Plan (Arc 01234567).docx'],
    ['Plan 1:2 "a/b" <c>|d?*.md', 'Plan 1-2 -a-b- -c--d-- (Arc 01234567).md'],
    ['~ .Plan B', 'Plan B (Arc 01234567)'],
    ['...', 'Draft (Arc 01234567)'],
    ['v1.2 Plan.xlsx', 'v1.2 Plan (Arc 01234567).xlsx'],
  ])('with the name %s is called %s', (name, called) => expect(draftName(name, '0123456789')).toBe(called));
});
