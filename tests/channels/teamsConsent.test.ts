/** @environment teams */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { proposalsOf } from '../factories/interrupt.ts';
import { eventually } from '../factories/person.ts';
import { askForReview, interruptIdOf, postWith, startTeamsServer, type TeamsServer } from '../factories/teamsServer.ts';
import { actionsOf, type Consent, postsOf } from '../fakes/teams/organisation.ts';
import { expectNamesNeedConsent, expectRefusalsNeedConsent, type FileNameDriver } from './fileNames.ts';
import { expectMergeWaits } from './mergeAfterReview.ts';

let it: TeamsServer;
beforeAll(async () => {
  it = await startTeamsServer();
});
afterAll(() => it.stop());

describe('content sent to Teams', () => {
  const connect = async (mode: Consent): Promise<FileNameDriver> => {
    const organisation = await it.connect(mode);
    const { sender, personal, tenant } = organisation;
    return {
      drop: async (name, bytes) => void (await sender.drop(personal, name, bytes)),
      say: async (text) => void (await sender.message(personal, text)),
      replied: (words) => postWith(organisation, words),
      out: () =>
        JSON.stringify([
          it.teams.calls.filter(({ tenant: id }) => id === tenant.id).map(({ body }) => body),
          postsOf(tenant),
        ]),
    };
  };

  test.each(['reference-only', 'redacted', 'full'] as Consent[])('under %s the name of a log', async (mode) => {
    await expectNamesNeedConsent(await connect(mode), mode === 'full');
  });

  test.each(['reference-only', 'redacted', 'full'] as Consent[])(
    'under %s the name of a sheet, when work ends with a refusal',
    async (mode) => {
      await expectRefusalsNeedConsent(await connect(mode), mode === 'full');
    },
  );

  test('includes a merge right after the answer to a review: it waits until that is recorded', async () => {
    await expectMergeWaits(await connect('full'));
  });

  test.each(['reference-only', 'redacted', 'full'] as Consent[])('under %s is what was consented to', async (mode) => {
    const organisation = await it.connect(mode);
    const { sender, personal, tenant, owner } = organisation;
    const post = await askForReview(organisation);
    const interruptId = interruptIdOf(post);
    const [asked] = (await owner.browser.get(`/api/agents/${owner.agent.id}/interrupts`)).body as Interrupt[];
    const rows = proposalsOf(asked);
    const shown = [
      await sender.view(personal, post),
      ...(await Promise.all(
        rows.map(async (_row, page) => {
          const sent = await sender.sendDialog(personal, { verb: 'review_skip', interruptId, page });
          return sent.body;
        }),
      )),
      (await sender.openDialog(personal, { verb: 'review', interruptId })).body,
    ];
    await sender.message(personal, 'inbox');
    const listed = await postWith(organisation, /1 waiting\./);
    expect(listed.text.includes(asked?.prompt ?? '')).toBe(mode === 'full');
    expect(listed.text.includes(`(question ${interruptId})`)).toBe(mode !== 'full');
    await sender.execute(personal, 'reject', { interruptId, field_reason: 'Not ours' }, post.id);
    await postWith(organisation, /Review recorded/);
    // Everything that was sent: calls, and answers to calls.
    const out = it.teams.calls.filter(({ tenant: id }) => id === tenant.id).map(({ body }) => body);
    const text = JSON.stringify([out, shown, postsOf(tenant).map(({ activity }) => activity)]);
    const quotes = rows.flatMap((row) => row.quotes.map(({ text: quote }) => JSON.stringify(quote).slice(1, 40)));
    const names = rows.flatMap(({ values }) =>
      values?.description ? [JSON.stringify(values.description).slice(1, 40)] : [],
    );
    const titles = rows.flatMap(({ options }) => options.flatMap(({ title }) => title ?? []));
    expect(quotes.some((quote) => text.includes(quote))).toBe(mode === 'full');
    expect(names.some((name) => text.includes(name))).toBe(mode === 'full');
    expect(titles.some((title) => text.includes(title))).toBe(mode !== 'reference-only');
    expect(text).toContain('Analysis complete: 25 hazards');
    expect(text.includes('Quillmere')).toBe(mode === 'full');
    expect(text.includes('"Table"')).toBe(mode === 'full');
    const offered = text.includes('file.consent');
    expect(offered).toBe(mode === 'full');
  });

  test.each([
    ['reference-only', 'reference-only', 'reference-only'],
    ['reference-only', 'full', 'reference-only'],
    ['redacted', 'full', 'redacted'],
    ['full', 'redacted', 'redacted'],
    ['full', 'full', undefined],
  ] as const)(
    'asked under %s and answered under %s, a question records that %s was shown',
    async (drawn, pressed, held) => {
      const organisation = await it.connect(drawn);
      const { sender, personal, owner } = organisation;
      const post = await askForReview(organisation);
      const approve = actionsOf(post.card).find(({ verb }) => verb === 'approve') as unknown as { data: object };
      const channelConsent = { slack: 'reference-only', teams: pressed };
      await owner.browser.put('/api/preferences').send({ channelConsent }).expect(200);
      await sender.execute(personal, 'approve', { ...approve.data }, post.id);
      const { Interrupt: Asked } = await import('../../models/interrupt.ts');
      const { runInAccount } = await import('../../models/store/context.ts');
      const row = await runInAccount(owner.user.accountId, () => Asked.findOne({ _id: interruptIdOf(post) }).lean());
      expect({ by: row?.resolution?.outcome, under: row?.resolution?.shownUnder }).toEqual({
        by: 'approved',
        under: held,
      });
      expect(row?.resolution?.shownDigest === undefined).toBe(held === undefined);
    },
  );

  test('a review with a page shown under a stricter mode records that mode, whatever was consented to since', async () => {
    const organisation = await it.connect('reference-only');
    const { sender, personal, owner } = organisation;
    const interruptId = interruptIdOf(await askForReview(organisation));
    type Page = { task?: { value?: { card?: { content?: { actions?: { data?: Record<string, unknown> }[] } } } } };
    const dataOf = (page: Page | null) => page?.task?.value?.card?.content?.actions?.[0]?.data;
    let data = dataOf((await sender.openDialog(personal, { verb: 'review', interruptId })).body as Page | null);
    const channelConsent = { slack: 'reference-only', teams: 'full' };
    await owner.browser.put('/api/preferences').send({ channelConsent }).expect(200);
    while (data) {
      const reject = { ...data, outcome: 'rejected', reason: 'Not ours' };
      data = dataOf((await sender.sendDialog(personal, reject)).body as Page | null);
    }
    const { Interrupt: Asked } = await import('../../models/interrupt.ts');
    const { runInAccount } = await import('../../models/store/context.ts');
    const row = await runInAccount(owner.user.accountId, () => Asked.findOne({ _id: interruptId }).lean());
    expect(row?.resolution).toMatchObject({ shownUnder: 'reference-only', shownDigest: expect.any(String) });
  });

  test('withdrawing consent also applies to files that were offered before', async () => {
    const organisation = await it.connect('full');
    const { sender, personal, tenant, owner } = organisation;
    await sender.message(personal, 'Try it with a sample');
    const offer = await eventually(
      async () => postsOf(tenant).find(({ activity }) => JSON.stringify(activity).includes('file.consent')),
      'an offer',
    );
    const channelConsent = { slack: 'reference-only', teams: 'reference-only' };
    await owner.browser.put('/api/preferences').send({ channelConsent }).expect(200);
    const [card] = offer.activity.attachments as { content: { acceptContext: unknown } }[];
    const uploadInfo = {
      contentUrl: 'https://x.sharepoint.com/x',
      uploadUrl: `${it.teams.url}/upload/${tenant.id}/x`,
      name: 'x',
      uniqueId: 'u',
      fileType: 'xlsx',
    };
    const value = { type: 'fileUpload', action: 'accept', context: card?.content.acceptContext, uploadInfo };
    await sender.invoke(personal, 'fileConsent/invoke', value);
    await postWith(organisation, /file was not found/);
    expect(tenant.uploads.size).toBe(0);
  });
});

