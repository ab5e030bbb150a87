/** @environment teams */
import { describe, expect, test } from '@jest/globals';
import { profileOf } from '../../../bot/channels/teams/identity/people.ts';
import { notConnectedText } from '../../../bot/channels/teams/install/claims.ts';
import { callerOf, readReference, rosterOf, targetOf } from '../../../bot/channels/teams/install/references.ts';
import {
  addressOf,
  conversationIdOf,
  installationKeyOf,
  placeOf,
  placeOfConversation,
  platformIdOf,
  userIdOf,
} from '../../../bot/channels/teams/platform/address.ts';
import { readRetryAfter, refusalFor, refusalOf, TeamsRefusal } from '../../../bot/channels/teams/platform/refusal.ts';
import { type FileAnswer, givenUpText, type Step } from '../../../bot/channels/teams/talk/handOver.ts';
import { isForAgent, wordsOf } from '../../../bot/channels/teams/talk/inbound.ts';
import { linkToDownload } from '../../../bot/engine/delivery/consent.ts';
import { PermanentError } from '../../../bot/engine/delivery/permanentError.ts';
import { makeActivity } from '../../factories/teamsPlace.ts';

describe('a place in Teams', () => {
  const KEY = 'app/tenant';
  test.each([
    ['19:abc@thread.tacv2;messageid=17', '19:abc@thread.tacv2', '17'],
    ['19:abc@thread.tacv2', '19:abc@thread.tacv2', null],
    ['a:1/2', 'a:1/2', null],
  ])('%s is stored as an address and read back', (id, conversationId, thread) => {
    const place = placeOfConversation(KEY, id);
    expect(place).toEqual({ key: KEY, conversationId, thread });
    const address = addressOf(place);
    expect(address).toEqual({ channel: 'teams', conversation: `${KEY}/${conversationId}`, thread });
    expect(placeOf(address)).toEqual(place);
    expect(conversationIdOf(place)).toBe(id);
  });

  test('belongs to an app in a tenant, in any spelling, as do its people', () => {
    expect(installationKeyOf('APP', 'Tenant')).toBe('app/tenant');
    expect(userIdOf(platformIdOf(KEY, '29:a/b'))).toBe('29:a/b');
  });
});

