/** @environment teams */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { askForMatchRows, MATCHES_DECIDED } from '../factories/matches.ts';
import { ask, interruptIdOf, postWith, startTeamsServer, type TeamsServer } from '../factories/teamsServer.ts';
import { textsOf, verbsOf } from '../fakes/teams/organisation.ts';
import type { Sent } from '../fakes/teams/sender.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
  // The server of this file has its own registry of kinds.
  const { registerQuestionKind } = await import('../../bot/engine/questions/kinds/index.ts');
  const { matchReview } = await import('../../bot/agents/clinical_safety/questions/matchReview.ts');
  registerQuestionKind(matchReview);
});
afterAll(() => it.stop());

type Choices = { id: string; style?: string; choices?: { value: string; title: string }[] };
type Task = { type: string; value: { title: string; card: { content: { body: Choices[] } } } };
const taskOf = ({ body }: Sent) => (body as unknown as { task: Task }).task;

test('possible matches are decided in Teams: another hazard, this one, none', async () => {
  const organisation = await it.connect();
  const { sender, personal, owner } = organisation;
  await sender.message(personal, 'help');
  await postWith(organisation, /I never set a severity/);
  const post = await ask(organisation, askForMatchRows());
  const interruptId = interruptIdOf(post);
  expect(verbsOf(post.card).filter((verb) => verb !== 'refresh')).toEqual(['review', 'reject']);

  let task = taskOf(await sender.openDialog(personal, { verb: 'review', interruptId }));
  const submit = async (page: number, parts: Record<string, string>) =>
    taskOf(await sender.sendDialog(personal, { verb: 'review_row', interruptId, page, ...parts }));
  const texts = () => textsOf(task.value.card as never).join('\n');
  const input = (id: string) => task.value.card.content.body.find((part) => part.id === id);
  for (const part of ['wrong dose', 'The dose is lost', 'No unit', 'Bo confirmed H1']) expect(texts()).toContain(part);
  expect(input('outcome')?.choices?.map(({ title }) => title)).toEqual(['This hazard', 'Another hazard', 'None']);
  expect(input('choice')).toMatchObject({ style: 'filtered' });
  expect(input('choice')?.choices).toHaveLength(11);
  // Nothing can be edited but the hazard.
  expect(JSON.stringify(task.value.card)).not.toContain('Fields to edit');

  task = await submit(0, { outcome: 'edited' });
  expect(texts()).toContain('EX-1: choose one of the others.');
  // Two contradicting inputs are never read as a confirmation.
  task = await submit(0, { outcome: 'accepted', choice: 'H12' });
  expect(texts()).toContain('EX-1: another one is chosen.');
  task = await submit(0, { outcome: 'edited', choice: 'H12' });
  expect(task.value.title).toBe('Row 2 of 3');
  await submit(1, { outcome: 'accepted' });
  task = await submit(2, { outcome: 'rejected' });
  expect(task).toMatchObject({ type: 'message', value: 'The review is recorded.' });
  const [asked] = (await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`)).body as Interrupt[];
  expect(asked).toMatchObject({ userResponse: { rows: MATCHES_DECIDED }, resolution: { via: 'teams' } });
});
