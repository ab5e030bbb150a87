/** @environment store */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { developWorkflow } from '../../../bot/agents/developer/workflows/develop.ts';
import { routeMessage } from '../../../bot/agents/developer/workflows/reply.ts';
import { readPreview } from '../../../bot/engine/files/projects.ts';
import type { StepResult } from '../../../bot/engine/workflows/workflow.ts';
import { StoredFile } from '../../../models/file.ts';
import { Project } from '../../../models/project.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../factories/account.ts';
import { makeStepContext } from '../../factories/stepContext.ts';

connectTestStore();
let accountId = 0;
beforeEach(() => {
  accountId = nextNumber();
});

const inAccount = <T>(work: () => Promise<T>) => runInAccount(accountId, work);
const begin = (state: object, answer?: object) =>
  makeStepContext(
    { accountId, agentId: 'developer', round: 1, state: state as never },
    answer ? { answer: answer as never } : {},
  );
type Ran = StepResult & {
  next?: string;
  ask?: { interruptType: string; prompt: string; options?: unknown[]; context: Record<string, string> };
  done?: { output: string };
};
const step = (name: string, made: ReturnType<typeof begin>) =>
  inAccount(() => made.runStep(developWorkflow.steps[name]?.run)) as Promise<Ran>;
const answering = (made: ReturnType<typeof begin>, answer: object) => {
  const next = begin(made.context.state, answer);
  Object.assign(next.context.run, made.context.run);
  return next;
};
const rejected = (reason: string) => ({ resolution: { outcome: 'rejected', reason } });
const OBJECTIVE = 'A list of keys with holder and floor';
const projects = () => inAccount(() => Project.find({}).sort({ _id: 1 }).lean());

describe('the objective', () => {
  test('is never “I don’t know”: it is asked again', async () => {
    const made = begin({ objective: ' ' });
    await step('objective', made);
    const told = answering(made, { userResponse: { userInput: 'I don’t know' } });
    await step('told', told);
    expect((await step('objective', told)).ask?.prompt).toMatch(
      /^I can’t go on without this\. .* What should I build\?/,
    );
  });

  test('is asked for where there is none, and the kind where it names none', async () => {
    const made = begin({ objective: ' ' });
    expect((await step('objective', made)).ask?.prompt).toMatch(/^What should I build\?/);
    const told = answering(made, { userResponse: { userInput: 'Something for the front desk' } });
    await step('told', told);
    expect((await step('objective', told)).ask).toMatchObject({
      interruptType: 'decision',
      prompt: 'What kind of app should “Front desk” be?',
      options: expect.arrayContaining(['Calendar', 'Kanban board']),
    });
    const chosen = answering(told, { userResponse: { selectedOption: 'Kanban board' } });
    expect(await step('kind', chosen)).toMatchObject({
      next: 'plan',
      state: { app: { kind: 'kanban', title: 'Front desk' } },
    });
  });

  test('becomes a plan, which is changed by words and paid once', async () => {
    const made = begin({ objective: OBJECTIVE });
    expect(await step('objective', made)).toMatchObject({ next: 'plan' });
    const planned = await step('plan', made);
    expect(planned).toMatchObject({ next: 'planned', cost: 10, ask: { interruptType: 'approval' } });
    expect(planned.ask?.context.description).toContain('List with filters “Keys”. Fields: Holder; Floor.');
    const changed = answering(made, rejected('add returned (yes or no); make it pop'));
    expect(await step('planned', changed)).toMatchObject({ next: 'plan' });
    const again = await step('plan', changed);
    expect(again.cost).toBeUndefined();
    expect(again.ask?.context.description).toMatch(
      /^Changed: add returned \(yes or no\)\. Not understood: make it pop\. List with filters “Keys”\. Fields: Holder; Floor; Returned \(yes or no\)\./,
    );
    const silent = answering(changed, rejected(' '));
    expect(await step('planned', silent)).toEqual({ next: 'wish' });
    expect((await step('wish', silent)).ask?.prompt).toBe('What should change in “Keys”?');
    expect(await step('planned', answering(silent, { resolution: { outcome: 'approved' } }))).toMatchObject({
      next: 'build',
    });
    expect([developWorkflow.reserve, developWorkflow.tool]).toEqual([20, 'bolt']);
  });
});