describe('an error of Teams', () => {
  test.each([
    ...[408, 412, 429, 500, 502, 503, 504, 401].map((answered) => [answered, false] as const),
    ...[400, 403, 404, 405, 409, 410, 413, 501].map((answered) => [answered, true] as const),
  ])('%d is permanent: %s', (answered, isPermanent) => {
    const thrown = refusalFor(answered, null);
    expect(thrown instanceof PermanentError).toBe(isPermanent);
    expect(thrown.message).toBe(`Teams answered ${answered}.`);
    expect(refusalOf(thrown)?.answered).toBe(answered);
    expect(refusalOf(new PermanentError('else'))).toBeNull();
    expect(refusalOf(new Error('else'))).toBeNull();
  });

  test.each([
    [403, null, true],
    [404, null, true],
    [410, null, false],
    [500, null, false],
    [403, 'BotNotInConversationRoster', true],
    [404, 'ConversationNotFound', true],
    [403, 'ConversationBlockedByUser', true],
    [403, 'MessageWritesBlocked', true],
    [403, 'ContentStreamNotAllowed', false],
    [404, 'ActivityNotFoundInConversation', false],
    [400, 'ConversationNotFound', false],
  ])('%d with the code %s ends the conversation: %s', (answered, code, isGone) => {
    expect(new TeamsRefusal(answered, null, { code }).isGone).toBe(isGone);
  });

  test('contains what was answered, and when to retry', () => {
    const cause = new Error('cause');
    const refusal = new TeamsRefusal(429, 30, { code: 'Throttled', words: 'Too fast', cause });
    expect(refusal).toMatchObject({ name: 'TeamsRefusal', answered: 429, code: 'Throttled', words: 'Too fast', cause });
    expect(refusal.message).toBe('Teams answered 429 (Throttled).');
    // Spread over a second, so that calls that failed together don't retry together.
    expect(refusal.retryAfter).toBeGreaterThanOrEqual(30);
    expect(refusal.retryAfter).toBeLessThan(31);
    expect(new TeamsRefusal(500, 0).retryAfter).toBeLessThan(1);
    const plain = new TeamsRefusal(500, null);
    expect(plain).toMatchObject({ message: 'Teams answered 500.', code: null, words: '' });
    expect(plain.retryAfter).toBeUndefined();
  });

  const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);
  test.each([
    ['7', 7],
    ['0', 0],
    ['-3', 0],
    ['1.5', 1.5],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('asks with Retry-After %j for %j seconds', (header, seconds) => {
    expect(readRetryAfter(header, NOW)).toBe(seconds);
  });
});

describe('the words of an activity', () => {
  const mention = (id: string, text: unknown) => ({ type: 'mention', mentioned: { id }, text });
  test.each([
    ['<at>Arc</at> analyse', [mention('28:app', '<at>Arc</at>')], 'analyse'],
    ['<at>Arc</at> and <at>Arc</at>', [mention('28:app', '<at>Arc</at>')], 'and'],
    ['<at>Ben</at> said', [mention('29:ben', '<at>Ben</at>')], '@Ben said'],
    ['<at id="1">Ben</at> said', [], '@Ben said'],
    ['<at>Arc</at> analyse', [{ ...mention('28:app', '<at>Arc</at>'), type: 'other' }], '@Arc analyse'],
    ['<at>Arc</at> analyse', [{ type: 'mention', text: '<at>Arc</at>' }], '@Arc analyse'],
    ['hello', [mention('28:app', '')], 'hello'],
    ['hello', [mention('28:app', 7)], 'hello'],
    ['a&nbsp;b &lt;c&gt; &quot;d&quot; &#39;e&#39; &amp;lt; &euro;', [], 'a b <c> "d" \'e\' &lt; &euro;'],
    ['  a \t b \n  c  ', [], 'a b\nc'],
    [undefined, undefined, ''],
  ])('of %j with %j are %j', (text, entities, words) => {
    const activity = makeActivity();
    expect(wordsOf({ ...activity, text, entities } as typeof activity)).toBe(words);
  });

  const group = { conversation: { id: '19:1', conversationType: 'groupChat' } };
  test.each([
    [{}, true],
    [group, false],
    [{ ...group, entities: [mention('28:app', 'x')] }, true],
    [{ ...group, entities: [mention('29:ben', 'x'), mention('28:app', 'x')] }, true],
    [{ ...group, entities: [mention('29:ben', 'x')] }, false],
    [{ ...group, entities: [{ ...mention('28:app', 'x'), type: 'other' }] }, false],
    [{ ...group, entities: [{ type: 'mention' }] }, false],
  ])('%j are meant for an agent: %s', (change, meant) => {
    expect(isForAgent(makeActivity(change))).toBe(meant);
  });
});

describe('a person’s roster entry', () => {
  const ADA = { id: '29:ada', name: 'Ada', email: 'ada@example.org', tenantId: 'tenant' };
  test.each([
    [ADA, { email: 'ada@example.org', name: 'Ada', stranger: false }],
    [
      { ...ADA, userRole: 'user' },
      { email: 'ada@example.org', name: 'Ada', stranger: false },
    ],
    [
      { ...ADA, tenantId: 'TENANT' },
      { email: 'ada@example.org', name: 'Ada', stranger: false },
    ],
    [
      { ...ADA, tenantId: 'other' },
      { email: 'ada@example.org', name: 'Ada', stranger: true },
    ],
    [
      { ...ADA, userRole: 'guest' },
      { email: 'ada@example.org', name: 'Ada', stranger: true },
    ],
    [
      { ...ADA, userPrincipalName: 'ada_x#EXT#@y' },
      { email: 'ada@example.org', name: 'Ada', stranger: true },
    ],
    [
      { ...ADA, userPrincipalName: 'ada@y' },
      { email: 'ada@example.org', name: 'Ada', stranger: false },
    ],
    [{ id: '29:x' }, { email: null, name: 'Someone in Teams', stranger: true }],
    [
      { id: '29:x', tenantId: 'tenant' },
      { email: null, name: 'Someone in Teams', stranger: false },
    ],
    [null, { email: null, name: 'Someone in Teams', stranger: true }],
  ])('%j is %j', (member, profile) => {
    expect(profileOf(member, 'tenant')).toEqual(profile);
  });
});

describe('the origin of an activity', () => {
  const team = { team: { id: '19:team' } };
  test.each([
    [{}, { kind: 'personal', userId: '29:ada', directoryId: 'directory-ada', teamId: null, conversationId: 'a:1' }],
    [{ from: { id: '29:ada' } }, { kind: 'personal', userId: '29:ada', directoryId: null }],
    [
      { conversation: { id: '19:c;messageid=1' }, channelData: team },
      { kind: 'channel', userId: null, directoryId: null, teamId: '19:team', conversationId: '19:c', key: 'k/19:c' },
    ],
    [{ conversation: { id: '19:g' } }, { kind: 'groupChat', userId: null, teamId: null }],
  ])('%j is stored as %j', (change, kept) => {
    expect(readReference('k', makeActivity(change))).toMatchObject({
      channel: 'teams',
      installationKey: 'k',
      serviceUrl: 'https://smba.example/uk/',
      botId: '28:app',
      ...kept,
    });
  });

  test('is answered as the app of its tenant: the thread, and the roster of its team', () => {
    const registration = { appId: 'app', tenantId: 'tenant', appPassword: 'secret' };
    const installation = { registration } as never;
    const caller = { appId: 'app', tenantId: 'tenant', serviceUrl: 'https://s' };
    const reference = { serviceUrl: 'https://s', conversationId: '19:c', teamId: null } as never;
    expect(callerOf(registration, reference)).toEqual(caller);
    const place = { key: 'k', conversationId: '19:c', thread: '1' };
    expect(targetOf(installation, reference, place)).toEqual({ ...caller, conversationId: '19:c;messageid=1' });
    expect(rosterOf(installation, reference)).toEqual({ ...caller, conversationId: '19:c' });
    const inTeam = { ...(reference as object), teamId: '19:team' } as never;
    expect(rosterOf(installation, inTeam)).toEqual({ ...caller, conversationId: '19:team' });
  });
});

describe('notices', () => {
  const answer = (change: object = {}) => ({ context: { name: 'log.xlsx' }, uploadInfo: {}, ...change }) as FileAnswer;
  const UNSURE = `Teams did not confirm that log.xlsx was saved to your OneDrive. If it is not there, accept it again, or download it in Arc: ${linkToDownload('log.xlsx')}`;
  test.each<[Step | undefined, object, string | null]>([
    [undefined, {}, UNSURE],
    ['begun', {}, UNSURE],
    ['put', {}, 'log.xlsx was saved to your OneDrive.'],
    ['shown', {}, null],
    [undefined, { uploadInfo: null }, null],
    ['put', { uploadInfo: null }, null],
  ])('about a file that is given up at the step %s, %j, say %j', (step, change, text) => {
    expect(givenUpText(answer(change), step)).toBe(text);
  });

  test('to an organisation that is not connected name the remaining step', () => {
    expect(notConnectedText(true)).toMatch(/^One step is left: confirm on .+\/teams-bot/);
    expect(notConnectedText(false)).toMatch(/^Arc is not connected to this organisation\./);
  });
});
