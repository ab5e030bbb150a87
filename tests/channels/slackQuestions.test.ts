/** @environment slack */
import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../bot/engine/interrupts/question.ts';
import { askIn } from '../factories/askQuestion.ts';
import { EXPIRED_TRIGGER, type Posted } from '../fakes/slack/methods.ts';
import { actionsIn, hasButtons, interruptIdOf, join, openSlackTeams, posted, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { askForReview, eventually, modalOf, postWith, questionsOf, toldAlone } = actionsIn(slackTeams);

describe('a question', () => {
  test('is one message with buttons; answered there, it closes everywhere with who, where and when', async () => {
    const team = await slackTeams.connect();
    const message = await askForReview(team);
    expect(hasButtons(message)).toBe(true);
    const { status } = await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    expect(status).toBe(200);
    // The web inbox knows at once.
    expect((await questionsOf(team))[0]?.status).toBe('resolved');
    const closed = await eventually(
      () => posted(team.workspace).find(({ ts, text }) => ts === message.ts && /Approved by/.test(text)),
      'the closed message',
      2000,
    );
    expect(closed.text).toMatch(/^Approved by Ada Okafor in Slack, \d\d:\d\d/);
    expect(hasButtons(closed)).toBe(false);
    expect((await questionsOf(team))[0]?.resolution).toMatchObject({ via: 'slack', outcome: 'approved' });
    await postWith(team.workspace, /Review recorded/);
  });

  test('answered on the web loses its buttons in Slack within two seconds', async () => {
    const team = await slackTeams.connect();
    const message = await askForReview(team);
    await team.owner.browser
      .patch(`/api/interrupts/${interruptIdOf(message)}/resolve`)
      .send({ approved: true })
      .expect(200);
    const closed = await eventually(
      () => posted(team.workspace).find(({ ts, text }) => ts === message.ts && /Approved by/.test(text)),
      'the closed message',
      2000,
    );
    expect(closed.text).toContain('in the inbox');
    expect(hasButtons(closed)).toBe(false);
  });

  test('whose answer is signed keeps a click as a proposal, says where to sign, and stays pending', async () => {
    const team = await slackTeams.connect();
    const { browser, user } = team.owner;
    const clinicalSafetyOfficer = { userId: user.id, profession: 'Nurse', register: 'NMC', registrationNumber: '1A' };
    await browser.put('/api/preferences').send({ clinicalSafetyOfficer, signsAnswers: true }).expect(200);
    const message = await askForReview(team);
    const id = interruptIdOf(message);
    const where = { channel: 'D1', ts: message.ts };
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', id, where);
    await toldAlone(team.workspace, /kept as a proposal and decides nothing yet\. .* signed in Arc/);
    const open = await eventually(
      () => posted(team.workspace).find((one) => one.ts === message.ts && /as a proposal/.test(JSON.stringify(one))),
      'the proposal on the card',
    );
    expect(JSON.stringify(open)).toMatch(
      /Approved as a proposal by Ada Okafor in Slack, \d\d:\d\d\. It waits for a signature\./,
    );
    expect(hasButtons(open)).toBe(true);
    expect((await questionsOf(team))[0]).toMatchObject({ status: 'pending', resolution: null });
    // Signed in Arc, it counts, and the card closes.
    const { shownDigest } = (await browser.get(`/api/interrupts/${id}`).expect(200)).body;
    const sign = { password: 'correct-horse-1', reason: 'Read against the log' };
    await browser.patch(`/api/interrupts/${id}/resolve`).send({ approved: true, shownDigest, sign }).expect(200);
    const closed = await eventually(
      () => posted(team.workspace).find(({ ts, text }) => ts === message.ts && /signed/.test(text)),
      'the closed message',
    );
    expect(hasButtons(closed)).toBe(false);
  });

  test('with two different clicks at once keeps one answer, and tells the other person who gave it', async () => {
    const team = await slackTeams.connect();
    await join(slackTeams, team, 'U2', ['deputy']);
    const message = await askForReview(team);
    const id = interruptIdOf(message);
    const where = { channel: 'D1', ts: message.ts };
    await slackTeams.sender.click(team.workspace, 'U2', 'answer:reject', id, where);
    const modal = await modalOf(team);
    const [, late] = await Promise.all([
      slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', id, where),
      slackTeams.sender.submit(team.workspace, 'U2', modal, { reason: { text: { value: 'Out of scope' } } }),
    ]);
    const [standing] = await questionsOf(team);
    expect(['approved', 'rejected']).toContain(standing?.resolution?.outcome);
    if (standing?.resolution?.outcome === 'approved') {
      expect(late.errors?.reason).toMatch(/answered already\. Approved by Ada Okafor/);
    } else {
      expect(late.errors).toBeUndefined();
      await toldAlone(team.workspace, /answered already\. Rejected by Ben Ode/);
    }
  });

  test('has a form that is signed by whoever submits it, and by no stranger', async () => {
    const team = await slackTeams.connect();
    await join(slackTeams, team, 'U2', ['deputy']);
    const message = await askForReview(team);
    const where = { channel: 'D1', ts: message.ts };
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:reject', interruptIdOf(message), where);
    const modal = await modalOf(team);
    const send = (user: string) =>
      slackTeams.sender.submit(team.workspace, user, modal, { reason: { text: { value: 'Out of scope' } } });
    expect((await send('U9')).errors?.reason).toMatch(/permission/);
    expect((await questionsOf(team))[0]?.status).toBe('pending');
    await send('U2');
    expect((await questionsOf(team))[0]?.resolution).toMatchObject({ outcome: 'rejected', by: { name: 'Ben Ode' } });
  });

  test('tells a late answerer the given answer, whichever button they press', async () => {
    const team = await slackTeams.connect();
    await join(slackTeams, team, 'U2', ['deputy']);
    const message = await askForReview(team);
    const id = interruptIdOf(message);
    const where = { channel: 'D1', ts: message.ts };
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', id, where);
    for (const button of ['answer:reject', 'answer:review']) {
      await slackTeams.sender.click(team.workspace, 'U2', button, id, where);
      await toldAlone(team.workspace, /answered already\. Approved by Ada Okafor in Slack/);
      slackTeams.slack.calls.length = 0;
    }
    expect(team.workspace.views).toEqual([]);
  });

  test('answered on the web while it was being posted is closed in Slack once it is there', async () => {
    const team = await slackTeams.connect();
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'Try it with a sample');
    await postWith(team.workspace, /sample/);
    const release = slackTeams.slack.hold();
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'Analyse my hazard log');
    const asked = await slackTeams.factories.eventually(async () => (await questionsOf(team))[0], 'the question');
    await team.owner.browser.patch(`/api/interrupts/${asked.id}/resolve`).send({ approved: false }).expect(200);
    release();
    await postWith(team.workspace, /Analysis complete/);
    await slackTeams.factories.eventually(async () => {
      await slackTeams.parts.sweepDeliveries();
      return posted(team.workspace).some(({ text }) => /Rejected by/.test(text));
    }, 'the closed message');
    // The review of possible matches, which comes next, has buttons of its own.
    const own = `"interrupt:${asked.id}"`;
    expect(posted(team.workspace).filter(({ blocks }) => JSON.stringify(blocks).includes(own))).toEqual([]);
  });

  test('is listed in Home by how long it waits', async () => {
    const { homeView } = await import('../../bot/channels/slack/cards/homeView.ts');
    const at = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const waiting = [30, 2, 50].map((hours) => ({
      id: hours,
      agentName: 'Clara',
      interruptType: 'approval',
      status: 'pending',
      prompt: `Asked ${hours} hours ago`,
      options: [],
      context: {},
      createdAt: at(hours),
    })) as never[];
    const order = (filter: 'pending' | 'overdue') =>
      [...JSON.stringify(homeView(waiting, 'full', filter)).matchAll(/\*Asked (\d+) hours/g)].map(([, hours]) => hours);
    expect(order('pending')).toEqual(['50', '30', '2']);
    expect(order('overdue')).toEqual(['50', '30']);
  });

  test('can be read but not answered by a member without that permission', async () => {
    const team = await slackTeams.connect();
    await join(slackTeams, team, 'U2', ['member']);
    const message = await askForReview(team);
    await slackTeams.sender.click(team.workspace, 'U2', 'answer:approve', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    await toldAlone(team.workspace, /permission/);
    expect((await questionsOf(team))[0]?.status).toBe('pending');
  });

  test.each([
    ['a button that is not ours', 'answer:__proto__', '1'],
    ['a button without a question', 'answer:approve', 'not-a-number'],
  ])('%s is told so', async (_what, action, value) => {
    const team = await slackTeams.connect();
    slackTeams.slack.calls.length = 0;
    const { status } = await slackTeams.sender.click(team.workspace, 'U1', action, value, { channel: 'D1', ts: '1.1' });
    expect(status).toBe(200);
    expect((await toldAlone(team.workspace, /./)).response_type).toBe('ephemeral');
  });

  test('with a form that Slack no longer opens says so, and opens it at the next click', async () => {
    const team = await slackTeams.connect();
    const message = await askForReview(team);
    const click = (trigger?: string) =>
      slackTeams.sender.click(
        team.workspace,
        'U1',
        'answer:review',
        interruptIdOf(message),
        { channel: 'D1', ts: message.ts },
        trigger,
      );
    await click(EXPIRED_TRIGGER);
    await toldAlone(team.workspace, /Please click again/);
    await click();
    await modalOf(team);
  });

  test('is not changed by a stranger’s click, who is told so privately', async () => {
    const team = await slackTeams.connect();
    const message = await askForReview(team);
    await slackTeams.sender.click(team.workspace, 'U9', 'answer:approve', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    expect(slackTeams.slack.callsOf('response_url', team.workspace).at(-1)?.body).toMatchObject({
      response_type: 'ephemeral',
      replace_original: false,
    });
    expect((await questionsOf(team))[0]?.status).toBe('pending');
  });

  test('appears in App Home, the same inbox: it counts, filters and answers in place', async () => {
    const team = await slackTeams.connect();
    await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    const home = () => JSON.stringify(team.workspace.homes.get('U1') ?? {});
    await eventually(() => home().includes('Nothing waits for you'), 'an empty home');
    const message = await askForReview(team);
    await eventually(() => home().includes('answer:review'), 'the question at home');
    const id = interruptIdOf(message);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:approve', id, 'home');
    // The review of possible matches comes next, so Home need never be seen empty.
    await eventually(() => !home().includes(`"interrupt:${id}"`), 'the question gone');
    expect((await questionsOf(team))[0]?.resolution?.via).toBe('slack-home');
    await slackTeams.sender.choose(team.workspace, 'U1', 'home_filter', 'resolved', 'home');
    await eventually(() => home().includes('Approved by Ada Okafor in Slack'), 'the answer');
    expect(home()).toContain('"initial_option":{"value":"resolved"');
    await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user: 'U9', channel: 'D9', tab: 'home' });
    await eventually(
      () => JSON.stringify(team.workspace.homes.get('U9') ?? {}).includes('invited'),
      'a stranger’s home',
    );
  });

  test('is counted first in Home if overdue; Home keeps the chosen filter, and a reason typed there counts', async () => {
    const team = await slackTeams.connect();
    const message = await askForReview(team);
    const id = interruptIdOf(message);
    await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    const home = () => JSON.stringify(team.workspace.homes.get('U1') ?? {});
    await eventually(() => home().includes('answer:review'), 'the question at home');
    const { Interrupt: Row } = await import('../../models/interrupt.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    await runInAccount(team.owner.user.accountId, () =>
      Row.collection.updateOne(
        { _id: Number(id) as never },
        { $set: { createdAt: new Date(Date.now() - 25 * 3_600_000) } },
      ),
    );
    await slackTeams.sender.choose(team.workspace, 'U1', 'home_filter', 'overdue', 'home');
    await eventually(() => /\*1\* waiting · \*1\* overdue/.test(home()), 'the overdue count');
    await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    expect(home()).toContain('"initial_option":{"value":"overdue"');
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:reject', id, 'home');
    await slackTeams.sender.submit(team.workspace, 'U1', await modalOf(team), {
      reason: { text: { value: 'Out of scope' } },
    });
    await eventually(() => home().includes('Nothing is overdue'), 'the same part, empty');
    expect((await questionsOf(team))[0]?.resolution).toMatchObject({ via: 'slack-home', reason: 'Out of scope' });
  });

  test('is not filtered by a stranger', async () => {
    const team = await slackTeams.connect();
    await slackTeams.sender.choose(team.workspace, 'U9', 'home_filter', 'resolved', 'home');
    await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    await eventually(() => team.workspace.homes.has('U1'), 'the member’s home');
    expect(team.workspace.homes.has('U9')).toBe(false);
  });

  test('suspends the session while it waits', async () => {
    const team = await slackTeams.connect();
    const { ts } = await slackTeams.sender.mention(team.workspace, 'U1', 'C1', 'Try it with a sample');
    await postWith(team.workspace, /sample/);
    await slackTeams.sender.message(team.workspace, 'U1', 'C1', 'Analyse my hazard log', { thread_ts: ts });
    await eventually(
      () =>
        slackTeams.slack
          .callsOf('agents.sessions.setStatus')
          .some(({ team: of, body }) => of === team.workspace.team && body.status === 'suspended'),
      'suspended',
    );
  });
});

