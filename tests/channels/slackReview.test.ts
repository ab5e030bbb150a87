/** @environment slack */
import { describe, expect, test } from '@jest/globals';
import type { RowDecision } from '../../models/contracts/questionRows.ts';
import { mustChoose, proposalsOf } from '../factories/interrupt.ts';
import type { Values } from '../fakes/slack/sender.ts';
import { actionsIn, interruptIdOf, join, openSlackTeams, posted, pressedOf, type Team } from './slackTeams.ts';

const slackTeams = openSlackTeams();
const { askForReview, modalOf, questionsOf, toldAlone } = actionsIn(slackTeams);

type Modal = Team['workspace']['views'][number];
type Block = {
  block_id?: string;
  type: string;
  element?: { initial_value?: string; initial_option?: { value: string }; options?: { value: string }[] };
  elements?: { action_id?: string; text?: string }[];
};
const blocksOf = ({ view }: Modal) => view.blocks as Block[];
const blockOf = (modal: Modal, part: string) =>
  blocksOf(modal).find(({ block_id: id }) => id?.replace(/:\d+$/, '') === part);
const pageOf = ({ view }: Modal) => Number(/Row (\d+) of/.exec(JSON.stringify(view.title))?.[1]);
const submitOf = ({ view }: Modal) => (view.submit as { text: string }).text;

/** The values that a person fills into a page, by the page's own blocks. */
function fill(modal: Modal, parts: Record<string, string | undefined>): Values {
  const ids = Object.fromEntries(blocksOf(modal).map(({ block_id: id = '' }) => [id.replace(/:\d+$/, ''), id]));
  const value = (part: string, given: string) => {
    const option = { selected_option: { value: given } };
    if (part === 'outcome') return { 'review:outcome': option };
    return part === 'choice' ? { choice: option } : { text: { value: given } };
  };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([part, given]) =>
      given === undefined || !ids[part] ? [] : [[ids[part], value(part, given)]],
    ),
  );
}
/** The first option of a page, if it asks for one. */
const firstOption = (modal: Modal) => blockOf(modal, 'choice')?.element?.options?.[0]?.value;

/** Opens the review of a pending question. */
async function open(team: Team, user = 'U1'): Promise<Modal> {
  const message = await askForReview(team);
  await slackTeams.sender.click(team.workspace, user, 'answer:review', interruptIdOf(message), {
    channel: 'D1',
    ts: message.ts,
  });
  return modalOf(team);
}
const accept = (team: Team, modal: Modal) =>
  slackTeams.sender.submit(
    team.workspace,
    'U1',
    modal,
    fill(modal, { outcome: 'accepted', choice: firstOption(modal) }),
  );
const choose = (team: Team, modal: Modal, outcome: string) =>
  slackTeams.sender.choose(team.workspace, 'U1', 'review:outcome', outcome, {
    modal,
    values: fill(modal, { outcome, choice: firstOption(modal) }),
  });
const answeredRows = async (team: Team) => {
  const [question] = await questionsOf(team);
  return (question?.userResponse as { rows: RowDecision[] } | null)?.rows;
};

