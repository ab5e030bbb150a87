/** @environment teams */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../models/contracts/limits.ts';
import { eventually } from '../factories/person.ts';
import { installIn, postWith, startTeamsServer, type TeamsServer } from '../factories/teamsServer.ts';
import type { Organisation } from '../fakes/teams/organisation.ts';
import { addUser } from '../fakes/teams/server.ts';
import type { Posted } from '../fakes/teams/tenant.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterAll(() => it.stop());

const ANSWER = /I never set a severity/;
async function keptIn({ owner }: Organisation): Promise<unknown[]> {
  const [{ Message }, { runInAccount }] = await Promise.all([
    import('../../models/message.ts'),
    import('../../models/store/context.ts'),
  ]);
  const rows = await runInAccount(owner.user.accountId, () => Message.find({ feedback: { $ne: null } }).lean());
  return rows.map(({ text, feedback }) => [ANSWER.test(text), feedback?.value, feedback?.reason]);
}
/** The answer to a question, once its delivery knows its id. */
async function answered(organisation: Organisation, place = organisation.personal): Promise<Posted> {
  await organisation.sender.message(place, 'help');
  const post = await postWith(organisation, ANSWER, place.conversation);
  const { Delivery } = await import('../../models/delivery.ts');
  const { runInAccount } = await import('../../models/store/context.ts');
  await eventually(
    () =>
      runInAccount(organisation.owner.user.accountId, async () =>
        JSON.stringify(await Delivery.find({ surface: 'teams', status: 'sent' }).lean()).includes(post.id),
      ),
    'the id of the answer',
  );
  return post;
}

describe('a thumb below an answer in Teams', () => {
  test.each(['personal', 'groupChat', 'channel'] as const)(
    'is kept with the answer in a %s, with its reason',
    async (type) => {
      const organisation = await it.connect();
      const { sender } = organisation;
      const place = type === 'personal' ? organisation.personal : await installIn(organisation, type);
      const post = await answered(organisation, place);
      expect(post.activity.channelData).toMatchObject({ feedbackLoop: { type: 'default' } });
      expect(await sender.judge(place, 'like', '', post.id)).toMatchObject({ status: 200, body: {} });
      expect(await keptIn(organisation)).toEqual([[true, 'good', '']]);
      const words = 'r'.repeat(LIMITS.feedbackReason + 1);
      expect(await sender.judge(place, 'dislike', words, post.id)).toMatchObject({ status: 200, body: {} });
      expect(await keptIn(organisation)).toEqual([[true, 'bad', words.slice(0, -1)]]);
    },
  );

  test('of somebody who may not speak there, of another chat or on nothing is refused', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant } = organisation;
    const guest = addUser(tenant, 'Guest', 'guest@example.com', { userRole: 'guest' });
    const group = await installIn(organisation, 'groupChat', [guest]);
    const [inChat, inGroup] = [await answered(organisation), await answered(organisation, group)];
    const refused = [
      await sender.judge({ ...group, user: guest }, 'like', '', inGroup.id),
      await sender.judge(group, 'like', '', inChat.id),
      await sender.judge(personal, 'like', '', '1'),
      await sender.judge(personal, 'constructor', '', inChat.id),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 404, 404, 400]);
    expect(await keptIn(organisation)).toEqual([]);
  });
});
