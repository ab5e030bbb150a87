import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { joinByMail, makeBrowser, makeReady } from '../factories/httpPerson.ts';
import { eventually } from '../factories/person.ts';
import { type ServerProcess, startProcess } from '../factories/process.ts';
import { startSmtp } from '../fakes/smtp.ts';
import { teamsEnvironment } from '../fakes/teams/environment.ts';
import { postsOf, verbsOf, wordsOf } from '../fakes/teams/organisation.ts';
import { makeSender, type Place } from '../fakes/teams/sender.ts';
import { addConversation, addUser, type FakeTeams, startTeams } from '../fakes/teams/server.ts';
import { nextId, type Posted, type TeamsUser, type Tenant } from '../fakes/teams/tenant.ts';

const directory = mkdtempSync(join(tmpdir(), 'arc-teams-'));
let teams: FakeTeams;
let smtp: Awaited<ReturnType<typeof startSmtp>> | undefined;
let server: ServerProcess;
let tenant: Tenant;
let user: TeamsUser;
let ben: TeamsUser;
const browser = makeBrowser(() => server.url);
const start = () =>
  startProcess(directory, {
    ...teamsEnvironment(teams, tenant),
    SMTP_URL: smtp?.url ?? '',
    // The work of a killed process can be claimed after six seconds instead of thirty.
    PATIENCE_FACTOR: '0.2',
  });
const chat = (of = user): Place => ({ tenant, user: of, conversation: addConversation(tenant, 'personal', [of]) });
const sender = () => makeSender(teams, () => server.url);

