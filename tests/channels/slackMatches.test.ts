/** @environment slack */
import { beforeAll, expect, test } from '@jest/globals';
import { askIn } from '../factories/askQuestion.ts';
import { askForMatchRows, MATCHES_DECIDED } from '../factories/matches.ts';
import { actionsIn, interruptIdOf, openSlackTeams, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { modalOf, postWith } = actionsIn(slackTeams);

beforeAll(async () => {
  // The server of this file has its own registry of kinds.
  const { registerQuestionKind } = await import('../../bot/engine/questions/kinds/index.ts');
  const { matchReview } = await import('../../bot/agents/clinical_safety/questions/matchReview.ts');
  registerQuestionKind(matchReview);
});

type Block = { block_id?: string; element?: { type: string; options?: { value: string; text: { text: string } }[] } };

/** Asks about matches in the owner's direct messages, and opens the review. */
async function openReview(team: Team) {
  const { accountId, id: userId } = team.owner.user;
  const address = { channel: 'slack' as const, conversation: `${team.workspace.team}:D1`, thread: null };
  const of = { accountId, userId, agentId: 'clinical_safety' as const, userAgentId: team.owner.agent.id };
  await askIn(address, askForMatchRows(), of);
  const message = await postWith(team.workspace, /Which hazards cover/);
  await slackTeams.sender.click(team.workspace, 'U1', 'answer:review', interruptIdOf(message), {
    channel: 'D1',
    ts: message.ts,
  });
  return { message, modal: await modalOf(team) };
}

const outcome = (page: number, value: string) => ({
  [`outcome:${page}`]: { 'review:outcome': { selected_option: { value } } },
});
const choice = (page: number, value: string) => ({ [`choice:${page}`]: { choice: { selected_option: { value } } } });

test('possible matches are decided in Slack: another hazard, this one, none', async () => {
  const team = await slackTeams.connect();
  const { message, modal } = await openReview(team);
  const buttons = JSON.stringify(message.blocks);
  for (const part of ['Review row by row', 'No hazard for all', '*EX-1* Dose in the wrong unit'])
    expect(buttons).toContain(part);
  expect(buttons).not.toContain('Accept all');

  const drawn = () => JSON.stringify(modal.view.blocks);
  // What speaks for it on both sides, and what was decided before.
  for (const part of [
    'H1 Wrong dose',
    '> wrong dose (EX-1)',
    '> The dose is lost (H1, Log!C5)',
    '> No unit (H3, Log!C5)',
    'Bo confirmed H1 on 3 May 2026; the ticket has changed since.',
  ])
    expect(drawn()).toContain(part);
  const block = (id: string) => (modal.view.blocks as Block[]).find(({ block_id: own }) => own === id);
  expect(block('outcome:0')?.element?.options?.map(({ text }) => text.text)).toEqual([
    'This hazard',
    'Another hazard',
    'None',
  ]);
  expect(block('choice:0')).toBeUndefined();

  // Sent before the list of hazards was drawn, the page asks for it.
  const submit = (values: object) => slackTeams.sender.submit(team.workspace, 'U1', modal, values as never);
  expect(await submit(outcome(0, 'edited'))).toMatchObject({ response_action: 'update' });
  expect(block('choice:0')?.element?.type).toBe('static_select');
  const offered = block('choice:0')?.element?.options?.map(({ value }) => value);
  expect(offered).toHaveLength(11);
  expect(offered).not.toContain('H1');
  const none = { 'choice:0': { choice: { selected_option: null } } };
  expect((await submit({ ...outcome(0, 'edited'), ...none })).errors).toEqual({
    'choice:0': 'EX-1: choose one of the others.',
  });
  await submit({ ...outcome(0, 'edited'), ...choice(0, 'H12') });
  await submit(outcome(1, 'accepted'));
  await submit(outcome(2, 'rejected'));
  const { browser, agent } = team.owner;
  const [answered] = (await browser.get(`/api/agents/${agent.id}/interrupts`).expect(200)).body;
  expect(answered).toMatchObject({
    userResponse: { rows: MATCHES_DECIDED },
    resolution: { outcome: 'modified', via: 'slack' },
  });
});
