/** @environment slack */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addressOf, isDirect, placeOf } from '../../../bot/channels/slack/address.ts';
import type { SlackInstallation, SlackTokens } from '../../../bot/channels/slack/installations.ts';
import { identifySlackUser, platformIdOf, slackIdOf } from '../../../bot/channels/slack/people.ts';
import { personaOf } from '../../../bot/channels/slack/persona.ts';
import { ChannelIdentity } from '../../../models/channelIdentity.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { slack } from '../../environments/slack.ts';
import { type Server, startServer } from '../../factories/server.ts';
import { connectWorkspace } from '../../factories/slackPlace.ts';

let server: Server;
let made: Awaited<ReturnType<typeof connectWorkspace>>;
beforeAll(async () => {
  server = await startServer();
  made = await connectWorkspace(slack);
});
afterAll(() => server.stop());

test.each([
  [
    { key: 'T1', channel: 'C1', thread: null },
    { channel: 'slack', conversation: 'T1:C1', thread: null },
  ],
  [
    { key: 'T1', channel: 'D1', thread: '1.2' },
    { channel: 'slack', conversation: 'T1:D1', thread: '1.2' },
  ],
] as const)('the place %j is stored as %j, and read back', (place, address) => {
  expect(addressOf(place)).toEqual(address);
  expect(placeOf(address)).toEqual(place);
});

test.each([
  ['D1', true],
  ['C1D', false],
  ['G1', false],
])('%s is a direct chat: %s', (channel, direct) => {
  expect(isDirect(channel)).toBe(direct);
});

test.each([
  [null, null, {}],
  ['clinical_safety', null, {}],
  [null, 'Clara', { username: 'Clara' }],
  ['nobody', 'Clara', { username: 'Clara' }],
  ['clinical_safety', 'Clara', { username: 'Clara, Clinical safety officer' }],
])('the agent %j called %j posts as %j, with a picture only if Slack can fetch it', (id, name, persona) => {
  expect(personaOf(id, name)).toEqual(persona);
});

test('a person is identified by the installation and their own id', () => {
  const id = platformIdOf({ row: { key: 'T1' } } as SlackInstallation, 'U7');
  expect([id, slackIdOf(id)]).toEqual(['T1:U7', 'U7']);
});

describe('a person’s identity', () => {
  let number = 0;
  type Person = Partial<Parameters<typeof made.workspace.users.set>[1]> & { enterprise?: string };
  const identify = async (person: Person | null, tokens: Partial<SlackTokens> = {}) => {
    const { workspace, find, accountId } = made;
    number += 1;
    const id = `U${number}`;
    workspace.users.delete(id);
    if (person) workspace.users.set(id, { id, email: `Someone${number}@example.org`, name: 'Someone', ...person });
    const installation = await find();
    const given = { ...installation, tokens: { ...installation.tokens, ...tokens } };
    const { name } = await runInAccount(accountId, () => identifySlackUser(given, id));
    const row = await runInAccount(accountId, () =>
      ChannelIdentity.findOne({ platformId: `${made.key}:${id}` }).lean(),
    );
    return { name, stranger: row?.stranger, email: row?.email };
  };

  test('is what Slack returns', async () => {
    expect(await identify({ name: 'Ada Okafor' })).toEqual({
      name: 'Ada Okafor',
      stranger: false,
      email: `someone${number}@example.org`,
    });
    expect(await identify({ email: null })).toMatchObject({ stranger: false, email: null });
    expect(await identify({ name: 'Ada', more: { profile: {} } })).toMatchObject({ name: 'Ada' });
    expect(await identify({ name: 'Ada', more: { real_name: 'Ada O.' } })).toMatchObject({ name: 'Ada' });
    expect(await identify({ more: { profile: {}, real_name: undefined } })).toMatchObject({ name: 'Someone in Slack' });
    expect(await identify(null)).toEqual({ name: 'Someone in Slack', stranger: true, email: null });
  });

  test.each([
    ['is_bot', true],
    ['deleted', true],
    ['is_restricted', true],
    ['is_ultra_restricted', true],
    ['is_stranger', true],
    ['is_admin', false],
  ])('with %s is that of a stranger: %s', async (word, stranger) => {
    expect((await identify({ more: { [word]: true } })).stranger).toBe(stranger);
  });

  test('from another workspace is that of a stranger', async () => {
    expect((await identify({ team: 'TOTHER' })).stranger).toBe(true);
  });

  test.each([
    ['a workspace of an organisation knows its own', 'E1', false, undefined, false],
    ['and whoever is of the organisation', 'E1', true, 'E1', false],
    ['but not people of another organisation', 'E1', true, 'E2', true],
    ['a single workspace does not go by an organisation', null, true, 'E1', true],
    ['nor by a missing one', null, true, null, true],
  ])('%s', async (_what, enterpriseId, isElsewhere, enterprise, stranger) => {
    const more = { ...(enterprise === undefined ? {} : { enterprise_user: { enterprise_id: enterprise } }) } as never;
    const person = { ...(isElsewhere ? { team: 'TOTHER' } : {}), more };
    expect((await identify(person, { enterpriseId })).stranger).toBe(stranger);
  });

  test.each([
    ['E1', false],
    ['E2', true],
    [undefined, true],
  ])('in an organisation is judged by %s: a stranger %s', async (enterprise, stranger) => {
    const more = { ...(enterprise ? { enterprise_user: { enterprise_id: enterprise } } : {}) } as never;
    expect((await identify({ more }, { teamId: null, enterpriseId: 'E1' })).stranger).toBe(stranger);
  });

  test.each(['user_not_found', 'user_not_visible', 'users_not_found'])(
    'is unknown to us if Slack says %s',
    async (refusal) => {
      slack.refuse('users.info', refusal);
      expect(await identify({})).toMatchObject({ name: 'Someone in Slack', stranger: true });
    },
  );

  test('is undecided if Slack fails', async () => {
    slack.refuse('users.info', 'missing_scope');
    await expect(identify({})).rejects.toThrow('missing_scope');
  });
});
