/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  isEnabled,
  noteConnection,
  readIntegrations,
  toggleIntegration,
} from '../../../bot/engine/accounts/integrations.ts';
import { completeStep, readOnboarding } from '../../../bot/engine/accounts/onboarding.ts';
import { changePreferences, readPreferences } from '../../../bot/engine/preferences/preferences.ts';
import { Account } from '../../../models/account.ts';
import { AutomationJob } from '../../../models/automationJob.ts';
import { ONBOARDING_STEPS } from '../../../models/contracts/account.ts';
import { INTEGRATIONS, integrationIdOf, integrationsReady } from '../../../models/contracts/integrations.ts';
import { leastConsent } from '../../../models/contracts/preferences.ts';
import { IntegrationSetting } from '../../../models/integrationSetting.ts';
import { Member } from '../../../models/member.ts';
import type { Who } from '../../../models/policies/who.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { User } from '../../../models/user.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../factories/account.ts';
import { addMember, auditOf, collectChanges, join } from '../../factories/members.ts';

connectTestStore();
const heard = collectChanges();

let who: Who;
beforeEach(async () => {
  who = await addMember();
  await Account.create({ _id: who.accountId, name: 'Quillmere' });
});
const inAccount = <T>(work: () => Promise<T>) => runInAccount(who.accountId, work);
const toggle = (id: string, enabled = true, by = who) => inAccount(() => toggleIntegration(by, id, enabled));
const states = () => inAccount(() => readIntegrations(who.accountId));
const connect = (id: string, connected = true, error?: string) =>
  inAccount(() => noteConnection(who.accountId, id, connected, error));