test('no link on any card changes anything: each is only read, and leads to sign-in or a page', async () => {
  const organisation = await it.connect('full');
  const { sender, personal, tenant } = organisation;
  const post = await askForReview(organisation);
  const interruptId = interruptIdOf(post);
  const dialog = await sender.openDialog(personal, { verb: 'review', interruptId });
  const found = await sender.invoke(personal, 'composeExtension/query', {
    commandId: 'searchQuestions',
    parameters: [],
  });
  await sender.execute(personal, 'approve', { interruptId }, post.id);
  await postWith(organisation, /Review recorded/);
  const cards = [post.card, dialog.body, found.body, ...postsOf(tenant).map(({ activity }) => activity)];
  const actions = actionsOf(cards);
  expect(actions.length).toBeGreaterThan(10);
  const links = actions.flatMap(({ url }) => (typeof url === 'string' ? [url] : []));
  expect(links.length).toBeGreaterThan(3);
  for (const link of new Set(links)) {
    const { pathname, search } = new URL(link);
    expect(pathname).toMatch(/^\/(arc-chat|agent-inbox|analyses\/\d+|api\/download\/[^/]+)$/);
    expect(search).not.toMatch(/approve|reject|answer|token|action/i);
  }
  // Everything else on a card needs a press by an identified person.
  const kinds = new Set(actions.map(({ type }) => type));
  for (const kind of kinds)
    expect([
      'Action.Execute',
      'Action.Submit',
      'Action.ShowCard',
      'Action.ToggleVisibility',
      'Action.OpenUrl',
    ]).toContain(kind);
  for (const { type, fallback } of actions)
    if (type === 'Action.Execute') expect(fallback).toMatchObject({ type: 'Action.Submit' });
});
