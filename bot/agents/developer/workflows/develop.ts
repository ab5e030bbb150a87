import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { previewUrl } from '../../../engine/files/projects.ts';
import { askedAgain, saysNotKnown } from '../../../engine/questions/notKnown.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { type App, KINDS, type Kind } from '../apps/app.ts';
import { applyWish } from '../objective/applyWish.ts';
import { readObjective } from '../objective/readObjective.ts';
import { buildProject } from '../project/keepProject.ts';
import { describeWayToRepository } from '../repository/connected.ts';
import { describePlan, WISHES } from './describe.ts';
import { type ProjectState, projectState } from './state.ts';

const COST = LIMITS.credits.step;
/** The steps that cost credits: the plan and the first build. Changing it is part of the price. */
const PAID_STEPS = 2;

type Context = StepContext<ProjectState>;
type Result = Promise<StepResult<ProjectState>>;

/** From an objective to a small working app: plan, questions, a sandboxed preview, rounds of changes, an archive. */
export const developWorkflow = defineWorkflow({
  name: 'develop',
  state: projectState,
  title: 'Build an app',
  first: 'objective',
  reserve: COST * PAID_STEPS,
  tool: 'bolt',
  steps: {
    objective: { label: 'Understand the objective', run: readTheObjective },
    told: { label: 'Read the objective', run: readTold },
    kind: { label: 'Read the kind of app', run: readChosenKind },
    plan: { label: 'Plan the app', run: plan },
    planned: { label: 'Read the decision on the plan', run: readPlanned },
    wish: { label: 'Ask what should change', run: askWish },
    wished: { label: 'Change the plan', run: readWish },
    build: { label: 'Build the app and its test', run: build },
    decided: { label: 'Read the decision on the app', run: readDecided },
  },
});

const ASKS_OBJECTIVE = 'What should I build? Say what it is for and what people fill in or see.';

async function readTheObjective({ state }: Context): Result {
  const { objective, isDirect } = state;
  if (objective.trim().length < 3)
    return {
      ask: {
        interruptType: 'input',
        prompt: state.isAgain ? askedAgain(ASKS_OBJECTIVE) : ASKS_OBJECTIVE,
        context: {
          step: 'objective',
          description: 'For example: a list of suppliers with name, city and status (active, paused).',
        },
      },
      next: 'told',
    };
  const { app, title } = readObjective(objective);
  if (app) return { next: isDirect ? 'build' : 'plan', state: { app } };
  if (isDirect) return { next: 'build', state: { app: readObjective(objective, 'form').app ?? undefined } };
  return {
    ask: {
      interruptType: 'decision',
      prompt: `What kind of app should “${title}” be?`,
      options: Object.values(KINDS),
      context: { step: 'kind', objective },
    },
    next: 'kind',
  };
}

async function readTold({ answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  return { next: 'objective', state: saysNotKnown(userInput) ? { isAgain: true } : { objective: userInput } };
}

async function readChosenKind({ state, answer }: Context): Result {
  const { selectedOption } = (await answer()).userResponse as { selectedOption: string };
  const kind = (Object.keys(KINDS) as Kind[]).find((one) => KINDS[one] === selectedOption) ?? 'form';
  return { next: 'plan', state: { app: readObjective(state.objective, kind).app ?? undefined } };
}

const appOf = ({ app }: ProjectState): App => {
  if (!app) throw new Error('The objective is read before an app is planned.');
  return app;
};

async function plan({ state }: Context): Result {
  const app = appOf(state);
  return {
    ask: {
      interruptType: 'approval',
      prompt: `Shall I build “${app.title}” like this?`,
      context: {
        step: 'plan',
        objective: state.objective,
        description: [state.note, describePlan(app), `To change it, reject with what should change. ${WISHES}`]
          .filter(Boolean)
          .join(' '),
      },
    },
    next: 'planned',
    // A plan is paid once, however often it is changed.
    ...(state.note === '' ? { cost: COST } : {}),
  };
}

/** What became of a wish, in a sentence. */
function changed(state: ProjectState, wish: string): Partial<ProjectState> {
  const { app, done, unclear } = applyWish(appOf(state), wish);
  const note = [
    done.length > 0 ? `Changed: ${done.join('; ')}.` : '',
    unclear.length > 0 ? `Not understood: ${unclear.join('; ')}.` : '',
    done.length + unclear.length === 0 ? 'Nothing was changed.' : '',
  ];
  return { app, note: note.filter(Boolean).join(' ') };
}

async function readPlanned({ state, answer }: Context): Result {
  const { resolution } = await answer();
  if (resolution?.outcome === 'approved') return { next: 'build', state: { note: '' } };
  const reason = resolution?.reason?.trim();
  return reason ? { next: 'plan', state: changed(state, reason) } : { next: 'wish' };
}

async function askWish({ state }: Context): Result {
  const app = appOf(state);
  return {
    ask: {
      interruptType: 'input',
      prompt: `What should change in “${app.title}”?`,
      context: { step: 'wish', objective: state.objective, description: WISHES },
    },
    next: 'wished',
  };
}

async function readWish({ state, answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  return { next: 'plan', state: changed(state, userInput) };
}

const OPTIONS = [
  { id: 'approve', label: 'Keep it', action: 'approve' },
  { id: 'edit', label: 'Change it', action: 'edit' },
];

async function build({ run, state, say, progress }: Context): Result {
  const app = appOf(state);
  const { objective, round, note, isDirect } = state;
  progress('Writing the app and its test', 0, 1);
  const { project, archive } = await buildProject(run, round, { app, objective });
  const text = [
    `**${app.title}** ${round === 0 ? 'is built' : 'is built again'}. ${note}`.trim(),
    describePlan(app),
    'It runs in one page, without network and without access to Arc. The archive holds the page, a browser test and how to run both.',
  ].join('\n');
  const short = `An app is ready. ${linkToChat()}`;
  await say({
    key: `built:${round}`,
    kind: 'text',
    text,
    attachments: [attachmentOf(archive)],
    derived: { redacted: short, reference: short },
    card: {
      headline: app.title,
      figures: [
        { label: app.fields.length === 1 ? 'field' : 'fields', value: String(app.fields.length) },
        { label: 'round', value: String(round + 1) },
      ],
      actions: [{ label: 'Download the archive', action: 'download', value: archive.name }],
    },
  });
  const isFirst = round === 0;
  return {
    ask: {
      interruptType: isFirst ? 'REPLIT_PROJECT_CREATED' : 'project_preview',
      prompt: isFirst ? `“${app.title}” is built. Is it as you want it?` : `Is “${app.title}” as you want it now?`,
      options: OPTIONS,
      context: {
        step: 'preview',
        title: app.title,
        description: [note, `Change it as often as you like. ${WISHES}`].filter(Boolean).join(' '),
        taskObjective: objective,
        projectId: project._id,
        iframeUrl: previewUrl(project),
      },
    },
    next: 'decided',
    state: { round: round + 1 },
    cost: isFirst ? (isDirect ? COST * PAID_STEPS : COST) : 0,
  };
}

async function readDecided({ run, state, answer, say }: Context): Result {
  const { choice, text } = ((await answer()).userResponse ?? {}) as { choice?: string; text?: string };
  if (choice === 'edit') return { next: 'build', state: changed(state, text ?? '') };
  const output = `“${appOf(state).title}” is kept with its page, its test and its archive for ${LIMITS.retentionDays} days. ${await describeWayToRepository(run.accountId)}`;
  const short = 'The app is kept.';
  await say({ key: 'kept', kind: 'text', text: output, derived: { redacted: short, reference: short } });
  return { done: { output } };
}
