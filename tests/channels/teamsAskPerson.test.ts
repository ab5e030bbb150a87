/** @environment teams */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../factories/person.ts';
import { installIn, interruptIdOf, postWith, startTeamsServer, type TeamsServer } from '../factories/teamsServer.ts';
import { postsOf, wordsOf } from '../fakes/teams/organisation.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterAll(() => it.stop());

test('a program’s question is a card in the personal chat of the member whom it names, answered there', async () => {
  const { makeAccessToken, programWith } = await import('../factories/accessToken.ts');
  const organisation = await it.connect();
  const { owner, sender, personal, tenant } = organisation;
  await sender.message(personal, 'help');
  await eventually(async () => postsOf(tenant).length > 0, 'the answer');
  // What was said last was said in a group, where the question does not belong.
  const group = await installIn(organisation, 'groupChat');
  const before = postsOf(tenant).length;
  await sender.message(group, 'help');
  await eventually(async () => postsOf(tenant).length > before, 'the answer in the group');
  const { secret } = await makeAccessToken(owner, ['questions:ask']);
  const program = programWith(it.server.url, secret);
  const asked = await program
    .post('/api/questions')
    .send({ kind: 'approval', prompt: 'Deploy release 12?', idempotencyKey: 'one', to: owner.email })
    .expect(200);
  const post = await postWith(organisation, new RegExp(`question ${asked.body.id}|Deploy release 12`));
  expect(post.conversationId.split(';')[0]).toBe(personal.conversation.id);
  expect(wordsOf(post)).toContain('Asked by “n8n”');
  expect(interruptIdOf(post)).toBe(asked.body.id);
  const waited = program.get(`/api/questions/${asked.body.id}?wait=50`).then(({ body }) => body);
  await sender.execute(personal, 'approve', { interruptId: asked.body.id }, post.id);
  expect(await waited).toMatchObject({ status: 'answered', answer: { approved: true }, answeredIn: 'Teams' });
});
