/** @environment teams */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { mustChoose, proposalsOf } from '../factories/interrupt.ts';
import { eventually } from '../factories/person.ts';
import { sweepNow } from '../factories/sweepNow.ts';
import {
  ask,
  askForReview,
  installIn,
  interruptIdOf,
  postWith,
  startTeamsServer,
  type TeamsServer,
} from '../factories/teamsServer.ts';
import { withoutMatches } from '../factories/withoutMatches.ts';
import { actionsOf, type Organisation, postsOf, textsOf, verbsOf, wordsOf } from '../fakes/teams/organisation.ts';
import type { Sent } from '../fakes/teams/sender.ts';
import { addConversation, addUser } from '../fakes/teams/server.ts';
import type { Posted } from '../fakes/teams/tenant.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterAll(() => it.stop());

const questionsOf = async ({ owner }: Organisation) =>
  withoutMatches((await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`)).body as Interrupt[]);
const closedPost = ({ tenant }: Organisation, post: Posted) =>
  eventually(async () => {
    const now = tenant.posts.get(post.id);
    return now && now.updates > 0 ? now : null;
  }, 'the closed card');
const answerVerbs = (card: unknown) => verbsOf(card).filter((verb) => verb !== 'refresh');
const answerOf = ({ body }: Sent) => body as unknown as { type: string; statusCode: number; value: never };
const taskOf = ({ body }: Sent) =>
  (body as unknown as { task: { type: string; value: { title: string; card: { content: Record<string, unknown> } } } })
    .task;

describe('a question', () => {
  test('is one card; answered on it, it closes everywhere with who, where and when', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    const post = await askForReview(organisation);
    const interruptId = interruptIdOf(post);
    expect(answerVerbs(post.card)).toEqual(['review', 'approve', 'reject']);
    const sent = await sender.execute(personal, 'approve', { interruptId }, post.id);
    // The person who pressed sees the outcome at once, in the answer to the press itself.
    expect(answerOf(sent).type).toBe('application/vnd.microsoft.card.adaptive');
    expect(textsOf(answerOf(sent).value).join()).toMatch(/Approved by Ada Okafor in Teams, \d\d:\d\d/);
    const closed = await closedPost(organisation, post);
    expect(wordsOf(closed)).toMatch(/Approved by Ada Okafor in Teams, \d\d:\d\d/);
    expect(answerVerbs(closed.card)).toEqual([]);
    expect((await questionsOf(organisation))[0]?.resolution).toMatchObject({ via: 'teams', outcome: 'approved' });
    await postWith(organisation, /Review recorded/);
  });

  test('whose answer is signed keeps a press as a proposal, says where to sign, and stays pending', async () => {
    const organisation = await it.connect();
    const { sender, personal, owner, tenant } = organisation;
    const registration = { profession: 'Nurse', register: 'NMC', registrationNumber: '1A' };
    const clinicalSafetyOfficer = { userId: owner.user.id, ...registration };
    await owner.browser.put('/api/preferences').send({ clinicalSafetyOfficer, signsAnswers: true }).expect(200);
    const post = await askForReview(organisation);
    const interruptId = interruptIdOf(post);
    const sent = await sender.execute(personal, 'approve', { interruptId }, post.id);
    expect(JSON.stringify(answerOf(sent))).toMatch(/kept as a proposal and decides nothing yet\. .* signed in Arc/);
    const open = await eventually(async () => {
      const now = tenant.posts.get(post.id);
      return now && /as a proposal/.test(wordsOf(now)) ? now : null;
    }, 'the proposal on the card');
    expect(wordsOf(open)).toMatch(
      /Approved as a proposal by Ada Okafor in Teams, \d\d:\d\d\. It waits for a signature\./,
    );
    expect(answerVerbs(open.card)).toEqual(['review', 'approve', 'reject']);
    expect((await questionsOf(organisation))[0]).toMatchObject({ status: 'pending', resolution: null });
  });

  test('answered on the web loses its buttons in Teams', async () => {
    const organisation = await it.connect();
    const post = await askForReview(organisation);
    await organisation.owner.browser
      .patch(`/api/interrupts/${interruptIdOf(post)}/resolve`)
      .send({ approved: true })
      .expect(200);
    const closed = await closedPost(organisation, post);
    expect(wordsOf(closed)).toContain('in the inbox');
    expect(answerVerbs(closed.card)).toEqual([]);
  });

  test('in a channel shows buttons to people who may answer, and its state to others', async () => {
    const organisation = await it.connect();
    const { tenant, sender, owner, ada } = organisation;
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const place = await installIn(organisation, 'channel', [stranger]);
    await sender.message(place, 'Try it with a sample');
    await postWith(organisation, /sample/);
    const first = postsOf(tenant)[0] as Posted;
    const thread = first.conversationId.split('messageid=')[1] ?? '';
    await sender.message({ ...place, thread }, 'Analyse my hazard log');
    const post = await eventually(
      async () => postsOf(tenant).find(({ card }) => JSON.stringify(card ?? {}).includes('"refresh"')),
      'the question',
    );
    expect(answerVerbs(post.card)).toEqual([]);
    expect(wordsOf(post)).toContain('Waiting for the Clinical Safety Officer');
    expect((post.card as { refresh: { userIds: string[] } }).refresh.userIds).toEqual([ada.id]);
    expect(answerVerbs(await sender.view({ ...place, thread }, post))).toEqual(['review', 'approve', 'reject']);
    // Another person who fetches their own card, from the message's menu, sees the state.
    const asked = await sender.execute({ ...place, user: stranger, thread }, 'refresh', {
      interruptId: interruptIdOf(post),
    });
    expect(answerOf(asked).type).toBe('application/vnd.microsoft.activity.message');
    const bo = addUser(tenant, 'Bo', 'bo@example.org');
    place.conversation.members.add(bo.id);
    const { signUp } = await import('../factories/person.ts');
    const member = await signUp(it.server, { email: `bo-${tenant.id}@example.org` });
    bo.email = member.email;
    const { Member } = await import('../../models/member.ts');
    const { User } = await import('../../models/user.ts');
    await User.updateOne({ _id: member.user.id }, { $set: { emailVerified: true } });
    await Member.create({ accountId: owner.user.accountId, userId: member.user.id, roles: ['member'] });
    const seen = await sender.execute({ ...place, user: bo, thread }, 'refresh', { interruptId: interruptIdOf(post) });
    expect(textsOf(answerOf(seen).value).join()).toContain('Waiting for the Clinical Safety Officer');
    expect(answerVerbs(answerOf(seen).value)).toEqual([]);
    const refused = await sender.execute({ ...place, user: bo, thread }, 'approve', {
      interruptId: interruptIdOf(post),
    });
    expect(String(answerOf(refused).value)).toContain('do not have permission');
    expect((await questionsOf(organisation))[0]?.status).toBe('pending');
    await sender.execute({ ...place, thread }, 'approve', { interruptId: interruptIdOf(post) });
    expect(wordsOf(await closedPost(organisation, post))).toContain('Approved by Ada Okafor in Teams');
  });

  test('finds a deputy in the roster whom the app has not met yet, and shows them buttons too', async () => {
    const organisation = await it.connect();
    const { tenant, sender, owner, ada } = organisation;
    const { signUp } = await import('../factories/person.ts');
    const { Member } = await import('../../models/member.ts');
    const { User } = await import('../../models/user.ts');
    const person = await signUp(it.server);
    await User.updateOne({ _id: person.user.id }, { $set: { emailVerified: true } });
    await Member.create({ accountId: owner.user.accountId, userId: person.user.id, roles: ['deputy'] });
    const bo = addUser(tenant, 'Bo', person.email.toUpperCase());
    const guest = addUser(tenant, 'Bo as a guest', person.email, { userRole: 'guest' });
    const place = await installIn(organisation, 'groupChat', [bo, guest]);
    const post = await askForReview(organisation, place);
    const { userIds } = (post.card as { refresh: { userIds: string[] } }).refresh;
    expect(new Set(userIds)).toEqual(new Set([ada.id, bo.id]));
    expect(answerVerbs(post.card)).toEqual([]);
    expect(answerVerbs(await sender.view({ ...place, user: bo }, post))).toEqual(['review', 'approve', 'reject']);
    expect(answerVerbs(await sender.view({ ...place, user: guest }, post))).toEqual([]);
  });

  test('is not changed by a stranger’s press, who is told so privately', async () => {
    const organisation = await it.connect();
    const { tenant, sender } = organisation;
    const post = await askForReview(organisation);
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const place = { tenant, user: stranger, conversation: addConversation(tenant, 'personal', [stranger]) };
    for (const verb of ['approve', 'reject', 'refresh', 'option', 'input']) {
      const sent = await sender.execute(place, verb, { interruptId: interruptIdOf(post), reason: 'x' });
      expect(answerOf(sent)).toMatchObject({ type: 'application/vnd.microsoft.activity.message' });
      expect(String(answerOf(sent).value)).toContain('do not have permission');
    }
    await sender.submit(place, { verb: 'approve', interruptId: interruptIdOf(post) });
    await postWith(organisation, /do not have permission/, place.conversation);
    expect((await questionsOf(organisation))[0]?.status).toBe('pending');
  });

  test('of another account is not found', async () => {
    const [one, other] = [await it.connect(), await it.connect()];
    const post = await askForReview(one);
    const sent = await other.sender.execute(other.personal, 'approve', { interruptId: interruptIdOf(post) });
    expect(String(answerOf(sent).value)).toContain('does not exist');
    expect((await questionsOf(one))[0]?.status).toBe('pending');
  });

  test('is answered by an older client with Action.Submit', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    const post = await askForReview(organisation);
    const approve = actionsOf(post.card).find(({ verb }) => verb === 'approve');
    const { fallback } = approve as unknown as { fallback: { type: string; data: Record<string, unknown> } };
    expect(fallback.type).toBe('Action.Submit');
    const { status } = await sender.submit(personal, fallback.data, post.id);
    expect(status).toBe(200);
    expect(wordsOf(await closedPost(organisation, post))).toContain('Approved by Ada Okafor in Teams');
  });

  test('with a repeated or late Action.Submit is answered once, and only a different choice gets a notice', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant } = organisation;
    const post = await askForReview(organisation);
    const interruptId = interruptIdOf(post);
    const told = () => postsOf(tenant).filter((it) => /answered already/.test(wordsOf(it)));
    await sender.submit(personal, { verb: 'approve', interruptId }, post.id);
    await sender.submit(personal, { verb: 'approve', interruptId }, post.id);
    await closedPost(organisation, post);
    expect(told()).toEqual([]);
    await sender.submit(personal, { verb: 'reject', field_reason: 'Late', interruptId }, post.id);
    await eventually(async () => told().length === 1, 'the word');
    expect((await questionsOf(organisation))[0]?.resolution).toMatchObject({ outcome: 'approved' });
  });

  test('with two different presses at once keeps one answer, and tells the other person which', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    const post = await askForReview(organisation);
    const interruptId = interruptIdOf(post);
    const both = await Promise.all([
      sender.execute(personal, 'approve', { interruptId }, post.id),
      sender.execute(personal, 'reject', { interruptId, field_reason: 'Out of scope' }, post.id),
    ]);
    const [standing] = await questionsOf(organisation);
    expect(standing?.status).toBe('resolved');
    const told = both.map(answerOf).filter(({ type }) => type === 'application/vnd.microsoft.activity.message');
    expect(told).toHaveLength(1);
    expect(String(told[0]?.value)).toContain(`answered already. ${standing?.resolution?.text}`);
  });

  test.each([
    ['with its reason', ' Out of scope ', 'Out of scope'],
    ['without one, as on every surface', '  ', null],
  ])('takes a rejection %s', async (_how, typed, reason) => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    const post = await askForReview(organisation);
    await sender.execute(personal, 'reject', { interruptId: interruptIdOf(post), field_reason: typed }, post.id);
    expect((await questionsOf(organisation))[0]?.resolution).toMatchObject({ outcome: 'rejected', reason });
  });

  test('does not accept an unknown button', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    const post = await askForReview(organisation);
    for (const interruptId of [interruptIdOf(post) + 1000, 'x', null, { $gt: 0 }]) {
      const sent = await sender.execute(personal, 'approve', { interruptId });
      expect(String(answerOf(sent).value)).toContain('does not exist');
    }
    expect((await questionsOf(organisation))[0]?.status).toBe('pending');
  });

  test.each(['constructor', 'toString', '__proto__', 'something'])(
    'does not accept a button “%s”: the card stays unchanged, and a review page refuses it',
    async (verb) => {
      const organisation = await it.connect();
      const { sender, personal, tenant } = organisation;
      const post = await askForReview(organisation);
      const interruptId = interruptIdOf(post);
      const seen = await sender.execute(personal, 'refresh', { interruptId }, post.id);
      const sent = await sender.execute(personal, verb, { interruptId }, post.id);
      expect(sent.body).toEqual(seen.body);
      const before = postsOf(tenant).length;
      expect((await sender.submit(personal, { verb, interruptId })).status).toBe(200);
      const page = { verb, interruptId, page: 0, outcome: 'accepted' };
      expect(taskOf(await sender.sendDialog(personal, page))).toMatchObject({ type: 'message' });
      const [question] = await questionsOf(organisation);
      expect({ status: question?.status, rows: question?.draft?.rows ?? [] }).toEqual({ status: 'pending', rows: [] });
      expect(postsOf(tenant)).toHaveLength(before);
    },
  );

  test('reports that Teams does not say who pressed, and accepts no answer', async () => {
    const organisation = await it.connect();
    const { sender, personal, owner } = organisation;
    const post = await askForReview(organisation);
    const { ChannelIdentity } = await import('../../models/channelIdentity.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    await runInAccount(owner.user.accountId, () => ChannelIdentity.deleteMany({ channel: 'teams' }));
    it.teams.fail(/GET .*members/, 503, 1);
    const sent = await sender.execute(personal, 'approve', { interruptId: interruptIdOf(post) }, post.id);
    expect(String(answerOf(sent).value)).toContain('Microsoft Teams does not answer');
    expect((await questionsOf(organisation))[0]?.status).toBe('pending');
  });

  test('that could not be shown and is answered elsewhere meanwhile is not drawn', async () => {
    const organisation = await it.connect();
    const { tenant, owner, sender, personal } = organisation;
    await sender.message(personal, 'Try it with a sample');
    await postWith(organisation, /sample/);
    it.teams.fail(/POST .*activities/, 503, 1000);
    await sender.message(personal, 'Analyse my hazard log');
    const [question] = await eventually(async () => {
      const asked = await questionsOf(organisation);
      return asked.length > 0 ? asked : null;
    }, 'the question');
    const { Delivery } = await import('../../models/delivery.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const shownAs = () =>
      runInAccount(owner.user.accountId, () =>
        Delivery.findOne({ interruptId: question?.id, surface: 'teams' }).lean(),
      );
    await owner.browser.patch(`/api/interrupts/${question?.id}/resolve`).send({ approved: true }).expect(200);
    it.teams.recover();
    await eventually(async () => {
      await sweepNow();
      return (
        (await shownAs())?.status === 'closed' && postsOf(tenant).some((it) => /Review recorded/.test(wordsOf(it)))
      );
    }, 'the record');
    const drawn = it.teams.calls.filter(({ tenant: id, method }) => id === tenant.id && method === 'PUT');
    expect(drawn).toEqual([]);
    // The question about possible matches, which follows the review, is another one.
    const ofReview = postsOf(tenant).filter((post) => post.card && interruptIdOf(post) === question?.id);
    expect(ofReview.filter(({ card }) => JSON.stringify(card).includes('"refresh"'))).toEqual([]);
  });
});

describe('the review, row by row', () => {
  test('goes page by page in a dialog; decisions are kept, errors are shown on the page', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    const post = await askForReview(organisation);
    const interruptId = interruptIdOf(post);
    const [asked] = await questionsOf(organisation);
    const rows = proposalsOf(asked);
    let task = taskOf(await sender.openDialog(personal, { verb: 'review', interruptId }));
    expect(task.value.title).toBe(`Row 1 of ${rows.length}`);
    const fill = (page: number, values: Record<string, unknown>) =>
      sender.sendDialog(personal, { verb: 'review_row', interruptId, page, ...values });

    const nothing = taskOf(await fill(0, {}));
    expect(textsOf(nothing.value.card).join()).toContain('Choose accept, edit or reject.');
    const unchanged = taskOf(await fill(0, { outcome: 'edited', choice: rows[0]?.option, reason: 'kept words' }));
    expect(textsOf(unchanged.value.card).join()).toContain('nothing was changed');
    expect(JSON.stringify(unchanged.value.card)).toContain('kept words');

    task = taskOf(await fill(0, { outcome: 'rejected', reason: 'Known already' }));
    expect(task.value.title).toBe(`Row 2 of ${rows.length}`);
    // After closing and reopening, it continues where it was.
    task = taskOf(await sender.openDialog(personal, { verb: 'review', interruptId }));
    expect(task.value.title).toBe(`Row 2 of ${rows.length}`);
    for (let page = 1; page < rows.length; page += 1) {
      task = taskOf(
        await fill(page, { outcome: 'accepted', choice: rows[page]?.option, field_name: rows[page]?.values?.name }),
      );
    }
    expect(task).toMatchObject({ type: 'message', value: 'The review is recorded.' });
    const [answered] = await questionsOf(organisation);
    expect(answered?.resolution?.outcome).toBe('modified');
    const [first] = (answered as Interrupt & { userResponse: { rows: unknown[] } }).userResponse.rows;
    expect(first).toMatchObject({ outcome: 'rejected', reason: 'Known already' });
    expect(taskOf(await fill(0, { outcome: 'accepted' })).value).toContain('answered already');
  });

  test('needs a choice for a row with several matches, and has no pages for people who may not answer', async () => {
    const organisation = await it.connect();
    const { sender, personal, tenant } = organisation;
    const interruptId = interruptIdOf(await askForReview(organisation));
    const rows = proposalsOf((await questionsOf(organisation))[0]);
    const page = rows.findIndex(mustChoose);
    expect(page).toBeGreaterThanOrEqual(0);
    const sent = await sender.sendDialog(personal, { verb: 'review_row', interruptId, page, outcome: 'accepted' });
    expect(textsOf(taskOf(sent).value.card).join()).toContain('has more than one match');
    const stranger = addUser(tenant, 'Stranger', 'stranger@example.com');
    const place = { tenant, user: stranger, conversation: addConversation(tenant, 'personal', [stranger]) };
    expect(taskOf(await sender.openDialog(place, { verb: 'review', interruptId }))).toMatchObject({
      type: 'message',
      value: expect.stringContaining('do not have permission'),
    });
  });
});

describe('a page of the review', () => {
  test('is not for a member who may not answer, and stores nothing of theirs', async () => {
    const organisation = await it.connect();
    const { sender, personal, owner } = organisation;
    const interruptId = interruptIdOf(await askForReview(organisation));
    const { Member } = await import('../../models/member.ts');
    const { announce } = await import('../../models/store/revisions.ts');
    await Member.updateOne({ userId: owner.user.id }, { $set: { roles: ['member'] } });
    announce(owner.user.accountId, ['account']);
    const page = { verb: 'review_row', interruptId, page: 0, outcome: 'rejected', reason: 'Not ours' };
    const refused = { type: 'message', value: expect.stringContaining('do not have permission') };
    expect(taskOf(await sender.openDialog(personal, { verb: 'review', interruptId }))).toMatchObject(refused);
    expect(taskOf(await sender.sendDialog(personal, page))).toMatchObject(refused);
    expect((await questionsOf(organisation))[0]?.draft?.rows ?? []).toEqual([]);
  });

  test('has every field to edit; only changes count as edits; going back or skipping keeps complete decisions', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    const interruptId = interruptIdOf(await askForReview(organisation));
    const rows = proposalsOf((await questionsOf(organisation))[0]);
    const first = taskOf(await sender.openDialog(personal, { verb: 'review', interruptId }));
    for (const label of ['Hazard', 'Description', 'Cause', 'Clinical impact', 'Design control', 'Test control'])
      expect(JSON.stringify(first.value.card)).toContain(`"label":"${label}"`);
    const press = async (verb: string, page: number, values: Record<string, unknown> = {}) =>
      taskOf(await sender.sendDialog(personal, { verb, interruptId, page, ...values }));
    const draft = async () => (await questionsOf(organisation))[0]?.draft?.rows ?? [];

    const inputs = Object.entries(rows[0]?.values ?? {}).map(([name, text]) => [`field_${name}`, text]);
    const own = { outcome: 'edited', choice: rows[0]?.option, field_cause: 'A cause of our own' };
    const edit = { ...Object.fromEntries(inputs), ...own };
    expect((await press('review_skip', 0, edit)).value.title).toBe(`Row 2 of ${rows.length}`);
    expect(await draft()).toMatchObject([{ outcome: 'edited', values: { cause: 'A cause of our own' } }]);
    expect(Object.keys((await draft())[0]?.values ?? {})).toEqual(['cause']);
    // An incomplete decision is dropped, as it is on closing.
    await press('review_skip', 1, { outcome: 'edited' });
    expect(await draft()).toHaveLength(1);
    const back = await press('review_back', 1);
    expect(back.value.title).toBe(`Row 1 of ${rows.length}`);
    expect(JSON.stringify(back.value.card)).toContain('A cause of our own');
    // Sent as shown now: earlier edits stay, and new ones are added.
    await press('review_skip', 0, edit);
    expect((await draft())[0]?.values).toEqual({ cause: 'A cause of our own' });
    await press('review_skip', 0, {
      outcome: 'edited',
      choice: rows[0]?.option,
      field_description: 'Words of our own',
    });
    expect((await draft())[0]?.values).toEqual({ cause: 'A cause of our own', description: 'Words of our own' });
    expect((await press('review_row', 99)) as unknown).toMatchObject({ type: 'message' });
    expect((await press('something', 0)) as unknown).toMatchObject({ type: 'message' });
  });
});

describe('every kind of question', () => {
  test('an approval is approved, or rejected with its reason', async () => {
    const organisation = await it.connect();
    await organisation.sender.message(organisation.personal, 'help');
    await postWith(organisation, /I never set a severity/);
    const first = await ask(organisation, { interruptType: 'approval', prompt: 'Release version 2?' });
    expect(answerVerbs(first.card)).toEqual(['approve', 'reject']);
    await organisation.sender.execute(organisation.personal, 'approve', { interruptId: interruptIdOf(first) });
    await postWith(organisation, /You said \{"approved":true\}/);
    const second = await ask(organisation, { interruptType: 'approval', prompt: 'Release version 3?' });
    const given = { interruptId: interruptIdOf(second), field_reason: 'Tests are open' };
    await organisation.sender.execute(organisation.personal, 'reject', given);
    await postWith(organisation, /You said \{"approved":false\}/);
  });

  test('a decision takes one of its options', async () => {
    const organisation = await it.connect();
    await organisation.sender.message(organisation.personal, 'help');
    await postWith(organisation, /I never set a severity/);
    const question = { interruptType: 'decision' as const, prompt: 'Which log?', options: ['The first', 'The second'] };
    const post = await ask(organisation, question);
    const option = actionsOf(post.card).find(({ title }) => title === 'The second') as unknown as {
      data: Record<string, unknown>;
    };
    // A value that only parses as a number chooses nothing, so no option is chosen by accident.
    for (const not of [9, -1, 0.5, null, '', '0', true, [], {}]) {
      const none = await organisation.sender.execute(organisation.personal, 'option', { ...option.data, option: not });
      expect(textsOf(answerOf(none).value).join()).toContain('Choose one of the options.');
    }
    const beyond = await organisation.sender.execute(organisation.personal, 'option:2', option.data);
    expect(textsOf(answerOf(beyond).value).join()).toContain('Choose one of the options.');
    await organisation.sender.execute(organisation.personal, String(option.data.verb), option.data);
    await postWith(organisation, /You said \{"selectedOption":"The second"\}/);
  });

  test('an unknown kind is answered by its options, or in words', async () => {
    const organisation = await it.connect();
    const { sender, personal } = organisation;
    await sender.message(personal, 'help');
    await postWith(organisation, /I never set a severity/);
    const options = ['The first', { id: 'two', label: 'The second', action: 'two' }];
    const chosen = await ask(organisation, { interruptType: 'made_up', prompt: 'Which way?', options });
    expect(answerVerbs(chosen.card)).toEqual(['option:0', 'option:1']);
    await sender.execute(personal, 'option:1', { interruptId: interruptIdOf(chosen) });
    await postWith(organisation, /You said \{"choice":"two"\}/);
    const words = await ask(organisation, { interruptType: 'made_up', prompt: 'How many?' });
    await sender.execute(personal, 'input', { interruptId: interruptIdOf(words), field_answer: ' Seven ' });
    await postWith(organisation, /You said \{"text":"Seven"\}/);
  });

  test('a project is edited with words', async () => {
    const { questionCard } = await import('../../bot/channels/teams/cards/questionCard.ts');
    const { viewInterrupt } = await import('../../bot/engine/delivery/viewInterrupt.ts');
    const { makeInterrupt } = await import('../factories/interrupt.ts');
    const option = (id: string) => ({ id, label: id, action: id });
    const row = makeInterrupt({ interruptType: 'project_preview', options: ['approve', 'edit'].map(option) });
    const card = questionCard(viewInterrupt(row, null, 'Europe/London'), 'full', { mayAnswer: true, refreshFor: [] });
    const [, edit] = card.actions as unknown as { type: string; card: { body: { id: string }[]; actions: unknown } }[];
    expect(edit?.type).toBe('Action.ShowCard');
    expect(edit?.card.body[0]?.id).toBe('field_change');
    expect(actionsOf(edit?.card.actions)[0]).toMatchObject({ verb: 'option:1' });
  });

  test.each([
    ['approval', 'reject', { reason: 'Not ours' }, { resolution: { outcome: 'rejected', reason: 'Not ours' } }],
    ['input', 'input', { answer: 'Release 4.2' }, { userResponse: { userInput: 'Release 4.2' } }],
    ['project_preview', 'option:1', { change: 'A darker blue' }, { userResponse: { text: 'A darker blue' } }],
  ])('a card of a question of kind %s posted before 0.2.0 can still be answered', async (...row) => {
    const [interruptType, verb, typed, answered] = row;
    const organisation = await it.connect();
    const { sender, personal, owner } = organisation;
    await sender.message(personal, 'help');
    await postWith(organisation, /I never set a severity/);
    const options = ['approve', 'edit'].map((id) => ({ id, label: id, action: id }));
    const asked = { interruptType, prompt: 'As it was?', ...(interruptType === 'project_preview' ? { options } : {}) };
    const post = await ask(organisation, asked);
    await sender.execute(personal, verb, { interruptId: interruptIdOf(post), ...typed }, post.id);
    const { body } = await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`);
    expect(body[0]).toMatchObject({ status: 'resolved', ...answered });
  });

  test('an input takes words on the card; blank words are reported there', async () => {
    const organisation = await it.connect();
    await organisation.sender.message(organisation.personal, 'help');
    await postWith(organisation, /I never set a severity/);
    const post = await ask(organisation, { interruptType: 'input', prompt: 'Which release is it for?' });
    const interruptId = interruptIdOf(post);
    expect(JSON.stringify(post.card)).toContain('"Input.Text"');
    const blank = await organisation.sender.execute(organisation.personal, 'input', { interruptId, field_answer: ' ' });
    expect(textsOf(answerOf(blank).value).join()).toContain('Please write an answer.');
    await organisation.sender.execute(organisation.personal, 'input', { interruptId, field_answer: 'Release 4.2' });
    await postWith(organisation, /You said \{"userInput":"Release 4.2"\}/);
    expect(wordsOf(await closedPost(organisation, post))).toMatch(/Answered by Ada Okafor in Teams, .+: Release 4\.2/);
  });
});
