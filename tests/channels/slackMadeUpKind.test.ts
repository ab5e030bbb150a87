/** @environment slack */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { askIn } from '../factories/askQuestion.ts';
import { askForValves, VALVES_DECIDED } from '../factories/madeUpKind.ts';
import type { Values } from '../fakes/slack/sender.ts';
import { actionsIn, interruptIdOf, openSlackTeams, posted, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { eventually, modalOf, postWith, questionsOf, toldAlone } = actionsIn(slackTeams);

beforeAll(async () => {
  const { registerQuestionKind } = await import('../../bot/engine/questions/kinds/index.ts');
  const { valveCheck } = await import('../factories/madeUpKind.ts');
  registerQuestionKind(valveCheck);
});

type Modal = Team['workspace']['views'][number];
type Input = { block_id?: string; type: string; optional?: boolean; element?: { options?: { value: string }[] } };
const shown = ({ view }: Modal) => JSON.stringify(view.blocks);
const inputsOf = ({ view }: Modal) =>
  (view.blocks as Input[])
    .filter(({ type }) => type === 'input')
    .map(({ block_id: id = '', optional }) => `${id}${optional ? '' : ' *'}`);

/** The values that a person fills into a page. */
const fill = (page: number, parts: Record<string, string>): Values =>
  Object.fromEntries(
    Object.entries(parts).map(([part, given]) => {
      const option = { selected_option: { value: given } };
      const value =
        part === 'outcome'
          ? { 'review:outcome': option }
          : part === 'choice'
            ? { choice: option }
            : { text: { value: given } };
      return [`${part}:${page}`, value];
    }),
  );

/** Asks the made-up kind of question in the owner's direct messages. */
async function ask(team: Team, words = /Are these valves/) {
  const { accountId, id: userId } = team.owner.user;
  const address = { channel: 'slack' as const, conversation: `${team.workspace.team}:D1`, thread: null };
  const question = askForValves();
  await askIn(address, question, { accountId, userId, agentId: 'clinical_safety', userAgentId: team.owner.agent.id });
  return postWith(team.workspace, words);
}

/** Decides every valve, page by page, and expects to be told what is missing. */
async function decide(team: Team, modal: Modal) {
  const choose = (page: number, outcome: string) =>
    slackTeams.sender.choose(team.workspace, 'U1', 'review:outcome', outcome, {
      modal,
      values: fill(page, { outcome }),
    });
  const submit = (page: number, parts: Record<string, string>) =>
    slackTeams.sender.submit(team.workspace, 'U1', modal, fill(page, parts));

  expect(modal.view).toMatchObject({ title: { text: 'Row 1 of 3' } });
  expect(shown(modal)).toContain('Opens at four bar');
  // A client that omits a field it was not yet asked for gets asked for it.
  expect(await submit(0, { outcome: 'rejected' })).toMatchObject({ response_action: 'update' });
  expect(inputsOf(modal)).toEqual(['outcome:0 *', 'reason:0 *']);
  expect((await submit(0, { outcome: 'rejected', reason: '  ' })).errors).toEqual({
    'reason:0': 'V-101: say why it is rejected.',
  });
  await submit(0, { outcome: 'rejected', reason: 'Worn out' });

  expect(modal.view).toMatchObject({ title: { text: 'Row 2 of 3' } });
  expect(shown(modal)).toContain('Accepted before, on 3 May 2026 by Bo');
  expect(shown(modal)).toContain('Which match is right? Not needed if you reject');
  expect(shown(modal)).toContain('ball Ball valve');
  await choose(1, 'accepted');
  // An acceptance asks for nothing that it does not need.
  expect(inputsOf(modal)).toEqual(['outcome:1 *', 'choice:1']);
  expect((await submit(1, { outcome: 'accepted' })).errors).toEqual({
    'choice:1': 'V-102 has more than one match. Choose one of them.',
  });
  await submit(1, { outcome: 'accepted', choice: 'ball' });

  expect(await submit(2, { outcome: 'edited' })).toMatchObject({ response_action: 'update' });
  expect(inputsOf(modal)).toEqual(['outcome:2 *', 'field:tag:2 *', 'field:setting:2', 'reason:2 *']);
  const edit = { outcome: 'edited', 'field:setting': '3 bar' };
  expect((await submit(2, edit)).errors).toEqual({ 'reason:2': 'V-103: say why it is edited.' });
  await submit(2, { ...edit, reason: 'Set anew in June' });
}

describe('a kind of question with rows that no code knows, in Slack', () => {
  test('is a message with its rows, decided page by page in the modal', async () => {
    const team = await slackTeams.connect();
    const message = await ask(team);
    const drawn = JSON.stringify(message.blocks);
    for (const part of ['*V-101* Steam inlet', 'Opens at four bar', 'Review row by row', 'Accept all', 'Reject all'])
      expect(drawn).toContain(part);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:review', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    await decide(team, await modalOf(team));
    const [answered] = await questionsOf(team);
    expect(answered).toMatchObject({
      userResponse: { rows: VALVES_DECIDED },
      resolution: { outcome: 'modified', via: 'slack' },
    });
    await eventually(
      () => posted(team.workspace).find(({ ts, text }) => ts === message.ts && /^Approved with changes by/.test(text)),
      'the closed message',
    );
  });

  test('keeps the reason of a row with its outcome, and with no other', async () => {
    const team = await slackTeams.connect();
    const message = await ask(team);
    const { sender } = slackTeams;
    const where = { channel: 'D1', ts: message.ts };
    await sender.click(team.workspace, 'U1', 'answer:review', interruptIdOf(message), where);
    const modal = await modalOf(team);
    const choose = (outcome: string) =>
      sender.choose(team.workspace, 'U1', 'review:outcome', outcome, { modal, values: fill(0, { outcome }) });
    await choose('rejected');
    await sender.submit(team.workspace, 'U1', modal, fill(0, { outcome: 'rejected', reason: 'Worn out' }));
    await sender.click(team.workspace, 'U1', 'review:back', '', { modal, values: {} });
    expect(shown(modal)).toContain('"initial_value":"Worn out"');
    await choose('edited');
    expect(inputsOf(modal)).toContain('reason:0 *');
    expect(shown(modal)).not.toContain('Worn out');
  });

  test('appears in App Home, and can be decided from there', async () => {
    const team = await slackTeams.connect();
    const message = await ask(team);
    await slackTeams.sender.event(team.workspace, { type: 'app_home_opened', user: 'U1', channel: 'D1', tab: 'home' });
    await eventually(
      () => JSON.stringify(team.workspace.homes.get('U1') ?? {}).includes('*V-101* Steam inlet'),
      'the question at home',
    );
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:review', interruptIdOf(message), 'home');
    await decide(team, await modalOf(team));
    expect((await questionsOf(team))[0]).toMatchObject({
      userResponse: { rows: VALVES_DECIDED },
      resolution: { via: 'slack-home' },
    });
  });

  test('is accepted as a whole in words; rejecting it needs a reason, in words as in the form', async () => {
    const team = await slackTeams.connect();
    const message = await ask(team);
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'Reject all');
    await postWith(team.workspace, /Say why all are rejected/);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:reject', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    const modal = await modalOf(team);
    expect(inputsOf(modal)).toEqual(['reason *']);
    const blank = await slackTeams.sender.submit(team.workspace, 'U1', modal, { reason: { text: { value: ' ' } } });
    expect(blank.errors?.reason).toContain('Say why all are rejected');
    expect((await questionsOf(team))[0]?.status).toBe('pending');
    await slackTeams.sender.message(team.workspace, 'U1', 'D1', 'Accept all');
    await postWith(team.workspace, /Recorded your answer/);
    expect((await questionsOf(team))[0]).toMatchObject({
      resolution: { outcome: 'approved', via: 'slack' },
      userResponse: { rows: [{ id: 'v1' }, { id: 'v2', choice: 'gate', bestMatch: true }, { id: 'v3' }] },
    });
  });

  test('once begun, decides only the undecided rows by its buttons, which ask first and can be undone', async () => {
    const team = await slackTeams.connect();
    const message = await ask(team);
    const { sender } = slackTeams;
    const where = { channel: 'D1', ts: message.ts };
    const pressed = interruptIdOf(message);
    const buttons = () =>
      (
        JSON.stringify(posted(team.workspace).find(({ ts }) => ts === message.ts)?.blocks ?? []).match(
          /answer:[\w:]+/g,
        ) ?? []
      ).join(' ');
    const confirmations = () =>
      JSON.stringify(posted(team.workspace).find(({ ts }) => ts === message.ts)?.blocks ?? []).match(
        /"confirm":\{"title"/g,
      ) ?? [];
    const decided = async () => (await questionsOf(team))[0]?.draft?.rows.map(({ id, outcome }) => `${id} ${outcome}`);
    // “Accept all” asks before it is sent; “Reject all” asks in its form.
    expect(confirmations()).toHaveLength(1);
    const made = [{ id: 'v1', outcome: 'accepted' }];
    await team.owner.browser
      .put(`/api/interrupts/${pressed.split(':')[0]}/draft`)
      .send({ rows: made, version: 0 })
      .expect(200);

    await sender.click(team.workspace, 'U1', 'answer:approve', pressed, where);
    await toldAlone(team.workspace, /1 of 3 valves is decided in the review already/);
    await eventually(() => /acceptedRest:2 answer:rejectedRest:2/.test(buttons()), 'the buttons for the others');
    await sender.click(team.workspace, 'U1', 'answer:acceptedRest:3', pressed, where);
    await toldAlone(team.workspace, /changed this in the meantime/);
    expect(await decided()).toEqual(['v1 accepted']);

    await sender.click(team.workspace, 'U1', 'answer:rejectedRest:2', pressed, where);
    const modal = await modalOf(team);
    expect(modal.view).toMatchObject({ title: { text: 'Reject the 2 undecided' } });
    expect(shown(modal)).toContain('The decision already made stays as it is');
    await sender.submit(team.workspace, 'U1', modal, { reason: { text: { value: 'Worn out' } } });
    expect(await decided()).toEqual(['v1 accepted', 'v2 rejected', 'v3 rejected']);
    await eventually(() => /answer:send:2 answer:undoRest/.test(buttons()), 'what is next');

    await sender.click(team.workspace, 'U1', 'answer:undoRest', pressed, where);
    await toldAlone(team.workspace, /2 of 3 valves are undecided again/);
    await eventually(() => /acceptedRest:2/.test(buttons()), 'the buttons for the others');
    await sender.click(team.workspace, 'U1', 'answer:acceptedRest:2', pressed, where);
    await eventually(() => /answer:send:4/.test(buttons()), 'the button that sends');
    await sender.click(team.workspace, 'U1', 'answer:send:2', pressed, where);
    expect((await questionsOf(team))[0]?.status).toBe('pending');
    await sender.click(team.workspace, 'U1', 'answer:send:4', pressed, where);
    expect((await questionsOf(team))[0]).toMatchObject({ status: 'resolved', resolution: { via: 'slack' } });
    expect((await questionsOf(team))[0]?.decidedBy.map(({ via }) => via)).toEqual(['inbox', 'slack', 'slack']);
  });

  test('shows no words of its rows without consent, and can still be answered', async () => {
    const team = await slackTeams.connect('reference-only');
    const message = await ask(team, /Please check 3 valves/);
    expect(JSON.stringify(message)).not.toMatch(/Steam|Bypass|Drain|four bar/);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:review', interruptIdOf(message), {
      channel: 'D1',
      ts: message.ts,
    });
    const modal = await modalOf(team);
    expect(shown(modal)).toContain('The text of this row stays in Arc');
    expect(shown(modal)).not.toMatch(/Steam|four bar|"value":"edited"/);
    await slackTeams.sender.submit(team.workspace, 'U1', modal, fill(0, { outcome: 'accepted' }));
    expect((await questionsOf(team))[0]?.draft?.rows).toEqual([{ id: 'v1', outcome: 'accepted' }]);
  });
});
