import { HazardAnalysis, type HazardAnalysisRow } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import type { ReadingProfileRow } from '../../../../models/clinical_safety/readingProfile.ts';
import type { ProfilePoint } from '../../../../models/contracts/clinical_safety/readingProfiles.ts';
import { AppError } from '../../../../models/contracts/errors.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { findFile, readFileBytes } from '../../../../models/files.ts';
import { changing } from '../../../../models/store/revisions.ts';
import { readTimeZone } from '../../../engine/accounts/timeZone.ts';
import { type ChoicePoint, choicesIn } from '../../../engine/questions/kinds/choices.ts';
import type { StepContext, StepResult } from '../../../engine/workflows/workflow.ts';
import { withFileErrors } from '../files/fileErrors.ts';
import { keepProfile, knownProfile, readProfiles, settledOf } from '../profiles/profiles.ts';
import type { OpenPoint } from '../reading/openPoints.ts';
import { findOpenPoints } from '../worker/pool.ts';
import type { AnalysisState } from './analysisState.ts';
import { onlyReference } from './derived.ts';

type Context = StepContext<AnalysisState>;
type Result = Promise<StepResult<AnalysisState>>;

const COST = LIMITS.credits.step;

/** The log of the run. @throws AppError no_log */
function findLog({ state }: Pick<Context, 'state'>) {
  if (!state.logFileId) throw new AppError('no_log');
  return findFile({ _id: state.logFileId });
}

const toChoicePoint = ({ id, label, why, candidates }: OpenPoint): ChoicePoint => ({
  id,
  label,
  why,
  options: candidates.map(({ examples, ...candidate }) => ({
    ...candidate,
    examples: examples.map(({ title, gives, quote, place }) => ({
      title,
      gives,
      quote,
      source: `${place.sheet} ${place.cell}`,
    })),
  })),
});

/**
 * Asks about the points that the log leaves open, unless the profile of an earlier version settles it. All points are
 * one question.
 */
export async function settleReading({ run, state, signal }: Context): Result {
  const { accountId } = run;
  const log = await findLog({ state });
  const [bytes, known] = await Promise.all([readFileBytes(log), readProfiles(accountId)]);
  const profiles = known.map(knownProfile);
  const { identity, openPoints, profileId, settled } = await withFileErrors(
    findOpenPoints({ bytes: new Uint8Array(bytes), fileName: log.originalName, profiles }, { accountId, signal }),
  );
  if (!identity || openPoints.length === 0) {
    // The profile as it was compared: a later change of it does not apply to this log.
    const profile = known.find(({ _id }) => String(_id) === profileId);
    if (profile) await noteReadAs(run, profile);
    return { next: 'analyse', state: { settled } };
  }
  const points = openPoints.map(toChoicePoint);
  const [only, another] = points;
  const again = profileId ? ' What was chosen for an earlier version no longer settles all of it.' : '';
  return {
    ask: {
      interruptType: 'choices',
      prompt: `${log.originalName} can be read in more than one way. How is it meant?${again} I’ll read its next versions the same way.`,
      options: only && !another ? only.options.map(({ id, label }) => ({ id, label, action: 'choose' })) : [],
      context: {
        title: 'How to read the hazard log',
        points,
      },
    },
    next: 'keep',
    state: { settled, asked: { profileId, identity } },
    cost: COST,
  };
}

/** Keeps the answer as the log's profile and goes on with the analysis. */
export async function keepReading(context: Context): Result {
  const { run, state } = context;
  const question = await context.answer();
  if (!state.asked) throw new Error('The run asked nothing about its log.');
  const made = new Map(choicesIn(question.userResponse).map(({ point, choice }) => [point, choice]));
  const points = ((question.context.points ?? []) as ChoicePoint[]).map(
    ({ id, label, options }): ProfilePoint => ({
      id,
      label,
      options: options.map((option) => ({ id: option.id, label: option.label })),
      choice: made.get(id) ?? null,
    }),
  );
  const log = await findLog(context);
  const profile = await keepProfile({
    ...state.asked,
    accountId: run.accountId,
    fileName: log.originalName,
    points,
    chosenBy: question.resolution?.by ?? { userId: null, name: 'unknown' },
    chosenAt: question.resolution?.at ?? new Date(),
    interruptId: question._id,
  });
  await noteReadAs(run, profile);
  const isKnown = points.some(({ choice }) => choice !== null);
  await context.say({
    key: 'settled',
    kind: 'text',
    text: isKnown
      ? `Thank you. I’ll read ${log.originalName} and its next versions that way.`
      : `Thank you. I’ll read ${log.originalName} with care: findings that rest on what isn’t settled are to check, never to fix.`,
    derived: onlyReference('Thank you. I’ll carry on with the analysis.'),
  });
  return { next: 'analyse', state: { settled: settledOf(profile) }, cost: COST };
}

const NOT_KNOWN = 'Not known: read with care';

/** Records by whose choices the analysis reads its log. */
async function noteReadAs(run: Context['run'], profile: ReadingProfileRow): Promise<void> {
  const readAs: HazardAnalysisRow['readAs'] = {
    profileId: String(profile._id),
    by: profile.chosenBy,
    at: profile.chosenAt,
    points: profile.points.map(({ label, options, choice }) => ({
      label,
      answer: options.find(({ id }) => id === choice)?.label ?? NOT_KNOWN,
    })),
  };
  await changing(run.accountId, ['analysis'], () =>
    HazardAnalysis.updateOne({ runId: run._id, accountId: run.accountId }, { $set: { readAs } }),
  );
}

/** "Read as Ada chose on 3 May 2026: …", in a line; empty where nothing had to be chosen. */
export async function describeReadAs({ accountId, readAs }: HazardAnalysisRow): Promise<string[]> {
  if (!readAs) return [];
  const timeZone = await readTimeZone(accountId);
  const day = new Date(readAs.at).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  });
  const points = readAs.points.map(({ label, answer }) => `${label} ${answer}`).join('; ');
  return [`Read as ${readAs.by.name} chose on ${day}: ${points}.`];
}
