/** @environment teams */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { makeChoicePoint } from '../factories/interrupt.ts';
import { ask, interruptIdOf, postWith, startTeamsServer, type TeamsServer } from '../factories/teamsServer.ts';
import { textsOf, wordsOf } from '../fakes/teams/organisation.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterAll(() => it.stop());

test('several choices are one card in Teams, with a list of options for each, and are sent together', async () => {
  const organisation = await it.connect();
  const { sender, personal, owner } = organisation;
  await sender.message(personal, 'help');
  await postWith(organisation, /I never set a severity/);
  const points = [makeChoicePoint('pipe', ['Steam', 'Water']), makeChoicePoint('valve', ['Gate', 'Ball'])];
  const post = await ask(organisation, {
    interruptType: 'choices',
    prompt: 'How is the plant meant?',
    context: { points },
  });
  expect(wordsOf(post)).toContain('gives Steam');
  const card = JSON.stringify(post.card);
  expect([...card.matchAll(/"type":"Input.ChoiceSet","id":"(\w+)"/g)].map(([, id]) => id)).toEqual([
    'field_choice1',
    'field_choice2',
  ]);
  const interruptId = interruptIdOf(post);
  const press = (fields: object) =>
    sender.execute(personal, 'choose', { interruptId, drawnUnder: 'full', ...fields }, post.id);
  const asked = async () =>
    ((await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`)).body as Interrupt[])[0];
  const refused = (await press({ field_choice1: 'option2' })).body as unknown as { value: unknown };
  expect(textsOf(refused.value as never).join()).toContain('Which valve is it? Choose one of the options');
  expect((await asked())?.status).toBe('pending');
  await press({ field_choice1: 'option2', field_choice2: 'unknown' });
  expect(await asked()).toMatchObject({
    userResponse: {
      choices: [
        { point: 'pipe', choice: 'Water' },
        { point: 'valve', choice: null },
      ],
    },
    resolution: { outcome: 'answered', via: 'teams' },
  });
});