describe('integrations', () => {
  const OFF = { authenticated: false, enabled: false, error: null, configured: false };

  test('are all listed before any was used; those of the product need no connection', async () => {
    const read = await states();
    expect(Object.keys(read)).toEqual(INTEGRATIONS.map(({ id }) => id));
    for (const [id, state] of Object.entries(read)) {
      const builtIn = id === 'arc-chat' || id === 'sandbox';
      expect({ id, ...state }).toEqual({ id, ...OFF, authenticated: builtIn, configured: builtIn });
    }
  });

  test('are switched on when connected, and keep their switch when the connection ends', async () => {
    await connect('github');
    expect((await states()).github).toEqual({ ...OFF, authenticated: true, enabled: true });
    expect(heard).toEqual([`${who.accountId} integrations,account`]);
    await connect('github', false, 'The token was revoked.');
    expect((await states()).github).toEqual({ ...OFF, enabled: true, error: 'The token was revoked.' });
    await connect('figma', false);
    expect((await states()).figma).toEqual(OFF);
    await connect('github');
    expect((await states()).github?.error).toBeNull();
    const other = makeWho();
    const theirs = await runInAccount(other.accountId, () => readIntegrations(other.accountId));
    expect(theirs.github).toEqual(OFF);
  });

  test('are on for an account by their own switch', async () => {
    const isOn = (id: string) => inAccount(() => isEnabled(who.accountId, id));
    expect(await isOn('arc-chat')).toBe(false);
    expect(await toggle('arc-chat')).toBe('arc-chat');
    expect(heard).toEqual([`${who.accountId} integrations,account`]);
    expect([await isOn('arc-chat'), await isOn('sandbox')]).toEqual([true, false]);
    await toggle('sandbox');
    await toggle('arc-chat', false);
    expect([await isOn('arc-chat'), await isOn('sandbox')]).toEqual([false, true]);
    expect(await inAccount(() => IntegrationSetting.countDocuments({}))).toBe(2);
  });

  test('replace the sandbox once another one is connected', async () => {
    await toggle('sandbox');
    for (const id of ['slack', 'github', 'arc-chat']) await connect(id);
    expect((await states()).sandbox?.enabled).toBe(true);
    await connect('sharepoint');
    expect(await states()).not.toHaveProperty('sandbox');
    await expect(toggle('sandbox')).rejects.toMatchObject({
      code: 'not_available',
      message: 'A real workspace is connected, so the sandbox workspace is not offered any more.',
    });
    await connect('sharepoint', false);
    expect(await states()).toHaveProperty('sandbox');
  });

  test('can only be switched by the owner', async () => {
    for (const roles of [['member'], ['approver', 'deputy', 'clinical-safety-officer']] as const)
      expect(await codeOf(toggle('arc-chat', true, { ...who, roles: [...roles] }))).toBe('not_allowed');
    expect(heard).toEqual([]);
  });

  test.each([
    ['nothing', 'bad_request', 'There is no such integration.'],
    ['constructor', 'bad_request', 'There is no such integration.'],
    ['figma', 'not_configured', 'An administrator has to set FIGMA_CLIENT_ID and FIGMA_CLIENT_SECRET first.'],
    ['mailchimp', 'not_configured', 'has to set MAILCHIMP_CLIENT_ID and MAILCHIMP_CLIENT_SECRET first.'],
    ['twitter', 'not_configured', 'An administrator has to set TWITTER_CLIENT_ID and TWITTER_CLIENT_SECRET first.'],
    ['sharepoint', 'not_configured', 'has to set SHAREPOINT_CLIENT_ID and SHAREPOINT_CLIENT_SECRET first.'],
    ['notion', 'not_configured', 'An administrator has to set NOTION_CLIENT_ID and NOTION_CLIENT_SECRET first.'],
    ['confluence', 'not_configured', 'has to set CONFLUENCE_CLIENT_ID and CONFLUENCE_CLIENT_SECRET first.'],
    ['github', 'not_configured', 'An administrator has to set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET first.'],
    ['linear', 'not_configured', 'Linear is not configured on this server.'],
    ['googledocs', 'not_configured', 'Google Drive is not configured on this server.'],
    ['slack', 'not_configured', 'Slack is not configured on this server.'],
    ['teams-bot', 'not_configured', 'Microsoft Teams is not configured on this server.'],
  ])('without anything to switch on say so: %s is %s', async (id, code, text) => {
    const refusal = await toggle(id).catch((error) => error);
    expect({ code: refusal.code, text: refusal.fields?.integrationId ?? refusal.message }).toEqual({
      code,
      text: expect.stringContaining(text),
    });
    if (code !== 'bad_request') {
      await toggle(id, false);
      await connect(integrationIdOf(id));
      // A connected one can be switched on again.
      expect(await codeOf(toggle(id))).toBe('done');
    }
  });

  const on = { ...OFF, authenticated: true, enabled: true };
  test.each([
    ['a workspace and a channel', { sandbox: on, 'arc-chat': on }, true],
    ['another workspace and another channel', { notion: on, slack: on }, true],
    ['a workspace alone', { sandbox: on, github: on }, false],
    ['a channel alone', { teams: on, github: on }, false],
    ['a workspace that is off', { sandbox: { ...on, enabled: false }, teams: on }, false],
    ['a workspace that is not connected', { notion: { ...on, authenticated: false }, teams: on }, false],
    ['a channel that is off', { sandbox: on, slack: { ...on, enabled: false } }, false],
    ['a channel that is not connected', { sandbox: on, slack: { ...on, authenticated: false } }, false],
    ['nothing', {}, false],
  ])('complete the step with %s', (_what, given, ready) => {
    expect(integrationsReady(given)).toBe(ready);
  });
});

describe('onboarding', () => {
  const complete = (step: (typeof ONBOARDING_STEPS)[number]) => inAccount(() => completeStep(who.accountId, step));
  const at = (onboardingStep: string, onboardingCompleted = false) => ({ onboardingStep, onboardingCompleted });

  test('goes step by step to its end; repeating an earlier step changes nothing', async () => {
    expect(await readOnboarding(who.accountId)).toEqual(at('preferences'));
    await expect(complete('integrations')).rejects.toMatchObject({ code: 'step_not_reached' });
    await expect(complete('team')).rejects.toMatchObject({ message: expect.stringContaining('preferences') });
    expect(await complete('preferences')).toEqual(at('team'));
    expect(heard).toEqual([`${who.accountId} account`]);
    expect(await complete('preferences')).toEqual(at('team'));
    expect(heard).toHaveLength(1);
    expect(await complete('team')).toEqual(at('integrations'));
    await expect(complete('integrations')).rejects.toMatchObject({
      code: 'not_available',
      message: expect.stringContaining('Complete Integration Setup'),
    });
    await toggle('sandbox');
    await toggle('arc-chat');
    expect(await complete('integrations')).toEqual(at('billing'));
    expect(await complete('billing')).toEqual(at('completed', true));
    heard.length = 0;
    for (const step of ONBOARDING_STEPS) expect(await complete(step)).toEqual(at('completed', true));
    expect(heard).toEqual([]);
    const other = nextNumber();
    await Account.create({ _id: other, name: 'Other' });
    expect(await readOnboarding(other)).toEqual(at('preferences'));
    expect(await codeOf(readOnboarding(nextNumber()))).toBe('not_found');
  });

  test('goes one step further when two complete it at the same moment', async () => {
    expect(await Promise.all([complete('preferences'), complete('preferences')])).toEqual([at('team'), at('team')]);
  });

  test('takes no further step once completed', async () => {
    const onboarding = { step: 'team', completed: true };
    await Account.updateOne({ _id: who.accountId }, { $set: { onboarding } });
    expect(await complete('billing')).toEqual(at('team', true));
  });
});