describe('every kind of question', () => {
  /** Makes an agent ask a question in the owner's direct messages, with a test workflow. */
  async function ask(
    team: Team,
    question: Question,
    [agentId, userAgentId]: [agentId: string, userAgentId: number] = ['clinical_safety', team.owner.agent.id],
  ): Promise<Posted> {
    const { accountId, id: userId } = team.owner.user;
    const address = { channel: 'slack' as const, conversation: `${team.workspace.team}:D1`, thread: null };
    await askIn(address, question, { accountId, userId, agentId, userAgentId });
    return eventually(
      () =>
        posted(team.workspace).find(({ text }) =>
          text.includes(question.prompt.replace('<', '&lt;').replace('>', '&gt;')),
        ),
      'the question',
    );
  }
  const press = (team: Team, message: Posted, action: string) =>
    slackTeams.sender.click(team.workspace, 'U1', action, interruptIdOf(message), { channel: 'D1', ts: message.ts });

  test('an approval is approved, or rejected with its reason', async () => {
    const team = await slackTeams.connect();
    await press(team, await ask(team, { interruptType: 'approval', prompt: 'Release version 2?' }), 'answer:approve');
    await postWith(team.workspace, /You said \{"approved":true\}/);
    const second = await ask(team, { interruptType: 'approval', prompt: 'Release version 3?' });
    await press(team, second, 'answer:reject');
    const modal = await modalOf(team);
    // The reason is asked for and optional, as on every surface.
    expect(JSON.stringify(modal.view)).toContain('"optional":true');
    await slackTeams.sender.submit(team.workspace, 'U1', modal, { reason: { text: { value: 'Tests are open' } } });
    await postWith(team.workspace, /You said \{"approved":false\}/);
    expect((await questionsOf(team))[0]?.resolution).toMatchObject({ outcome: 'rejected', reason: 'Tests are open' });
  });

  test('an unknown kind is answered by its options, or in words', async () => {
    const team = await slackTeams.connect();
    const options = ['The first', { id: 'two', label: 'The second', action: 'two' }];
    const chosen = await ask(team, { interruptType: 'made_up', prompt: 'Which way?', options });
    expect(JSON.stringify(chosen.blocks)).toContain('The second');
    await press(team, chosen, 'answer:option:1');
    await postWith(team.workspace, /You said \{"choice":"two"\}/);
    await press(team, await ask(team, { interruptType: 'made_up', prompt: 'How many?' }), 'answer:input');
    await slackTeams.sender.submit(team.workspace, 'U1', await modalOf(team), {
      answer: { text: { value: ' Seven ' } },
    });
    await postWith(team.workspace, /You said \{"text":"Seven"\}/);
  });

  test('another agent asks under its own name', async () => {
    const team = await slackTeams.connect();
    const { body } = await team.owner.browser.post('/api/user-agents/hire').send({ agentId: 'mdr' }).expect(200);
    const asked = await ask(team, { interruptType: 'approval', prompt: 'Is the file whole?' }, ['mdr', body.id]);
    expect(asked.username).toBe('Marta, EU MDR technical file');
    expect(asked.text).toBe('Marta: Is the file whole?');
  });

  test('a question withdrawn by a process that then ended: its run ends, and nothing fails', async () => {
    const team = await slackTeams.connect();
    await ask(team, { interruptType: 'approval', prompt: 'Release version 9?' });
    const { Run } = await import('../../models/run.ts');
    const { cancelInterrupts } = await import('../../bot/engine/interrupts/cancelInterrupts.ts');
    const { executeRun } = await import('../../bot/engine/workflows/executeRun.ts');
    const { claimWaiting } = await import('../../bot/engine/workflows/saveRun.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const { accountId } = team.owner.user;
    const ended = await runInAccount(accountId, async () => {
      const waiting = await Run.findOne({ accountId, status: 'waiting' }).lean();
      if (!waiting) throw new Error('nothing waits');
      await cancelInterrupts(waiting._id);
      const claimed = await claimWaiting(waiting._id, waiting.state.interruptId);
      if (claimed) await executeRun(claimed);
      return Run.findOne({ _id: waiting._id }).lean();
    });
    expect(ended?.status).toBe('cancelled');
  });

  test('a decision takes one of its options', async () => {
    const team = await slackTeams.connect();
    const message = await ask(team, {
      interruptType: 'decision',
      prompt: 'Which log?',
      options: ['The first', 'The second'],
    });
    await press(team, message, 'answer:option:1');
    await postWith(team.workspace, /You said \{"selectedOption":"The second"\}/);
    await eventually(
      () =>
        posted(team.workspace).find((one) => one.ts === message.ts && /^Answered by .*: The second\. /.test(one.text)),
      'the choice',
    );
  });

  test('a project takes one of its options; editing it needs words', async () => {
    const team = await slackTeams.connect();
    const message = await ask(team, {
      interruptType: 'REPLIT_PROJECT_CREATED',
      prompt: 'Shall I go on with the project?',
      options: [
        { id: 'accept', label: 'Go on', action: 'accept' },
        { id: 'edit', label: 'Change something', action: 'edit' },
      ],
    });
    await press(team, message, 'answer:option:1');
    const modal = await modalOf(team);
    const blank = await slackTeams.sender.submit(team.workspace, 'U1', modal, { change: { text: { value: ' ' } } });
    expect(blank.errors).toEqual({ change: 'Say what should change.' });
    await slackTeams.sender.submit(team.workspace, 'U1', modal, { change: { text: { value: 'Larger letters' } } });
    await postWith(team.workspace, /You said \{"choice":"edit","text":"Larger letters"\}/);
  });

  test('the text that closes a message mentions nobody', async () => {
    const team = await slackTeams.connect();
    const message = await ask(team, { interruptType: 'input', prompt: 'Who shall know, <!channel>?' });
    await press(team, message, 'answer:input');
    await slackTeams.sender.submit(team.workspace, 'U1', await modalOf(team), {
      answer: { text: { value: '<!here> everyone' } },
    });
    const closed = await eventually(
      () => posted(team.workspace).find((one) => one.ts === message.ts && /Answered by/.test(one.text)),
      'the closed message',
    );
    expect(JSON.stringify(closed)).not.toMatch(/<!(channel|here)>/);
  });

  test('an input takes words in a modal; blank words are reported there, and nothing is lost', async () => {
    const team = await slackTeams.connect();
    await press(team, await ask(team, { interruptType: 'input', prompt: 'Which release is it for?' }), 'answer:input');
    const modal = await modalOf(team);
    const blank = await slackTeams.sender.submit(team.workspace, 'U1', modal, { answer: { text: { value: '  ' } } });
    expect(blank).toEqual({
      response_action: 'errors',
      errors: { answer: 'Please write an answer.' },
    });
    await slackTeams.sender.submit(team.workspace, 'U1', modal, { answer: { text: { value: 'Release 4.2' } } });
    await postWith(team.workspace, /You said \{"userInput":"Release 4.2"\}/);
  });
});
