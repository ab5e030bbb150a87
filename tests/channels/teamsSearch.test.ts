/** @environment teams */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { askForReview, interruptIdOf, postWith, startTeamsServer, type TeamsServer } from '../factories/teamsServer.ts';
import { actionsOf, type Consent, type Organisation, postsOf } from '../fakes/teams/organisation.ts';
import type { Place } from '../fakes/teams/sender.ts';
import { addConversation, addUser } from '../fakes/teams/server.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterAll(() => it.stop());

type Found = {
  composeExtension: { type: string; text?: string; attachments?: { preview: { content: { title: string } } }[] };
};

/** A chat of two people without the app; search works there too. */
const elsewhere = ({ tenant, ada }: Organisation): Place => {
  const conversation = addConversation(tenant, 'groupChat', [ada]);
  conversation.installed = false;
  return { tenant, user: ada, conversation };
};
async function search(organisation: Organisation, commandId: string, query: string, place = elsewhere(organisation)) {
  const parameters = [{ name: 'query', value: query }];
  const { body } = await organisation.sender.invoke(place, 'composeExtension/query', { commandId, parameters });
  return (body as unknown as Found).composeExtension;
}
const titlesOf = (found: Found['composeExtension']) =>
  (found.attachments ?? []).map(({ preview }) => preview.content.title);

describe('the message extension', () => {
  test('finds hazards and questions from any chat, by id and by words', async () => {
    const organisation = await it.connect();
    expect(await search(organisation, 'searchHazards', '')).toMatchObject({
      type: 'message',
      text: 'Nothing found.',
    });
    const id = interruptIdOf(await askForReview(organisation));
    const all = await search(organisation, 'searchHazards', '');
    expect(all).toMatchObject({ type: 'result', attachmentLayout: 'list' });
    expect(titlesOf(all)).toHaveLength(20);
    const [first = ''] = titlesOf(all);
    expect(titlesOf(await search(organisation, 'searchHazards', first.split(' ')[0] ?? ''))).toContain(first);
    expect(await search(organisation, 'searchHazards', 'nothing of that kind')).toMatchObject({ type: 'message' });
    const questions = await search(organisation, 'searchQuestions', String(id));
    expect(titlesOf(questions)[0]).toContain(`${id} `);
    for (const action of actionsOf(questions)) expect(action.type).toBe('Action.OpenUrl');
    expect((await organisation.sender.invoke(elsewhere(organisation), 'composeExtension/query', {})).status).toBe(400);
  });

  test('finds nothing for strangers', async () => {
    const organisation = await it.connect();
    await askForReview(organisation);
    const { tenant } = organisation;
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const conversation = addConversation(tenant, 'personal', [stranger]);
    const found = await search(organisation, 'searchHazards', '', { tenant, user: stranger, conversation });
    expect(found).toMatchObject({ type: 'message', text: expect.stringContaining('do not have permission') });
  });

  test.each(['reference-only', 'redacted', 'full'] as Consent[])(
    'under %s finds and shows only what consent allows',
    async (mode) => {
      const organisation = await it.connect(mode);
      await askForReview(organisation);
      const { loadResult } = await import('../../bot/agents/clinical_safety/results/results.ts');
      const { findCompanyResult } = await import('../../bot/agents/clinical_safety/results/findAnalysis.ts');
      const { runInAccount } = await import('../../models/store/context.ts');
      const { accountId } = organisation.owner.user;
      const result = await runInAccount(accountId, async () => {
        const row = await findCompanyResult(accountId);
        return row ? loadResult(row) : null;
      });
      const name = result?.existingHazards[0]?.name ?? '';
      expect(name).not.toBe('');
      const byWords = await search(organisation, 'searchHazards', name);
      expect(byWords.type).toBe(mode === 'full' ? 'result' : 'message');
      const all = JSON.stringify(await search(organisation, 'searchHazards', ''));
      const names = result?.existingHazards.map((hazard) => JSON.stringify(hazard.name).slice(1, -1)) ?? [];
      expect(names.some((one) => one.length > 8 && all.includes(one))).toBe(mode === 'full');
      // A proposal shows our own title under redacted too, and only its id under reference-only.
      const proposal = result?.newHazards.find(({ candidates }) => candidates[0]);
      const title = proposal?.candidates[0]?.title ?? '';
      expect(title).not.toBe('');
      const found = JSON.stringify(await search(organisation, 'searchHazards', proposal?.proposedId ?? ''));
      expect(found).toContain(proposal?.proposedId);
      expect(found.includes(title)).toBe(mode !== 'reference-only');
      expect(found.includes(JSON.stringify(proposal?.values.description).slice(1, 40))).toBe(mode === 'full');
      expect((await search(organisation, 'searchHazards', title)).type === 'result').toBe(mode !== 'reference-only');
    },
  );

  test('sends words, or a chosen message, to an agent, which answers in the person’s own chat', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant } = organisation;
    const messagePayload = { body: { contentType: 'html', content: '<p>help</p>' } };
    const value = { commandId: 'sendToAgent', commandContext: 'message', data: { text: '' }, messagePayload };
    const { body } = await sender.invoke(elsewhere(organisation), 'composeExtension/submitAction', value);
    expect(body).toMatchObject({ task: { type: 'message', value: expect.stringContaining('Sent.') } });
    const reply = await postWith(organisation, /I never set a severity/);
    expect(reply.conversationId).toBe(personal.conversation.id);
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const place = { tenant, user: stranger, conversation: addConversation(tenant, 'personal', [stranger]) };
    const refused = await sender.invoke(place, 'composeExtension/submitAction', value);
    expect(JSON.stringify(refused.body)).toContain('do not have permission');
    expect(postsOf(tenant)).toHaveLength(1);
  });
});
