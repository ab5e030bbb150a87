/** @environment teams */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { askForValves, VALVES_DECIDED } from '../factories/madeUpKind.ts';
import { eventually } from '../factories/person.ts';
import { ask, interruptIdOf, postWith, startTeamsServer, type TeamsServer } from '../factories/teamsServer.ts';
import { type Organisation, textsOf, verbsOf, wordsOf } from '../fakes/teams/organisation.ts';
import type { Sent } from '../fakes/teams/sender.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
  const { registerQuestionKind } = await import('../../bot/engine/questions/kinds/index.ts');
  const { valveCheck } = await import('../factories/madeUpKind.ts');
  registerQuestionKind(valveCheck);
});
afterAll(() => it.stop());

type Task = { type: string; value: { title: string; card: { content: Record<string, unknown> } } };
const taskOf = ({ body }: Sent) => (body as unknown as { task: Task }).task;
const drawn = (task: Task) => JSON.stringify(task.value.card);
const asked = async ({ owner }: Organisation) =>
  ((await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`)).body as Interrupt[])[0];

/** The made-up kind, asked in the owner's personal chat. */
async function open(organisation: Organisation) {
  await organisation.sender.message(organisation.personal, 'help');
  await postWith(organisation, /I never set a severity/);
  const post = await ask(organisation, askForValves());
  const interruptId = interruptIdOf(post);
  const { sender, personal } = organisation;
  return {
    post,
    interruptId,
    dialog: async () => taskOf(await sender.openDialog(personal, { verb: 'review', interruptId })),
    submit: async (page: number, parts: Record<string, string>) =>
      taskOf(await sender.sendDialog(personal, { verb: 'review_row', interruptId, page, ...parts })),
  };
}

describe('a kind of question whose field names collide with a button’s data', () => {
  test('is answered with the typed values, from its card in Teams', async () => {
    const { registerQuestionKind } = await import('../../bot/engine/questions/kinds/index.ts');
    const { oddlyNamed, ODD_NAMES } = await import('../factories/madeUpKind.ts');
    registerQuestionKind(oddlyNamed);
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    await sender.message(personal, 'help');
    await postWith(organisation, /I never set a severity/);
    const post = await ask(organisation, { interruptType: oddlyNamed.id, prompt: 'Which valve?' });
    const interruptId = interruptIdOf(post);
    const inputs = [...JSON.stringify(post.card).matchAll(/"type":"Input.Text","id":"(\w+)"/g)].map(([, id]) => id);
    expect(inputs).toEqual(ODD_NAMES.map((name) => `field_${name}`));
    // An empty field is not sent, and the button's own data is never mistaken for it.
    await sender.execute(personal, 'send', { interruptId, drawnUnder: 'full', field_verb: 'V-101' }, post.id);
    expect(await asked(organisation)).toMatchObject({ userResponse: { text: 'V-101' }, status: 'resolved' });
    expect((await asked(organisation))?.resolution?.reason ?? null).toBeNull();
  });
});

describe('a kind of question with rows that no code knows, in Teams', () => {
  test('is a card with its rows, decided page by page in the dialog', async () => {
    const organisation = await it.connect();
    const { post, dialog, submit } = await open(organisation);
    for (const part of ['Steam inlet', 'Opens at four bar']) expect(wordsOf(post)).toContain(part);
    expect(verbsOf(post.card).filter((verb) => verb !== 'refresh')).toEqual(['review', 'approve', 'reject']);

    let task = await dialog();
    expect(task.value.title).toBe('Row 1 of 3');
    expect(drawn(task)).toContain('Reason, needed to edit or reject');
    expect(drawn(task)).toContain('Opens at four bar');
    task = await submit(0, { outcome: 'rejected', reason: '  ' });
    expect(textsOf(task.value.card).join()).toContain('V-101: say why it is rejected.');
    task = await submit(0, { outcome: 'rejected', reason: 'Worn out' });

    expect(task.value.title).toBe('Row 2 of 3');
    expect(drawn(task)).toContain('Which match is right? Not needed if you reject');
    expect(drawn(task)).toContain('ball Ball valve');
    expect(textsOf(task.value.card).join()).toContain('Accepted before, on 3 May 2026 by Bo');
    task = await submit(1, { outcome: 'accepted' });
    expect(textsOf(task.value.card).join()).toContain('has more than one match');
    // A reason is not kept for an outcome that needs none.
    task = await submit(1, { outcome: 'accepted', choice: 'ball', reason: 'Seen' });

    expect(task.value.title).toBe('Row 3 of 3');
    expect(drawn(task)).toContain('"id":"field_setting"');
    const edit = { outcome: 'edited', field_tag: 'Drain', field_setting: '3 bar' };
    task = await submit(2, edit);
    expect(textsOf(task.value.card).join()).toContain('say why it is edited.');
    task = await submit(2, { ...edit, reason: 'Set anew in June' });
    expect(task).toMatchObject({ type: 'message', value: 'The review is recorded.' });

    expect(await asked(organisation)).toMatchObject({
      userResponse: { rows: VALVES_DECIDED },
      resolution: { outcome: 'modified', via: 'teams' },
    });
    const closed = await eventually(async () => {
      const now = organisation.tenant.posts.get(post.id);
      return now && now.updates > 0 ? now : null;
    }, 'the closed card');
    expect(wordsOf(closed)).toContain('Approved with changes by Ada Okafor in Teams');
  });

  test('once begun, decides only the undecided rows by its buttons, which ask first and can be undone', async () => {
    const organisation = await it.connect();
    const { post, interruptId } = await open(organisation);
    const { sender, personal, owner } = organisation;
    const decided = async () => (await asked(organisation))?.draft?.rows.map(({ id, outcome }) => `${id} ${outcome}`);
    const press = async (verb: string, fields: object = {}) =>
      (
        (await sender.execute(personal, verb, { interruptId, ...fields }, post.id)).body as unknown as {
          value: unknown;
        }
      ).value;
    const verbs = (card: unknown) => verbsOf(card).filter((verb) => verb !== 'refresh');
    await owner.browser
      .put(`/api/interrupts/${interruptId}/draft`)
      .send({ rows: [{ id: 'v1', outcome: 'accepted' }], version: 0 })
      .expect(200);

    expect(await press('approve')).toContain('1 of 3 valves is decided in the review already');
    expect(await press('acceptedRest:3')).toContain('changed this in the meantime');
    expect(await decided()).toEqual(['v1 accepted']);
    const card = await press('refresh');
    expect(verbs(card)).toEqual(['review', 'acceptedRest:2', 'rejectedRest:2']);
    expect(JSON.stringify(card)).toContain('Accept the 2 undecided? The decision already made stays as it is.');

    expect(textsOf((await press('rejectedRest:2')) as never).join()).toContain('Say why all are rejected');
    const rejected = await press('rejectedRest:2', { field_reason: 'Worn out' });
    expect(await decided()).toEqual(['v1 accepted', 'v2 rejected', 'v3 rejected']);
    expect(verbs(rejected)).toEqual(['review', 'send:2', 'undoRest']);
    expect(verbs(await press('undoRest'))).toEqual(['review', 'acceptedRest:2', 'rejectedRest:2']);
    expect(verbs(await press('acceptedRest:2'))).toEqual(['review', 'send:4', 'undoRest']);
    expect(await press('send:2')).toContain('changed this in the meantime');
    await press('send:4');
    expect(await asked(organisation)).toMatchObject({ status: 'resolved', resolution: { via: 'teams' } });
    expect((await asked(organisation))?.decidedBy.map(({ via }) => via)).toEqual(['inbox', 'teams', 'teams']);
  });

  test('is rejected as a whole with only its reason', async () => {
    const organisation = await it.connect();
    const { post, interruptId } = await open(organisation);
    const { sender, personal } = organisation;
    const press = (fields: object) => sender.execute(personal, 'reject', { interruptId, ...fields }, post.id);
    const refused = (await press({})).body as unknown as { value: unknown };
    expect(textsOf(refused.value as never).join()).toContain('Say why all are rejected');
    expect((await asked(organisation))?.status).toBe('pending');
    await press({ field_reason: 'The plant is closed' });
    expect(await asked(organisation)).toMatchObject({
      userResponse: { rows: VALVES_DECIDED.map(({ id }) => ({ id, reason: 'The plant is closed' })) },
      resolution: { outcome: 'rejected', reason: 'The plant is closed' },
    });
  });
});
