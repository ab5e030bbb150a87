/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { keepProject, previewUrl, readPreview, readProjects } from '../../../bot/engine/files/projects.ts';
import { StoredFile } from '../../../models/file.ts';
import { keepFile } from '../../../models/files.ts';
import type { ProjectRow } from '../../../models/project.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { inEveryAccount } from '../../factories/turns.ts';

connectTestStore();
let mine = 0;
let theirs = 0;
beforeEach(() => {
  [mine, theirs] = [nextNumber(), nextNumber()];
});

/** Stores a page, and the project that shows it. */
async function keep(accountId: number, more: Partial<ProjectRow> = {}): Promise<ProjectRow> {
  const key = more.key ?? String(nextNumber());
  const file = { accountId, name: `${key}.html`, kind: 'export', type: 'text/html', key };
  const page = await inEveryAccount(() => keepFile({ ...file, bytes: Buffer.from(`<p>${accountId}`) }));
  return inEveryAccount(() =>
    keepProject({
      accountId,
      userAgentId: 5,
      agentId: 'designer',
      runId: new Types.ObjectId(),
      key,
      name: 'Pulse',
      objective: 'Record pulse',
      status: 'ready',
      previewFileId: page._id,
      files: [],
      ...more,
    }),
  );
}
const idsOf = (rows: readonly ProjectRow[]) => rows.map(({ _id }) => _id);
const show = (accountId: number, { _id }: ProjectRow) => inEveryAccount(() => readPreview(accountId, _id));

describe('a project', () => {
  test('is stored once per key in its first version, and another account has its own', async () => {
    const first = await keep(mine, { key: 'run:1' });
    expect(await keep(mine, { key: 'run:1', name: 'Another' })).toMatchObject({ _id: first._id, name: 'Pulse' });
    const other = await keep(theirs, { key: 'run:1', name: 'Theirs' });
    expect(other).toMatchObject({ accountId: theirs, name: 'Theirs' });
    expect(other._id).not.toBe(first._id);
  });

  test('created twice at the same moment is one', async () => {
    const made = await Promise.all([keep(mine, { key: 'run:2' }), keep(mine, { key: 'run:2' })]);
    expect(new Set(idsOf(made)).size).toBe(1);
  });

  test('is listed only for its agent, newest first, fifty at most', async () => {
    const [one, two] = [await keep(mine), await keep(mine)];
    await keep(mine, { userAgentId: 6 });
    await keep(theirs);
    const read = () => inEveryAccount(() => readProjects(mine, 5));
    expect(idsOf(await read())).toEqual([two._id, one._id]);
    for (let count = 0; count < 49; count += 1) await keep(mine, { previewFileId: one.previewFileId });
    const most = idsOf(await read());
    expect(most).toHaveLength(50);
    expect(most).not.toContain(one._id);
  });
});

describe('a project’s page', () => {
  test('is shown only to its account', async () => {
    const project = await keep(mine);
    expect(String(await show(mine, project))).toBe(`<p>${mine}`);
    expect(await show(theirs, project)).toBeNull();
    expect(previewUrl(project)).toBe(`/api/replit/preview/${project._id}`);
  });

  test('is gone after it expires', async () => {
    const project = await keep(mine);
    await inEveryAccount(() =>
      StoredFile.updateOne({ _id: project.previewFileId }, { $set: { expiresAt: new Date(0) } }),
    );
    await expect(show(mine, project)).rejects.toMatchObject({ code: 'expired' });
  });
});