describe('preferences', () => {
  const OFFICER = { profession: 'Pharmacist', register: 'GPhC', registrationNumber: '207' };
  const change = (it: object, by = who) => inAccount(() => changePreferences(by, it));
  const colleague = (roles: Who['roles'] = ['member']) => addMember({ accountId: who.accountId, roles });
  const rolesOf = async ({ userId, accountId }: Who) => (await Member.findOne({ userId, accountId }).lean())?.roles;

  test('are the person’s names and the company’s settings, with the defaults of a new company', async () => {
    const read = {
      firstName: 'Ada',
      lastName: 'Okafor',
      companyName: 'Quillmere',
      timeZone: 'Europe/London',
      channelConsent: leastConsent(),
      quietHours: null,
      workingHours: { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:30' },
      holidays: [],
      questionMail: 'hourly',
      mailRefused: false,
      clinicalSafetyOfficer: null,
      signers: 1,
      signsAnswers: false,
      signsTwice: false,
    };
    expect(await readPreferences(who)).toEqual(read);
    // As rows of earlier versions are.
    const absent = { channelConsent: '', quietHours: '', workingHours: '', holidays: '', clinicalSafetyOfficer: '' };
    await Account.collection.updateOne({ _id: who.accountId as never }, { $unset: absent as never });
    expect(await readPreferences(who)).toEqual(read);
    expect(await codeOf(readPreferences({ ...who, userId: nextNumber() }))).toBe('not_found');
    expect(await codeOf(readPreferences({ ...who, accountId: nextNumber() }))).toBe('not_found');
  });

  test('of a person are theirs to change, and only the given fields change', async () => {
    const ben = await colleague();
    expect(await change({ lastName: 'Hughes' }, ben)).toMatchObject({ firstName: 'Ada', lastName: 'Hughes' });
    expect(heard).toEqual([`${who.accountId} account`]);
    expect(await change({ firstName: '', lastName: '' }, ben)).toMatchObject({ firstName: null, lastName: null });
    expect(await change({ firstName: null }, who)).toMatchObject({ firstName: null, lastName: 'Okafor' });
    expect((await User.findById(ben.userId).lean())?.firstName).toBeNull();
    expect(await change({}, ben)).toMatchObject({ companyName: 'Quillmere' });
    expect(await auditOf(who.accountId)).toEqual([]);
  });

  test('of the company can only be changed by its owner, all or nothing', async () => {
    const ben = await colleague(['approver', 'clinical-safety-officer']);
    for (const it of [{ companyName: 'B' }, { quietHours: null }, { firstName: 'B', timeZone: 'UTC' }])
      expect(await codeOf(change(it, ben))).toBe('not_allowed');
    expect((await User.findById(ben.userId).lean())?.firstName).toBe('Ada');
    const quietHours = { from: '18:00', to: '08:00' };
    const other = nextNumber();
    await Account.create({ _id: other, name: 'Other' });
    expect(await change({ companyName: 'B', quietHours })).toMatchObject({ companyName: 'B', quietHours });
    expect(await change({ quietHours: null })).toMatchObject({ companyName: 'B', quietHours: null });
    expect((await Account.findById(other).lean())?.name).toBe('Other');
    expect(await auditOf(who.accountId)).toEqual([]);
  });

  test('that allow more content to leave are recorded in the audit trail', async () => {
    const channelConsent = { slack: 'full', teams: 'redacted' };
    expect(await change({ channelConsent })).toMatchObject({ channelConsent });
    expect(await auditOf(who.accountId)).toEqual([
      `consent.changed by ${who.userId}: account:${who.accountId} slack full, teams redacted`,
    ]);
  });

  test('for one channel leave the others as a colleague has changed them meanwhile', async () => {
    await change({ channelConsent: { slack: 'full', teams: 'full' } });
    // Not the least consent, which is what an unset channel has.
    await change({ channelConsent: { slack: 'redacted' } });
    const { channelConsent } = await change({ channelConsent: { teams: 'redacted' } });
    expect(channelConsent).toEqual({ ...leastConsent(), slack: 'redacted', teams: 'redacted' });
    expect((await auditOf(who.accountId)).at(-1)).toMatch(/ teams redacted$/);
    await change({ channelConsent: {} });
    expect(await auditOf(who.accountId)).toHaveLength(3);
    await Account.collection.updateOne({ _id: who.accountId as never }, { $unset: { channelConsent: '' } as never });
    expect(await change({ channelConsent: { teams: 'full' } })).toMatchObject({
      channelConsent: { slack: 'reference-only', teams: 'full' },
    });
  });

  test('that name an officer give the role to that member and to nobody else', async () => {
    const [ben, cara] = [await colleague(), await colleague(['clinical-safety-officer', 'approver'])];
    const elsewhere = nextNumber();
    await join({ _id: cara.userId }, elsewhere, ['clinical-safety-officer']);
    await join({ _id: ben.userId }, elsewhere, ['member']);
    const named = { ...OFFICER, userId: ben.userId };
    expect((await change({ clinicalSafetyOfficer: named })).clinicalSafetyOfficer).toEqual(named);
    expect(await rolesOf(ben)).toEqual(['member', 'clinical-safety-officer']);
    expect(await rolesOf(cara)).toEqual(['approver']);
    expect(await rolesOf({ ...cara, accountId: elsewhere })).toEqual(['clinical-safety-officer']);
    expect(await rolesOf({ ...ben, accountId: elsewhere })).toEqual(['member']);
    await change({ clinicalSafetyOfficer: named });
    expect(await rolesOf(ben)).toEqual(['member', 'clinical-safety-officer']);
    await change({ companyName: 'C' });
    expect(await rolesOf(ben)).toEqual(['member', 'clinical-safety-officer']);
    expect((await change({ clinicalSafetyOfficer: null })).clinicalSafetyOfficer).toBeNull();
    expect(await rolesOf(ben)).toEqual(['member']);
    expect(await auditOf(who.accountId)).toEqual([
      `officer.appointed by ${who.userId}: user:${ben.userId} appointed`,
      `officer.appointed by ${who.userId}: user:none nobody`,
    ]);
  });

  test('cannot name an officer who is not a member of the account', async () => {
    const [stranger, cara] = [await addMember(), await colleague(['clinical-safety-officer'])];
    await expect(change({ clinicalSafetyOfficer: { ...OFFICER, userId: stranger.userId } })).rejects.toMatchObject({
      code: 'bad_request',
      fields: { clinicalSafetyOfficer: 'The officer has to be a member of this account.' },
    });
    expect(await auditOf(who.accountId)).toEqual([]);
    expect(await rolesOf(cara)).toEqual(['clinical-safety-officer']);
    expect(await rolesOf(stranger)).toEqual(['owner']);
    expect((await readPreferences(who)).clinicalSafetyOfficer).toBeNull();
  });

  test('with another time zone move scheduled work to its times there', async () => {
    const { accountId, userId } = who;
    const nextRunAt = new Date(Date.UTC(2126, 0, 1, 9));
    await inAccount(() =>
      AutomationJob.create({
        _id: nextNumber(),
        accountId,
        userId,
        name: 'Every day',
        action: 'analysis',
        cronExpression: '0 9 * * *',
        enabled: true,
        nextRunAt,
      } as never),
    );
    const next = async () => (await inAccount(() => AutomationJob.findOne({}).lean()))?.nextRunAt;
    await change({ companyName: 'B' });
    expect(await next()).toEqual(nextRunAt);
    await change({ timeZone: 'Asia/Tokyo' });
    // 09:00 in Tokyo is midnight in UTC.
    expect((await next())?.getUTCHours()).toBe(0);
  });
});