describe('the app', () => {
  async function built() {
    const made = begin({ objective: OBJECTIVE, isDirect: true });
    expect(await step('objective', made)).toMatchObject({ next: 'build' });
    return { made, asked: await step('build', made) };
  }

  test('is stored once with its archive, shown to its account alone, and asked about', async () => {
    const { made, asked } = await built();
    expect(asked).toMatchObject({ next: 'decided', cost: 20, ask: { interruptType: 'REPLIT_PROJECT_CREATED' } });
    // The step runs again after a crash, before its state was saved.
    Object.assign(made.context.state, { round: 0 });
    await step('build', made);
    const [project, ...others] = await projects();
    expect(others).toEqual([]);
    expect(asked.ask?.context).toMatchObject({
      ...{ title: 'Keys', taskObjective: OBJECTIVE, projectId: project?._id },
      iframeUrl: `/api/replit/preview/${project?._id}`,
    });
    expect(project).toMatchObject({ name: 'Keys', status: 'created', agentId: 'developer', accountId });
    expect((await inAccount(() => StoredFile.find({}).sort({ _id: 1 }).lean())).map(({ name }) => name)).toEqual([
      'Keys.html',
      'Keys.zip',
    ]);
    const show = (account: number) => runInAccount(account, () => readPreview(account, project?._id ?? 0));
    expect(String(await show(accountId))).toContain('<title>Keys</title>');
    expect(await show(nextNumber())).toBeNull();
    for (const { derived } of made.said) expect(`${derived?.redacted} ${derived?.reference}`).not.toContain('Keys');
  });

  test('is built again after each wish, free of charge, until it is kept', async () => {
    const { made } = await built();
    const wish = answering(made, { userResponse: { choice: 'edit', text: 'call it Lockers' } });
    expect(await step('decided', wish)).toMatchObject({ next: 'build' });
    const again = await step('build', wish);
    expect(again).toMatchObject({
      cost: 0,
      ask: { interruptType: 'project_preview', prompt: 'Is “Lockers” as you want it now?' },
    });
    expect((await projects()).map(({ name }) => name)).toEqual(['Keys', 'Lockers']);
    expect(wish.said[0]?.text).toContain('**Lockers** is built again. Changed: call it Lockers.');
    const kept = answering(wish, { userResponse: { choice: 'approve' } });
    expect((await step('decided', kept)).done?.output).toMatch(/^“Lockers” is kept/);
  });

  test('of no kind is a form where nobody is asked', async () => {
    const made = begin({ objective: 'Something for the front desk', isDirect: true });
    expect(await step('objective', made)).toMatchObject({
      next: 'build',
      state: { app: { kind: 'form', isAssumed: true } },
    });
  });
});

test('a message starts the work, lists what was built, or gets help', async () => {
  const route = (text: string, intent: Parameters<typeof routeMessage>[0] = null) =>
    inAccount(() => routeMessage(intent, { text, accountId, userAgentId: 3 }));
  expect(await route(OBJECTIVE, 'build')).toMatchObject({ workflow: 'develop', state: { objective: OBJECTIVE } });
  expect(await route('Which?', 'projects')).toMatchObject({
    state: { text: expect.stringContaining('built nothing yet') },
  });
  const made = begin({ objective: OBJECTIVE, isDirect: true });
  for (const name of ['objective', 'build']) await step(name, made);
  expect(await route('Which?', 'projects')).toMatchObject({ state: { text: `• Keys: ${OBJECTIVE}` } });
  expect(await route('Sing')).toMatchObject({ state: { text: expect.stringContaining('I build small web apps') } });
});