beforeAll(async () => {
  teams = await startTeams();
  tenant = teams.addTenant();
  server = await start();
  await makeReady(browser, 'ada@example.org');
  const registration = { appId: tenant.appId, tenantId: tenant.id, appPassword: tenant.secret };
  await browser.post('/api/teams/connect', registration);
  const [installation] = await browser.get('/api/channels/teams/installations');
  // Anyone in the organisation may ask, because the e-mail of an account made without mail is not verified.
  await browser.put(`/api/channels/teams/installations/${installation.id}`, { admits: 'workspace' });
  user = addUser(tenant, 'Someone', 'someone@example.org');
  const channelConsent = { slack: 'reference-only', teams: 'full' };
  await browser.put('/api/preferences', { channelConsent });
}, 120_000);
afterAll(async () => {
  await server.stop();
  await teams.stop();
  await smtp?.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe('kill -9 with Teams', () => {
  test('acknowledged messages are answered, Teams resends the others, and each is answered once', async () => {
    const messages = Array.from({ length: 30 }, () => ({ place: chat(), id: nextId() }));
    await sender().install(messages[0]?.place as Place);
    const send = ({ place, id }: (typeof messages)[number]) =>
      sender()
        .message(place, 'help', { id })
        .then(
          ({ status }) => status === 200,
          () => false,
        );
    const first = messages.map(send);
    await Promise.race(first);
    await server.kill();
    const acknowledged = await Promise.all(first);
    // From here on there is a mail server, for invited people.
    smtp = await startSmtp();
    server = await start();
    // Resends what was not acknowledged, and sometimes what was.
    const again = messages.filter((_, index) => !acknowledged[index] || index % 5 === 0);
    expect((await Promise.all(again.map(send))).every(Boolean)).toBe(true);
    const answered = () => new Set(postsOf(tenant).map(({ conversationId }) => conversationId));
    await eventually(async () => answered().size === messages.length, 'every reply', 60_000);
    expect(postsOf(tenant)).toHaveLength(messages.length);
  }, 120_000);

  const postsIn = (place: Place) =>
    postsOf(tenant).filter(({ conversationId }) => conversationId === place.conversation.id);

  describe('between an action and its consequences', () => {
    type Asked = { place: Place; question: Posted };
    let onTheWeb: Asked;
    let byTheCard: Asked;
    let offered: { place: Place; offer: Posted };

    async function askIn(place: Place): Promise<Asked> {
      await sender().message(place, 'Try it with a sample');
      await eventually(async () => postsIn(place).some((post) => /sample/.test(wordsOf(post))), 'the sample');
      await sender().message(place, 'Analyse my hazard log');
      const question = await eventually(
        async () => postsIn(place).find(({ card }) => JSON.stringify(card ?? {}).includes('"refresh"')),
        'the question',
        40_000,
      );
      return { place, question };
    }
    const idOf = ({ question }: Asked) => Number(/interrupt=(\d+)/.exec(JSON.stringify(question.card))?.[1]);

    async function offerIn(place: Place) {
      await sender().message(place, 'Try it with a sample');
      const offer = await eventually(
        async () => postsIn(place).find(({ activity }) => JSON.stringify(activity).includes('file.consent')),
        'the offer',
      );
      return { place, offer };
    }

    /** Accepts the file, with an upload address that does not work yet. */
    function accept({ place, offer }: { place: Place; offer: Posted }) {
      const [card] = offer.activity.attachments as { content: { acceptContext: unknown } }[];
      const uploadInfo = {
        contentUrl: 'https://x.sharepoint.com/x',
        uploadUrl: `${teams.url}/upload/${tenant.id}/crash`,
        name: 'x',
        uniqueId: 'u',
        fileType: 'xlsx',
      };
      const value = { type: 'fileUpload', action: 'accept', context: card?.content.acceptContext, uploadInfo };
      return sender().invoke(place, 'fileConsent/invoke', value, { replyToId: offer.id });
    }

    // One kill for all of them, each in a conversation of its own.
    beforeAll(async () => {
      // The person who answers joined with a mailed invitation, which verified their e-mail.
      const invited = { email: 'ben@example.org', roles: ['deputy'], firstName: 'Ben' };
      await joinByMail(browser, () => server.url, smtp as NonNullable<typeof smtp>, invited);
      ben = addUser(tenant, 'Ben in Teams', 'ben@example.org');
      onTheWeb = await askIn(chat());
      byTheCard = await askIn(chat(ben));
      offered = await offerIn(chat(ben));
      teams.fail(/upload/, 503, 1000);
      const [, pressed, accepted] = await Promise.all([
        browser.patch(`/api/interrupts/${idOf(onTheWeb)}/resolve`, { approved: true }),
        sender().execute(byTheCard.place, 'approve', { interruptId: idOf(byTheCard) }, byTheCard.question.id),
        accept(offered),
      ]);
      await server.kill();
      expect([pressed.status, accepted.status]).toEqual([200, 200]);
      expect(tenant.uploads.size).toBe(0);
      teams.recover();
      server = await start();
    }, 150_000);

    test.each([
      ['on the web', () => onTheWeb],
      ['by the card’s button', () => byTheCard],
    ])(
      'an answer, given %s: the run ends once, the card is closed',
      async (_where, asked) => {
        const { place, question } = asked();
        const recorded = () => postsIn(place).filter((post) => /Review recorded/.test(wordsOf(post)));
        await eventually(async () => recorded().length > 0, 'the record', 60_000);
        await eventually(
          async () => {
            const now = tenant.posts.get(question.id);
            return now !== undefined && now.updates > 0 && verbsOf(now.card).length === 0;
          },
          'the buttons gone',
          60_000,
        );
        expect(recorded()).toHaveLength(1);
      },
      150_000,
    );

    test('an accepted file: it is uploaded once', async () => {
      const { place, offer } = offered;
      await eventually(async () => !tenant.posts.has(offer.id), 'the offer to go', 60_000);
      const { bytes, total } = tenant.uploads.get('crash') ?? {};
      expect(bytes?.length).toBe(total);
      const shown = postsIn(place).filter(({ activity }) => JSON.stringify(activity).includes('card.file.info'));
      expect(shown).toHaveLength(1);
    }, 120_000);
  });
});
