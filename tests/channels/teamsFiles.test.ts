import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../factories/person.ts';
import { installIn, postWith, startTeamsServer, type TeamsServer } from '../factories/teamsServer.ts';
import { actionsOf, type Organisation, postsOf } from '../fakes/teams/organisation.ts';
import { addConversation, addUser } from '../fakes/teams/server.ts';
import type { Posted } from '../fakes/teams/tenant.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterAll(() => it.stop());

const sampleLog = async () => (await import('../../bot/engine/hazards/sample/readSample.ts')).readSample();
const CONSENT = 'application/vnd.microsoft.teams.card.file.consent';
type Offer = { contentType: string; name: string; content: Record<string, unknown> };
const offerOf = ({ activity }: Posted) =>
  ((activity.attachments ?? []) as Offer[]).find(({ contentType }) => contentType === CONSENT);
const offersIn = ({ tenant }: Organisation) => postsOf(tenant).filter((post) => offerOf(post));

describe('a file that is dropped', () => {
  test('into the personal chat starts the same work as on the web', async () => {
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
  ])('from %s is not fetched', async (downloadUrl) => {
    const organisation = await it.connect();
    const { log } = await sampleLog();
    await organisation.sender.drop(organisation.personal, log.fileName, log.bytes, '', { downloadUrl });
    await postWith(organisation, /not kept where Teams keeps files/);
  });

  test('that is moved elsewhere is not followed', async () => {
    const organisation = await it.connect();
    const downloadUrl = `${it.teams.url}/files/${organisation.tenant.id}/moved`;
    await organisation.sender.drop(organisation.personal, 'log.xlsx', Buffer.from('x'), '', { downloadUrl });
    await postWith(organisation, /could not fetch the file/);
  });

  test('of a kind that is not read, or too large, is told for what it is', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    await sender.drop(personal, 'picture.png', Buffer.from('x'));
    await postWith(organisation, /select an Excel/);
    await sender.drop(personal, 'large.csv', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'));
    await postWith(organisation, /smaller than 10MB/);
  });

  test('into a channel can’t be had: a link to the upload on the web says how it goes on', async () => {
    const organisation = await it.connect();
    const { sender, tenant } = organisation;
    const place = await installIn(organisation, 'channel');
    const mention = { type: 'mention', text: '<at>Arc</at>', mentioned: { id: `28:${tenant.appId}` } };
    const file = { contentType: 'reference', name: 'log.xlsx', contentUrl: 'https://x.sharepoint.com/log.xlsx' };
    await sender.send(
      { ...sender.envelope(place, 'message'), text: '<at>Arc</at>', entities: [mention], attachments: [file] },
      tenant,
    );
    await postWith(organisation, /Teams gives apps no files[\s\S]*\/arc-chat/);
  });

  test('the hosts of files are those that are set, over https, or http to a loopback address', async () => {
    const { isFileAddress } = await import('../../bot/channels/teams/files.ts');
    expect(isFileAddress('http://127.0.0.1:1/x')).toBe(true);
    expect(isFileAddress('https://127.0.0.1/x')).toBe(true);
    expect(isFileAddress('https://x127.0.0.1/x')).toBe(false);
    expect(isFileAddress('ftp://127.0.0.1/x')).toBe(false);
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

  test('are offered in the personal chat; accepted, they are put where they may go, and shown as a file', async () => {
    const organisation = await it.connect();
    const post = await offered(organisation);
    const { log } = await sampleLog();
    expect(offerOf(post)).toMatchObject({ name: log.fileName, content: { sizeInBytes: log.bytes.length } });
    const { status } = await answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation) });
    expect(status).toBe(200);
    expect(organisation.tenant.uploads.get('result')?.bytes.equals(Buffer.from(log.bytes))).toBe(true);
    const shown = postsOf(organisation.tenant).at(-1)?.activity.attachments as Offer[];
    expect(shown[0]).toMatchObject({
      contentType: 'application/vnd.microsoft.teams.card.file.info',
      content: { uniqueId: 'u-1', fileType: 'xlsx' },
    });
    expect(organisation.tenant.posts.has(post.id)).toBe(false);
  });

  test('declined, they stay in Arc, and the offer is gone', async () => {
    const organisation = await it.connect();
    const post = await offered(organisation);
    await answer(organisation, post, { action: 'decline' });
    await postWith(organisation, /stays in Arc/);
    expect(organisation.tenant.posts.has(post.id)).toBe(false);
    expect(organisation.tenant.uploads.size).toBe(0);
  });

  test('go nowhere but to Teams’ own hosts, hold only what was offered, and are not for strangers', async () => {
    const organisation = await it.connect();
    const { tenant } = organisation;
    const post = await offered(organisation);
    await answer(organisation, post, {
      action: 'accept',
      uploadInfo: { ...uploadInfo(organisation), uploadUrl: 'https://evil.example/upload' },
    });
    await postWith(organisation, /nothing was put there/);
    const { messageId } = (offerOf(post) as Offer).content.acceptContext as { messageId: string };
    const context = { messageId, name: 'someone-elses.xlsx' };
    await answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation), context });
    await postWith(organisation, /file was not found/);
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const place = { tenant, user: stranger, conversation: addConversation(tenant, 'personal', [stranger]) };
    await answer(organisation, post, { action: 'accept', uploadInfo: uploadInfo(organisation) }, place);
    expect(tenant.uploads.size).toBe(0);
    expect((await answer(organisation, post, { action: 'accept', context: 7 })).status).toBe(400);
  });

  test('long ones go in ranges', async () => {
    const { putTeamsFile } = await import('../../bot/channels/teams/files.ts');
    const { tenant } = await it.connect();
    const bytes = Buffer.alloc(9 * 1024 * 1024, 'x');
    await putTeamsFile(`${it.teams.url}/upload/${tenant.id}/long`, bytes);
    expect(tenant.uploads.get('long')?.bytes.equals(bytes)).toBe(true);
  });

  test('in a group they are links that ask for signing in', async () => {
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
