/** @environment teams */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../factories/person.ts';
import { sweepNow } from '../factories/sweepNow.ts';
import { installIn, postWith, startTeamsServer, type TeamsServer } from '../factories/teamsServer.ts';
import { actionsOf, type Organisation, postsOf, wordsOf } from '../fakes/teams/organisation.ts';
import { addConversation, addUser } from '../fakes/teams/server.ts';
import type { Posted } from '../fakes/teams/tenant.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterAll(() => it.stop());

const sampleLog = async () => (await import('../../bot/agents/clinical_safety/sample/readSample.ts')).readSample();
const CONSENT = 'application/vnd.microsoft.teams.card.file.consent';
type Offer = { contentType: string; name: string; content: Record<string, unknown> };
const offerOf = ({ activity }: Posted) =>
  ((activity.attachments ?? []) as Offer[]).find(({ contentType }) => contentType === CONSENT);
const offersIn = ({ tenant }: Organisation) => postsOf(tenant).filter((post) => offerOf(post));

describe('an uploaded file', () => {
  test('in the personal chat starts the same work as on the web', async () => {
    const organisation = await it.connect();
    const { log } = await sampleLog();
    await organisation.sender.drop(organisation.personal, log.fileName, log.bytes, 'analyse');
    await postWith(organisation, /is a hazard log with 25 data rows/);
    await postWith(organisation, /Analysis complete: 25 hazards/);
  });

  test.each([
    ['http://169.254.169.254/latest/meta-data/log.xlsx'],
    ['https://evil.example/log.xlsx'],
    ['https://sharepoint.com.evil.example/log.xlsx'],
    ['https://127.0.0.1@evil.example/log.xlsx'],
    ['file:///etc/passwd'],
    ['no address at all'],
  ])('from %s is not downloaded', async (downloadUrl) => {
    const organisation = await it.connect();
    const { log } = await sampleLog();
    await organisation.sender.drop(organisation.personal, log.fileName, log.bytes, '', { downloadUrl });
    await postWith(organisation, /not on one of Teams’ file hosts/);
  });

  test('that redirects elsewhere is not followed', async () => {
    const organisation = await it.connect();
    const downloadUrl = `${it.teams.url}/files/${organisation.tenant.id}/moved`;
    await organisation.sender.drop(organisation.personal, 'log.xlsx', Buffer.from('x'), '', { downloadUrl });
    await postWith(organisation, /could not fetch the file/);
  });

  test('whose host asks to wait is downloaded later, without a failure notice', async () => {
    const organisation = await it.connect();
    const { log } = await sampleLog();
    it.teams.fail(/GET \/files/, 429, 1, 1);
    await organisation.sender.drop(organisation.personal, log.fileName, log.bytes);
    const { Turn } = await import('../../models/turn.ts');
    const { dangerouslyRunInEveryAccount } = await import('../../models/store/context.ts');
    const { sweepTurns } = await import('../../bot/engine/turns/sweepTurns.ts');
    await eventually(async () => {
      await dangerouslyRunInEveryAccount(() =>
        Turn.updateMany({ status: 'stored', attempts: { $gte: 1 } }, { $set: { dueAt: new Date() } }),
      );
      await sweepTurns();
      return postsOf(organisation.tenant).some((post) => /is a hazard log with 25 data rows/.test(wordsOf(post)));
    }, 'the file to be taken');
    expect(postsOf(organisation.tenant).some((post) => /could not fetch/.test(wordsOf(post)))).toBe(false);
  });

  test('of a kind that is not read, or too large, is reported as such', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    await sender.drop(personal, 'picture.png', Buffer.from('x'));
    await postWith(organisation, /select an Excel/);
    await sender.drop(personal, 'large.csv', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'));
    await postWith(organisation, /smaller than 10MB/);
  });

  test.each(['stalled', 'endless'])('that is too large and %s is given up as soon as that is known', async (name) => {
    const organisation = await it.connect();
    const downloadUrl = `${it.teams.url}/files/${organisation.tenant.id}/${name}`;
    await organisation.sender.drop(organisation.personal, 'log.csv', Buffer.from('x'), '', { downloadUrl });
    await postWith(organisation, /smaller than 10MB/);
  });

  test('in a channel is not available: the notice links to the upload on the web', async () => {
    const organisation = await it.connect();
    const { sender, tenant } = organisation;
    const place = await installIn(organisation, 'channel');
    const mention = { type: 'mention', text: '<at>Arc</at>', mentioned: { id: `28:${tenant.appId}` } };
    const file = { contentType: 'reference', name: 'log.xlsx', contentUrl: 'https://x.sharepoint.com/log.xlsx' };
    await sender.send(
      { ...sender.envelope(place, 'message'), text: '<at>Arc</at>', entities: [mention], attachments: [file] },
      tenant,
    );
    await postWith(organisation, /Teams doesn’t give apps the files[\s\S]*\/arc-chat/);
  });

  test('comes only from the configured hosts, over https, or http to a loopback address', async () => {
    const { isFileAddress } = await import('../../bot/channels/teams/talk/files.ts');
    expect(isFileAddress('http://127.0.0.1:1/x')).toBe(true);
    expect(isFileAddress('https://127.0.0.1/x')).toBe(true);
    expect(isFileAddress('https://x127.0.0.1/x')).toBe(false);
    expect(isFileAddress('ftp://127.0.0.1/x')).toBe(false);
    for (const address of ['https://sharepoint.example/x', 'https://company-my.sharepoint.example/x'])
      expect(isFileAddress(address)).toBe(true);
    for (const address of [
      'https://evilsharepoint.example/x',
      'https://sharepoint.example.evil/x',
      'https://company@sharepoint.example/x',
      'https://company:word@sharepoint.example/x',
      'http://sharepoint.example/x',
    ])
      expect(isFileAddress(address)).toBe(false);
  });
});

