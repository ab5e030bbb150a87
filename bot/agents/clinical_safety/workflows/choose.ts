import type { HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { MatchChoiceRow } from '../../../../models/clinical_safety/matchChoice.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { MatchChoice, ModelChoices } from '../../../../models/contracts/clinical_safety/matches.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { readReserved } from '../../../engine/credits/credits.ts';
import { configuredModels } from '../../../engine/llm/model.ts';
import { batchesOf, type Choosing, chooseAmong, estimateTokens } from '../../../engine/thinking/chooseAmong.ts';
import { chargeOf } from '../../../engine/workflows/startRun.ts';
import type { StepContext, StepResult } from '../../../engine/workflows/workflow.ts';
import { applyChoices } from '../choices/applyChoices.ts';
import { CHOOSING_TASK, makeAskedChoices } from '../choices/askedChoices.ts';
import { findChoices, keepChoices } from '../choices/keptChoices.ts';
import { counted } from '../counted.ts';
import { orderAsked } from '../matches/matchRow.ts';
import { changeVerdicts } from '../results/changeVerdicts.ts';
import { keepBetweenSteps, loadResult, readBetweenSteps } from '../results/results.ts';
import { analysisOf } from './analysisOf.ts';
import type { AnalysisState, Choosings } from './analysisState.ts';
import { planCalls, readTexts } from './planCalls.ts';

type Context = StepContext<AnalysisState>;
type Result = Promise<StepResult<AnalysisState>>;

/** Kept between the steps: the digest of each ticket's question, and the calls to make. */
type Asked = { keys: [ticketKey: string, key: string][]; batches: Choosing[][] };

/** Whether a model is asked about an analysis: one is configured, and there are possible matches to choose among. */
export const asksModel = ({ tickets, analysisMetadata }: AnalysisResult): boolean =>
  configuredModels().length > 0 && !analysisMetadata.modelChoices && orderAsked(tickets).length > 0;

async function readAsked(context: Context, row: HazardAnalysisRow) {
  const { existingHazards, tickets } = await loadResult(row);
  const open = orderAsked(tickets);
  return makeAskedChoices(open, await readTexts(context, row, open), existingHazards);
}

/**
 * Decides which tickets a model is asked about, says the cost, and reserves it. Tickets that an earlier analysis asked
 * about cost nothing.
 */
export async function weighChoices(context: Context): Result {
  const { run } = context;
  const models = configuredModels().map(({ name }) => name);
  const asked = await readAsked(context, await analysisOf(context));
  const known = await findChoices(
    run.accountId,
    models,
    asked.map(({ choosing }) => choosing.id),
  );
  const open = new Map(asked.flatMap(({ choosing }) => (known.has(choosing.id) ? [] : [[choosing.id, choosing]])));
  const { batches, estimate } = await planCalls(context, batchesOf([...open.values()]), {
    purpose: 'choosing',
    title: 'Choosing among hazards',
    estimateTokens,
    mostTokens: LIMITS.choosing.tokens,
  });
  const keys = asked.map(({ ticketKey, choosing }): Asked['keys'][number] => [ticketKey, choosing.id]);
  const planned: Asked = { keys, batches };
  if (batches.length > 0)
    await context.say({
      key: 'choosing',
      kind: 'text',
      text: `I’ll ask ${models[0]} which of the nearest hazards ${counted(batches.flat().length, 'ticket is', 'tickets are')} about, in ${counted(batches.length, 'call')}, for about ${estimate.toLocaleString('en-GB')} credits. It only orders what you’ll be asked, and you can stop it.`,
    });
  return {
    next: batches.length > 0 ? 'choose' : 'conclude',
    state: {
      choosing: {
        fileId: await keepBetweenSteps(run.accountId, run._id, 'choosing', planned),
        ...{ models, calls: batches.length, made: 0, tokens: 0, estimate },
        known: asked.filter(({ choosing }) => known.has(choosing.id)).length,
      },
    },
    reserved: await readReserved(await chargeOf(run)),
    cost: 0,
  };
}

/** The state that `weighChoices` made. */
function choosingOf({ state }: Context): Choosings {
  if (!state.choosing) throw new Error('The run asks no model.');
  return state.choosing;
}

/** Keeps the answers of the call before: it was saved with its step, so that a crash pays for no call twice. */
async function keepLast({ run }: Context, { last }: Choosings): Promise<void> {
  if (last) await keepChoices(run.accountId, last.model, last.answers);
}

/** One call of the model. Without an answer the rest is left as the built-in engine ordered it. */
export async function choose(context: Context): Result {
  const choosing = choosingOf(context);
  await keepLast(context, choosing);
  const { calls, made, models, estimate, tokens } = choosing;
  const { batches } = await readBetweenSteps<Asked>(choosing.fileId);
  const batch = batches[made];
  if (!batch || made >= calls || tokens >= LIMITS.choosing.tokens) return { next: 'conclude' };
  context.progress(
    `Asking ${models[0]} about ${counted(batches.flat().length, 'ticket')}, about ${estimate.toLocaleString('en-GB')} credits`,
    made,
    calls,
  );
  const answered = await chooseAmong(configuredModels(), batch, CHOOSING_TASK, context.signal);
  if (!answered) return { next: 'conclude' };
  const last = { model: answered.model, answers: [...answered.choices] };
  return {
    state: {
      choosing: { ...choosing, made: made + 1, tokens: tokens + answered.tokens, last },
      model: answered.model,
    },
    cost: answered.tokens,
    next: 'choose',
  };
}

/** Writes what was chosen into the result: the order of what a person is asked, and what the model did. */
export async function recordChoices(context: Context): Promise<void> {
  const choosing = choosingOf(context);
  await keepLast(context, choosing);
  const row = await analysisOf(context);
  const { existingHazards, analysisMetadata } = await loadResult(row);
  if (analysisMetadata.modelChoices) return;
  const { keys } = await readBetweenSteps<Asked>(choosing.fileId);
  const found = await findChoices(
    row.accountId,
    choosing.models,
    keys.map(([, key]) => key),
  );
  const answers = keys.flatMap(([ticketKey, key]) => {
    const answer = found.get(key);
    return answer ? [{ ticketKey, answer }] : [];
  });
  const used = [...new Set(answers.map(({ answer }) => answer.model))].join(', ');
  const choices = new Map(
    answers.flatMap(({ ticketKey, answer }) => (answer.choice ? [[ticketKey, toChoice(answer, answer.choice)]] : [])),
  );
  await changeVerdicts(row, 'choices', (tickets) => applyChoices(tickets, choices, existingHazards), {
    modelUsed: used || false,
    modelChoices: count(choosing, keys.length, answers.length, [...choices.values()]),
  });
}

const toChoice = ({ model }: MatchChoiceRow, choice: NonNullable<MatchChoiceRow['choice']>): MatchChoice => ({
  model,
  ...choice,
});

function count({ known, tokens }: Choosings, tickets: number, answered: number, choices: MatchChoice[]): ModelChoices {
  const none = choices.filter(({ hazardId }) => hazardId === null).length;
  return {
    tickets,
    chosen: choices.length - none,
    none,
    dropped: answered - choices.length,
    notAsked: tickets - answered,
    known,
    tokens,
  };
}
