/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { CHANNEL_COMMANDS } from '../../../bot/engine/turns/channelCommands.ts';
import type { SaidCommand } from '../../../bot/engine/turns/command.ts';
import { Account } from '../../../models/account.ts';
import type { ConsentMode } from '../../../models/contracts/preferences.ts';
import { Conversation } from '../../../models/conversation.ts';
import { baseUrl } from '../../../models/env.ts';
import { Interrupt } from '../../../models/interrupt.ts';
import { connectTestStore, giveTrial, makeWho, nextNumber } from '../../factories/account.ts';
import { makeInterrupt } from '../../factories/interrupt.ts';
import { hireFor, inEveryAccount, makePlace } from '../../factories/turns.ts';

connectTestStore();
let accountId: number;
beforeEach(() => {
  accountId = nextNumber();
});

/** Runs a member's command, in an account of its own. */
const run = (word: keyof typeof CHANNEL_COMMANDS, rest = '', more: Partial<SaidCommand> = {}) =>
  inEveryAccount(() =>
    CHANNEL_COMMANDS[word]({
      who: makeWho({ accountId }),
      address: makePlace(),
      rest,
      write: (command) => `<${command}>`,
      answerAt: 'Answer there.',
      ...more,
    }),
  );
async function ask(prompt: string): Promise<number> {
  const _id = nextNumber();
  await inEveryAccount(() => Interrupt.create(makeInterrupt({ _id, accountId, askKey: String(_id), prompt })));
  return _id;
}
const linkTo = (id: number) => `${baseUrl()}/agent-inbox?interrupt=${id}`;

describe('the command agent', () => {
  test('makes the named agent answer in the conversation from now on', async () => {
    const agent = await hireFor(accountId, 'clinical_safety');
    const address = makePlace();
    expect(await run('agent', ' clara ', { address })).toEqual({
      text: 'Clara answers here from now on.',
      isMeant: true,
    });
    const spoken = await inEveryAccount(() => Conversation.findOne({ accountId }).lean());
    expect(spoken).toMatchObject({ address, userAgentId: agent });
  });

  test('says that a hired agent is not onboarded yet, and lists the names for an unknown one', async () => {
    await hireFor(accountId, 'clinical_safety', 'hired');
    expect(await run('agent', 'Clara')).toEqual({
      text: 'Clara is not onboarded yet. <status> shows who is there.',
      isMeant: true,
    });
    expect(await run('agent', 'reports are late')).toEqual({
      text: 'No agent is called “reports are late”. <status> shows who is there.',
      isMeant: false,
    });
    expect((await run('agent')).text).toContain('No agent is called “…”.');
  });
});

describe('the command inbox', () => {
  test('lists pending questions, newest first, with where to answer them', async () => {
    expect(await run('inbox')).toEqual({ text: 'Nothing waits for you.', isMeant: true });
    const [one, two] = [await ask('Release 1?'), await ask('Release 2?')];
    await Account.create({ _id: accountId, name: 'Acme', channelConsent: { slack: 'full', teams: 'full' } } as never);
    expect(await run('inbox')).toEqual({
      text: [
        '2 waiting. Answer there.',
        `• Clara: Release 2? ${linkTo(two)}`,
        `• Clara: Release 1? ${linkTo(one)}`,
      ].join('\n'),
      isMeant: true,
    });
  });

  test.each<[channel: 'slack' | 'teams', consent: ConsentMode, says: boolean]>([
    ['slack', 'full', true],
    ['slack', 'redacted', false],
    ['teams', 'reference-only', false],
  ])('in %s under %s shows a question’s words: %s', async (channel, consent, says) => {
    const channelConsent = { slack: 'full', teams: 'full', [channel]: consent };
    await Account.create({ _id: accountId, name: 'Acme', channelConsent } as never);
    await ask('Release 1?');
    const { text } = await run('inbox', '', { address: makePlace({ channel }) });
    expect(text.includes('Release 1?')).toBe(says);
  });

  test('lists at most ten, each with up to three hundred characters', async () => {
    await Account.create({ _id: accountId, name: 'Acme', channelConsent: { slack: 'full', teams: 'full' } } as never);
    for (let count = 0; count < 11; count += 1) await ask(`${'x'.repeat(298)} yz`);
    const [head, ...lines] = (await run('inbox')).text.split('\n');
    expect(head).toBe('11 waiting. Answer there.');
    expect(lines).toHaveLength(10);
    for (const line of lines) expect(line).toMatch(/^• Clara: x{298}… http/);
  });

  test('with other words behind it may be a sentence for the agent', async () => {
    expect((await run('inbox', 'rules are unclear')).isMeant).toBe(false);
  });
});

describe('the commands status and hire', () => {
  test('say who works here and who can be hired; with other words behind them they may be for the agent', async () => {
    await hireFor(accountId, 'clinical_safety');
    expect(await run('status')).toEqual({
      text: expect.stringContaining('• Clara, Clinical safety officer: onboarded'),
      isMeant: true,
    });
    expect((await run('status', 'of hazard 3')).isMeant).toBe(false);
    expect(await run('hire')).toEqual({ text: expect.stringContaining('Who can be hired:'), isMeant: true });
    expect(await run('hire', 'somebody')).toEqual({
      text: expect.stringContaining('Who can be hired:'),
      isMeant: false,
    });
  });

  test('hire hires the named agent', async () => {
    await giveTrial(accountId);
    expect(await run('hire', 'Devon')).toEqual({ text: expect.stringContaining('Devon is hired.'), isMeant: true });
  });
});
