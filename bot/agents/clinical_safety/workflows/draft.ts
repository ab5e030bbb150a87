import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { readReserved } from '../../../engine/credits/credits.ts';
import { configuredModels } from '../../../engine/llm/model.ts';
import { chargeOf } from '../../../engine/workflows/startRun.ts';
import type { StepContext, StepResult } from '../../../engine/workflows/workflow.ts';
import { counted } from '../counted.ts';
import { askForDrafts, type DraftCall, estimateDraftCall, makeDraftCalls } from '../drafts/askForDrafts.ts';
import { findDrafts, keepDrafts } from '../drafts/keptDrafts.ts';
import { makeDrafted } from '../drafts/makeDrafted.ts';
import { changeVerdicts } from '../results/changeVerdicts.ts';
import { keepBetweenSteps, loadResult, readBetweenSteps } from '../results/results.ts';
import { ticketsWithoutKind } from '../tickets/coverage.ts';
import { analysisOf } from './analysisOf.ts';
import type { AnalysisState, Draftings } from './analysisState.ts';
import { planCalls, readTexts } from './planCalls.ts';

type Context = StepContext<AnalysisState>;
type Result = Promise<StepResult<AnalysisState>>;

/** Kept between the steps: every call's digest with how many tickets it is about, and the calls to make. */
type Asked = { all: { key: string; tickets: number }[]; calls: DraftCall[] };

/** Whether a model is asked for drafts: one is configured, and there are relevant tickets without a kind of hazard. */
export const asksForDrafts = ({ tickets, newHazards, analysisMetadata }: AnalysisResult): boolean =>
  configuredModels().length > 0 && !analysisMetadata.modelDrafts && ticketsWithoutKind(tickets, newHazards).length > 0;

const ticketsOf = (calls: readonly { tickets: number }[]): number =>
  calls.reduce((sum, { tickets }) => sum + tickets, 0);

/** Decides which tickets a model drafts from, says the cost, and reserves it. What is known costs nothing. */
export async function weighDrafts(context: Context): Result {
  const { run } = context;
  const row = await analysisOf(context);
  const { tickets, newHazards } = await loadResult(row);
  const all = makeDraftCalls(await readTexts(context, row, ticketsWithoutKind(tickets, newHazards)));
  const models = configuredModels().map(({ name }) => name);
  const known = await findDrafts(
    run.accountId,
    models,
    all.map(({ key }) => key),
  );
  const { batches: calls, estimate } = await planCalls(
    context,
    all.filter(({ key }) => !known.has(key)),
    {
      purpose: 'drafting',
      title: 'Drafting proposals',
      estimateTokens: estimateDraftCall,
      mostTokens: LIMITS.drafting.tokens,
    },
  );
  const sizes = all.map((call) => ({ key: call.key, tickets: call.tickets.length }));
  if (calls.length > 0)
    await context.say({
      key: 'drafting',
      kind: 'text',
      text: `I’ll ask ${models[0]} to draft proposals from ${counted(calls.flatMap((call) => call.tickets).length, 'relevant ticket', 'relevant tickets')} without a known kind of hazard, in ${counted(calls.length, 'call')}, for about ${estimate.toLocaleString('en-GB')} credits. You’ll decide on each draft, and you can stop it.`,
    });
  const asked: Asked = { all: sizes, calls };
  return {
    next: calls.length > 0 ? 'draft' : 'concludeDrafts',
    state: {
      drafting: {
        fileId: await keepBetweenSteps(run.accountId, run._id, 'drafting', asked),
        ...{ models, calls: calls.length, made: 0, tokens: 0, estimate },
        known: ticketsOf(sizes.filter(({ key }) => known.has(key))),
      },
    },
    reserved: await readReserved(await chargeOf(run)),
    cost: 0,
  };
}

/** The state that `weighDrafts` made. */
function draftingOf({ state }: Context): Draftings {
  if (!state.drafting) throw new Error('The run asks for no drafts.');
  return state.drafting;
}

/** Keeps the answer of the call before: it was saved with its step, so that a crash pays for no call twice. */
async function keepLast({ run }: Context, { last }: Draftings): Promise<void> {
  if (last) await keepDrafts(run.accountId, last);
}

/** One call of the model. Without an answer the built-in proposals stand alone. */
export async function draft(context: Context): Result {
  const drafting = draftingOf(context);
  await keepLast(context, drafting);
  const { made, models, estimate, tokens } = drafting;
  const { calls } = await readBetweenSteps<Asked>(drafting.fileId);
  const call = calls[made];
  if (!call || tokens >= LIMITS.drafting.tokens) return { next: 'concludeDrafts' };
  context.progress(
    `Asking ${models[0]} for drafts, about ${estimate.toLocaleString('en-GB')} credits`,
    made,
    calls.length,
  );
  const answered = await askForDrafts(configuredModels(), call, context.signal);
  if (!answered) return { next: 'concludeDrafts' };
  const { model, drafts, dropped } = answered;
  return {
    state: {
      drafting: {
        ...drafting,
        made: made + 1,
        tokens: tokens + answered.tokens,
        last: { model, key: call.key, drafts, dropped },
      },
      model,
    },
    cost: answered.tokens,
    next: 'draft',
  };
}

/** Adds the drafts to the proposals of the result, with what the model did. */
export async function recordDrafts(context: Context): Promise<void> {
  const drafting = draftingOf(context);
  await keepLast(context, drafting);
  const row = await analysisOf(context);
  const result = await loadResult(row);
  const { modelUsed, modelDrafts } = result.analysisMetadata;
  if (modelDrafts) return;
  const { all } = await readBetweenSteps<Asked>(drafting.fileId);
  const found = await findDrafts(
    row.accountId,
    drafting.models,
    all.map(({ key }) => key),
  );
  const answers = all.flatMap(({ key }) => found.get(key) ?? []);
  const { proposals, dropped } = makeDrafted(result, answers);
  const used = new Set([...(modelUsed ? modelUsed.split(', ') : []), ...answers.map(({ model }) => model)]);
  await changeVerdicts(
    row,
    'drafts',
    (tickets) => [...tickets],
    {
      modelUsed: [...used].join(', ') || false,
      modelDrafts: {
        tickets: ticketsOf(all),
        asked: ticketsOf(all.filter(({ key }) => found.has(key))),
        known: drafting.known,
        drafted: proposals.length,
        dropped: dropped + answers.reduce((sum, answer) => sum + answer.dropped, 0),
        tokens: drafting.tokens,
      },
    },
    proposals,
  );
}