describe('results', () => {
  async function offered(organisation: Organisation): Promise<Posted> {
    await organisation.sender.message(organisation.personal, 'Try it with a sample');
    await eventually(async () => offersIn(organisation).length === 2, 'two offers');
    return offersIn(organisation)[0] as Posted;
  }
  const answer = (
    organisation: Organisation,
    post: Posted,
    more: Record<string, unknown>,
    place = organisation.personal,
  ) =>
    organisation.sender.invoke(
      place,
      'fileConsent/invoke',
      { type: 'fileUpload', context: offerOf(post)?.content.acceptContext, ...more },
      { replyToId: post.id },
    );
  const uploadInfo = ({ tenant }: Organisation, name = 'result') => ({
    contentUrl: 'https://x-my.sharepoint.com/result.xlsx',
    uploadUrl: `${it.teams.url}/upload/${tenant.id}/${name}`,
    name: 'result.xlsx',
    uniqueId: 'u-1',
    fileType: 'xlsx',
  });

  /** Waits until the offer is removed, which happens last. */
  const gone = ({ tenant }: Organisation, post: Posted) =>
    eventually(async () => !tenant.posts.has(post.id), 'the offer to go');
  const filesShown = ({ tenant }: Organisation) =>
    postsOf(tenant).filter(({ activity }) => JSON.stringify(activity).includes('card.file.info'));
  const putsOf = ({ tenant }: Organisation) => it.teams.callsOf(new RegExp(`PUT /upload/${tenant.id}/`));

  test('are offered in the personal chat; accepted, they are uploaded to the person’s OneDrive and shown as a file', async () => {
    const organisation = await it.connect();
    const post = await offered(organisation);
    const { log } = await sampleLog();
    expect(offerOf(post)).toMatchObject({ name: log.fileName, content: { sizeInBytes: log.bytes.length } });
    const { status } = await answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation) });
    expect(status).toBe(200);
    await gone(organisation, post);
    expect(organisation.tenant.uploads.get('result')?.bytes.equals(Buffer.from(log.bytes))).toBe(true);
    const shown = postsOf(organisation.tenant).at(-1)?.activity.attachments as Offer[];
    expect(shown[0]).toMatchObject({
      contentType: 'application/vnd.microsoft.teams.card.file.info',
      content: { uniqueId: 'u-1', fileType: 'xlsx' },
    });
  });

  test('that are declined stay in Arc, and the offer disappears', async () => {
    const organisation = await it.connect();
    const post = await offered(organisation);
    await answer(organisation, post, { action: 'decline' });
    await postWith(organisation, /stays in Arc/);
    await gone(organisation, post);
    expect(organisation.tenant.uploads.size).toBe(0);
  });

  test('are uploaded by the outbox: the press is answered at once, and repeated presses upload once', async () => {
    const organisation = await it.connect();
    const post = await offered(organisation);
    it.teams.fail(/PUT \/upload/, 503, 1);
    const accept = () => answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation) });
    const sent = await Promise.all([accept(), accept(), accept()]);
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200]);
    await eventually(async () => putsOf(organisation).length === 1, 'the try that fails');
    expect(organisation.tenant.uploads.size).toBe(0);
    // The host had accepted some of it before it failed.
    const { log } = await sampleLog();
    const [bytes, total] = [Buffer.from(log.bytes), log.bytes.length];
    organisation.tenant.uploads.set('result', { bytes: bytes.subarray(0, 100), total });
    await eventually(async () => {
      await sweepNow();
      return !organisation.tenant.posts.has(post.id);
    }, 'the file to be there');
    expect(organisation.tenant.uploads.get('result')?.bytes.equals(bytes)).toBe(true);
    expect((await accept()).status).toBe(200);
    expect((await answer(organisation, post, { action: 'decline' })).status).toBe(200);
    await sweepNow();
    expect(putsOf(organisation)).toHaveLength(2);
    expect(filesShown(organisation)).toHaveLength(1);
    expect(postsOf(organisation.tenant).some((it) => /stays in Arc/.test(JSON.stringify(it.card)))).toBe(false);
  });

  test('are shown once, even if the answer to that was late', async () => {
    const organisation = await it.connect();
    const post = await offered(organisation);
    it.teams.fail(/POST .*activities/, 503, 1);
    await answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation) });
    await eventually(async () => {
      await sweepNow();
      return filesShown(organisation).length > 0;
    }, 'the file');
    await gone(organisation, post);
    // Uploaded before the failure, it is not uploaded again.
    expect(putsOf(organisation)).toHaveLength(1);
    expect(filesShown(organisation)).toHaveLength(1);
    // As after a crash between showing the file and recording that.
    const { accountId } = organisation.owner.user;
    const done = () => eventually(async () => (await tasksOf(accountId))[0]?.status === 'sent', 'the task to be done');
    await done();
    const { Delivery } = await import('../../models/delivery.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const left = { status: 'due', dueAt: new Date(), attempts: 1 } as const;
    await runInAccount(accountId, () => Delivery.updateMany({ task: { $ne: null } }, { $set: left }));
    await sweepNow();
    await done();
    expect(putsOf(organisation)).toHaveLength(1);
    expect(filesShown(organisation)).toHaveLength(1);
  });

  test('go only to Teams’ own hosts; refused there, they can be accepted once more', async () => {
    const organisation = await it.connect();
    const post = await offered(organisation);
    const accept = (more: Record<string, unknown>) =>
      answer(organisation, post, { action: 'accept', uploadInfo: { ...uploadInfo(organisation), ...more } });
    await accept({ uploadUrl: 'https://evil.example/upload' });
    await postWith(organisation, /nothing was uploaded/);
    await settledTask(organisation);
    // A redirect is not followed.
    await accept({ uploadUrl: uploadInfo(organisation, 'moved-result').uploadUrl });
    await postWith(organisation, /did not confirm that/);
    await settledTask(organisation);
    expect(organisation.tenant.uploads.size).toBe(0);
    expect(organisation.tenant.posts.has(post.id)).toBe(true);
    await accept({});
    await gone(organisation, post);
    expect([...organisation.tenant.uploads.keys()]).toEqual(['result']);
  });

  /** Waits until the accepted upload is given up. */
  const settledTask = ({ owner }: Organisation) =>
    eventually(async () => {
      const rows = await tasksOf(owner.user.accountId);
      return rows.length > 0 && rows.every(({ status }) => status === 'failed');
    }, 'the task to be given up');
  const tasksOf = async (accountId: number) => {
    const { Delivery } = await import('../../models/delivery.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    return runInAccount(accountId, () => Delivery.find({ task: { $ne: null } }).lean());
  };

  test('contain only what was offered in that conversation', async () => {
    const organisation = await it.connect();
    const { tenant, owner, ada } = organisation;
    const post = await offered(organisation);
    const { log } = await sampleLog();
    await organisation.sender.drop(organisation.personal, 'kept-in-arc.xlsx', log.bytes);
    await postWith(organisation, /kept-in-arc\.xlsx/);
    const { messageId, name } = (offerOf(post) as Offer).content.acceptContext as { messageId: string; name: string };
    const accept = (context: object, place = organisation.personal) =>
      answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation), context }, place);
    // A file of the account that this message did not offer.
    expect((await accept({ messageId, name: 'kept-in-arc.xlsx' })).status).toBe(200);
    await postWith(organisation, /file was not found/);
    const elsewhere = { tenant, user: ada, conversation: addConversation(tenant, 'personal', [ada]) };
    await accept({ messageId, name }, elsewhere);
    await postWith(organisation, /file was not found/, elsewhere.conversation);
    expect(await tasksOf(owner.user.accountId)).toEqual([]);
    expect(tenant.uploads.size).toBe(0);
    expect((await answer(organisation, post, { action: 'accept', context: 7 })).status).toBe(400);
    expect((await answer(organisation, post, { action: 'accept' })).status).toBe(400);
  });

  test('are not for strangers, nor for people who were members only when they were offered', async () => {
    const organisation = await it.connect();
    const { tenant, owner } = organisation;
    const post = await offered(organisation);
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const place = { tenant, user: stranger, conversation: addConversation(tenant, 'personal', [stranger]) };
    await answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation) }, place);
    await postWith(organisation, /file was not found/, place.conversation);
    const { Member } = await import('../../models/member.ts');
    const { announce } = await import('../../models/store/revisions.ts');
    await Member.deleteOne({ userId: owner.user.id });
    announce(owner.user.accountId, ['account']);
    await answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation) });
    await postWith(organisation, /do not have permission/);
    expect(tenant.uploads.size).toBe(0);
    expect(tenant.posts.has(post.id)).toBe(true);
  });

  test('are uploaded in ranges if long, and continue where they were interrupted', async () => {
    const { putTeamsFile } = await import('../../bot/channels/teams/talk/files.ts');
    const { tenant } = await it.connect();
    const bytes = Buffer.alloc(9 * 1024 * 1024, 'x');
    const address = `${it.teams.url}/upload/${tenant.id}/long`;
    // The first range is stored, but its answer was lost.
    it.teams.loseAnswer(/PUT \/upload/);
    await expect(putTeamsFile(address, bytes, false)).rejects.toMatchObject({ name: 'TeamsRefusal', answered: 503 });
    await putTeamsFile(address, bytes, true);
    expect(tenant.uploads.get('long')?.bytes.equals(bytes)).toBe(true);
    expect(it.teams.callsOf(new RegExp(`PUT /upload/${tenant.id}/long`))).toHaveLength(2);
  });

  test('continue after ranges that the host already has, and are not uploaded again if complete', async () => {
    const { putTeamsFile } = await import('../../bot/channels/teams/talk/files.ts');
    const { tenant } = await it.connect();
    const bytes = Buffer.alloc(6 * 1024 * 1024, 'x');
    const put = (name: string, again: boolean) =>
      putTeamsFile(`${it.teams.url}/upload/${tenant.id}/${name}`, bytes, again);
    tenant.uploads.set('known', { bytes: bytes.subarray(0, 320 * 1024), total: bytes.length });
    await put('known', false);
    expect(tenant.uploads.get('known')?.bytes.equals(bytes)).toBe(true);
    const refused = { name: 'PermanentError', cause: { answered: 409 } };
    await expect(put('taken-name', false)).rejects.toMatchObject(refused);
    const puts = () => it.teams.callsOf(new RegExp(`PUT /upload/${tenant.id}/taken-name`)).length;
    const before = puts();
    await expect(put('taken-name', true)).rejects.toMatchObject(refused);
    expect(puts()).toBe(before);
  });

  test('whose last answer from the host was lost are reported as uncertain, and uploaded once', async () => {
    const organisation = await it.connect();
    const post = await offered(organisation);
    it.teams.loseAnswer(/PUT \/upload/);
    await answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation) });
    await eventually(async () => putsOf(organisation).length === 1, 'the range');
    await eventually(async () => {
      await sweepNow();
      return toldIn(organisation).length > 0;
    }, 'the word');
    await settledTask(organisation);
    expect(toldIn(organisation)).toHaveLength(1);
    expect(putsOf(organisation)).toHaveLength(1);
    expect(organisation.tenant.posts.has(post.id)).toBe(true);
  });

  test('that can’t be uploaded for too long are given up with a notice, once per acceptance', async () => {
    const organisation = await it.connect();
    const post = await offered(organisation);
    const accept = () => answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation) });
    for (const times of [1, 2]) {
      it.teams.fail(/PUT \/upload/, 503, 12);
      await accept();
      await eventually(async () => {
        await sweepNow();
        return toldIn(organisation).length === times;
      }, 'the word');
      await settledTask(organisation);
      expect(putsOf(organisation)).toHaveLength(12 * times);
      await sweepNow();
      expect(toldIn(organisation)).toHaveLength(times);
      expect(organisation.tenant.posts.has(post.id)).toBe(true);
    }
    await accept();
    await gone(organisation, post);
    expect(organisation.tenant.uploads.size).toBe(1);
    expect(toldIn(organisation)).toHaveLength(2);
  });
  const toldIn = ({ tenant }: Organisation) =>
    postsOf(tenant).filter(({ activity }) => /did not confirm that/.test(JSON.stringify(activity)));

  test('that were uploaded but can’t be shown are reported as uploaded', async () => {
    const { teamsChannel } = await import('../../bot/channels/teams/talk/outbound.ts');
    const uploaded = { uploadInfo: {}, context: { name: 'log.xlsx' } };
    const told = (given: object, step?: string) => teamsChannel.givenUpText?.(given, step ? { step } : null) ?? null;
    expect(told(uploaded)).toMatch(/did not confirm that log\.xlsx/);
    expect(told(uploaded, 'begun')).toMatch(/did not confirm that log\.xlsx/);
    expect(told(uploaded, 'put')).toBe('log.xlsx was saved to your OneDrive.');
    expect(told(uploaded, 'shown')).toBeNull();
    expect(told({ ...uploaded, uploadInfo: null })).toBeNull();
  });

  test('are links to a signed-in page in a group', async () => {
    const organisation = await it.connect();
    const place = await installIn(organisation, 'groupChat');
    await organisation.sender.message(place, 'Try it with a sample');
    const links = await postWith(organisation, /Files in Arc/);
    expect(actionsOf(links.card).every(({ type }) => type === 'Action.OpenUrl')).toBe(true);
    const [link] = actionsOf(links.card) as unknown as { url: string }[];
    expect(new URL(link?.url ?? '').pathname).toMatch(/^\/api\/download\//);
    await it.server
      .browser()
      .get(new URL(link?.url ?? '').pathname)
      .expect(401);
    expect(offersIn(organisation)).toEqual([]);
  });
});