describe('a review in Slack, page by page', () => {
  test('keeps the decisions, names the last page, and is sent when no row is left', async () => {
    const team = await slackTeams.connect();
    const modal = await open(team);
    const total = proposalsOf((await questionsOf(team))[0]).length;
    expect(total).toBeGreaterThan(2);
    expect({ page: pageOf(modal), submit: submitOf(modal) }).toEqual({ page: 1, submit: 'Next row' });
    await choose(team, modal, 'rejected');
    await slackTeams.sender.submit(
      team.workspace,
      'U1',
      modal,
      fill(modal, { outcome: 'rejected', reason: 'Known already' }),
    );
    for (let page = 2; page < total; page += 1) await accept(team, modal);
    expect({ page: pageOf(modal), submit: submitOf(modal) }).toEqual({ page: total, submit: 'Send review' });
    await accept(team, modal);
    const [answered] = await questionsOf(team);
    expect(answered?.resolution).toMatchObject({ outcome: 'modified', via: 'slack' });
    expect((await answeredRows(team))?.[0]).toMatchObject({ outcome: 'rejected', reason: 'Known already' });
  });

  test('shows every field with “Edit”, and counts only changed ones as edits', async () => {
    const team = await slackTeams.connect();
    const modal = await open(team);
    expect(blockOf(modal, 'field:cause')).toBeUndefined();
    await choose(team, modal, 'edited');
    const [question] = await questionsOf(team);
    const values = proposalsOf(question)[0]?.values;
    expect(blockOf(modal, 'field:cause')?.element?.initial_value ?? '').toBe(values?.cause);
    const send = (changes: Record<string, string>) =>
      slackTeams.sender.submit(
        team.workspace,
        'U1',
        modal,
        fill(modal, { outcome: 'edited', choice: firstOption(modal), ...changes }),
      );
    const unchanged = await send({});
    expect(Object.values(unchanged.errors ?? {})[0]).toMatch(/nothing was changed/);
    expect(Object.values((await send({ 'field:name': '  ' })).errors ?? {})[0]).toMatch(/needs a name/);
    await send({ 'field:cause': 'A barcode is read twice' });
    const [draft] = (await questionsOf(team))[0]?.draft?.rows ?? [];
    expect(draft).toMatchObject({ outcome: 'edited', values: { cause: 'A barcode is read twice' } });
    expect(Object.keys(draft?.values ?? {})).toEqual(['cause']);
  });

  test('goes back and forth: complete decisions are kept, incomplete ones stay open', async () => {
    const team = await slackTeams.connect();
    const modal = await open(team);
    const walk = (action: string, values: Values) =>
      slackTeams.sender.click(team.workspace, 'U1', action, '', { modal, values });
    await walk('review:skip', fill(modal, { outcome: 'rejected', reason: 'Known already' }));
    expect(pageOf(modal)).toBe(2);
    await walk('review:skip', {});
    await walk('review:back', {});
    await walk('review:back', {});
    expect(pageOf(modal)).toBe(1);
    expect(blockOf(modal, 'outcome')?.element?.initial_option?.value).toBe('rejected');
    expect((await questionsOf(team))[0]?.draft?.rows).toHaveLength(1);
    expect(blocksOf(modal).some(({ elements }) => elements?.some((it) => it.action_id === 'review:back'))).toBe(false);
  });

  test('opens at the first open row, and goes from the last row back to a skipped one', async () => {
    const team = await slackTeams.connect();
    const modal = await open(team);
    const total = proposalsOf((await questionsOf(team))[0]).length;
    await accept(team, modal);
    const message = posted(team.workspace).find(({ blocks }) => JSON.stringify(blocks).includes('answer:review'));
    const where = { channel: 'D1', ts: message?.ts ?? '' };
    const id = String((await questionsOf(team))[0]?.id);
    await slackTeams.sender.click(team.workspace, 'U1', 'answer:review', id, where);
    const again = team.workspace.views.at(-1) as Modal;
    expect({ opened: team.workspace.views.length, page: pageOf(again) }).toEqual({ opened: 2, page: 2 });
    await slackTeams.sender.click(team.workspace, 'U1', 'review:skip', '', { modal: again, values: {} });
    for (let page = 3; page <= total; page += 1) {
      expect(pageOf(again)).toBe(page);
      await accept(team, again);
    }
    expect(pageOf(again)).toBe(2);
    expect((await questionsOf(team))[0]?.status).toBe('pending');
  });

  test('does not overwrite a page that was redrawn after the click', async () => {
    const team = await slackTeams.connect();
    const modal = await open(team);
    const seen = { ...modal };
    await slackTeams.sender.click(team.workspace, 'U1', 'review:skip', '', { modal, values: {} });
    await slackTeams.sender.click(team.workspace, 'U1', 'review:skip', '', { modal, values: {} });
    expect(pageOf(modal)).toBe(3);
    await slackTeams.sender.click(team.workspace, 'U1', 'review:skip', '', { modal: seen, values: {} });
    expect(pageOf(modal)).toBe(3);
  });

  test('needs a choice for a row with several matches', async () => {
    const team = await slackTeams.connect();
    const modal = await open(team);
    const rows = proposalsOf((await questionsOf(team))[0]);
    const unsure = rows.findIndex(mustChoose);
    expect(unsure).toBeGreaterThanOrEqual(0);
    while (pageOf(modal) < unsure + 1)
      await slackTeams.sender.click(team.workspace, 'U1', 'review:skip', '', { modal, values: {} });
    const sent = await slackTeams.sender.submit(team.workspace, 'U1', modal, fill(modal, { outcome: 'accepted' }));
    expect(Object.entries(sent.errors ?? {})[0]).toEqual([
      `choice:${unsure}`,
      expect.stringMatching(/more than one match/),
    ]);
  });

  test('shows other reviewers’ rows, and opens at a row of theirs that is invalid', async () => {
    const team = await slackTeams.connect();
    const modal = await open(team);
    const [question] = await questionsOf(team);
    const rows = proposalsOf(question);
    const theirs = rows.slice(1).map(({ id, option }) => ({ id, outcome: 'accepted', choice: option }) as RowDecision);
    theirs[0] = { id: String(rows[1]?.id), outcome: 'edited', choice: String(rows[1]?.option) };
    await team.owner.browser
      .put(`/api/interrupts/${question?.id}/draft`)
      .send({ rows: theirs, version: 0 })
      .expect(200);
    expect(submitOf(modal)).toBe('Next row');
    await accept(team, modal);
    expect(pageOf(modal)).toBe(2);
    expect(JSON.stringify(modal.view)).toContain('nothing was changed');
    await choose(team, modal, 'accepted');
    await accept(team, modal);
    expect((await answeredRows(team))?.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'accepted'));
  });

  test('says who answered if it was answered elsewhere while open', async () => {
    const team = await slackTeams.connect();
    const modal = await open(team);
    await team.owner.browser
      .patch(`/api/interrupts/${(await questionsOf(team))[0]?.id}/resolve`)
      .send({ approved: true })
      .expect(200);
    const sent = await accept(team, modal);
    expect(Object.values(sent.errors ?? {})[0]).toMatch(/answered already\. Approved by Ada Okafor in the inbox/);
    await slackTeams.sender.click(team.workspace, 'U1', 'review:skip', '', { modal, values: {} });
    expect(JSON.stringify(modal.view)).toContain('answered already');
  });

  test('keeps the words in Arc under reference-only, without editing', async () => {
    const team = await slackTeams.connect('reference-only');
    const modal = await open(team);
    expect(blockOf(modal, 'outcome')?.element?.options?.map(({ value }) => value)).toEqual(['accepted', 'rejected']);
    expect(JSON.stringify(modal.view)).toContain('stays in Arc');
  });

  test.each([
    ['by a button', 'answer:approve'],
    ['by a reason in a form', 'answer:reject'],
    ['row by row', 'answer:review'],
  ])(
    '%s, is signed as shown under the stricter mode, even if the company has since consented to more',
    async (_what, button) => {
      const team = await slackTeams.connect('reference-only');
      const message = await askForReview(team);
      const where = { channel: 'D1', ts: message.ts };
      const consent = (slack: string) =>
        team.owner.browser
          .put('/api/preferences')
          .send({ channelConsent: { slack, teams: 'reference-only' } })
          .expect(200);
      if (button === 'answer:approve') await consent('full');
      await slackTeams.sender.click(team.workspace, 'U1', button, pressedOf(message), where);
      if (button !== 'answer:approve') {
        const modal = await modalOf(team);
        await consent('full');
        const reason = { reason: { text: { value: 'Out of scope' } } };
        if (button === 'answer:reject') await slackTeams.sender.submit(team.workspace, 'U1', modal, reason);
        else while ((await questionsOf(team))[0]?.status === 'pending') await accept(team, modal);
      }
      await slackTeams.factories.eventually(
        async () => (await questionsOf(team))[0]?.resolution?.shownUnder === 'reference-only',
        'what it was signed as',
      );
    },
  );

  test('is only for people who may answer', async () => {
    const team = await slackTeams.connect();
    await join(slackTeams, team, 'U2', ['member']);
    const modal = await open(team);
    const sent = await slackTeams.sender.submit(
      team.workspace,
      'U2',
      modal,
      fill(modal, { outcome: 'accepted', choice: firstOption(modal) }),
    );
    expect(Object.values(sent.errors ?? {})[0]).toMatch(/permission/);
    await slackTeams.sender.click(team.workspace, 'U9', 'answer:review', String((await questionsOf(team))[0]?.id), {
      channel: 'D1',
      ts: '1.1',
    });
    await toldAlone(team.workspace, /permission/);
    const values = fill(modal, { outcome: 'rejected', reason: 'Known already' });
    await slackTeams.sender.click(team.workspace, 'U9', 'review:skip', '', { modal, values });
    expect((await questionsOf(team))[0]?.draft?.rows ?? []).toEqual([]);
  });
});
