import { attachmentOf } from '../../../../models/contracts/files.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { InterruptRow } from '../../../../models/interrupt.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';
import { previewUrl } from '../../../engine/files/projects.ts';
import { askedAgain, saysNotKnown } from '../../../engine/questions/notKnown.ts';
import { defineWorkflow, type StepContext, type StepResult } from '../../../engine/workflows/workflow.ts';
import { describeScreen, proposeComponents, proposeLayout } from '../screen/propose.ts';
import { readObjective } from '../screen/readObjective.ts';
import { hasObjective } from '../screen/readTitle.ts';
import { listed } from '../screen/screen.ts';
import { findStyle, listStyles, OTHER_STYLES, styleOption } from '../style/styles.ts';
import { keepDesign } from './results.ts';
import { type DesignState, designState } from './state.ts';
import { applyWishes } from './wishes.ts';

const COST = LIMITS.credits.step;
/** The steps that cost credits: layout, components, style and drawing. */
const PAID_STEPS = 4;

type Context = StepContext<DesignState>;
type Result = Promise<StepResult<DesignState>>;

/** Designs a screen from a sentence to a prototype, with a person's decision after each proposal. */
export const designWorkflow = defineWorkflow({
  name: 'design',
  state: designState,
  title: 'Design a screen',
  first: 'objective',
  reserve: COST * PAID_STEPS,
  steps: {
    objective: { label: 'Understand the objective', run: askObjective },
    objectiveGiven: { label: 'Read the objective', run: readObjectiveAnswer },
    layout: { label: 'Propose the layout', run: askLayout },
    layoutDecided: { label: 'Read the decision on the layout', run: makeDecisionStep('layout', 'components') },
    components: { label: 'Propose the components', run: askComponents },
    componentsDecided: { label: 'Read the decision on the components', run: makeDecisionStep('components', 'style') },
    wish: { label: 'Ask what should change', run: askWish },
    wishGiven: { label: 'Change the design', run: applyWishAnswer },
    style: { label: 'Propose styles', run: askStyle },
    styleDecided: { label: 'Read the chosen style', run: readStyleAnswer },
    draw: { label: 'Draw the prototype and its frames', run: draw },
    previewDecided: { label: 'Read the decision on the prototype', run: readPreviewAnswer },
  },
});

const ASKS_OBJECTIVE = 'What should the screen be for? Say who uses it, what they do there, and what it shows.';

async function askObjective({ state: { objective, isAgain } }: Context): Result {
  if (hasObjective(objective)) return { next: 'layout' };
  return {
    ask: {
      interruptType: 'input',
      prompt: isAgain ? askedAgain(ASKS_OBJECTIVE) : ASKS_OBJECTIVE,
      context: {
        step: 'objective',
        description: 'For example: a screen for nurses to record blood pressure, pulse and temperature.',
      },
    },
    next: 'objectiveGiven',
  };
}

async function readObjectiveAnswer({ answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  if (saysNotKnown(userInput)) return { next: 'objective', state: { isAgain: true } };
  return { next: 'layout', state: { objective: userInput, screen: readObjective(userInput) } };
}

/** The introduction to a proposal: the effect of the last wish, the screen as understood, and what was assumed. */
function introduce({ note, screen }: DesignState): string {
  const assumed =
    screen.assumed && screen.fields.length > 0 ? 'You named few fields, so I assumed the usual ones.' : '';
  return [note, describeScreen(screen), assumed].filter(Boolean).join(' ');
}

async function askLayout({ state }: Context): Result {
  const { layout, sections } = proposeLayout(state.screen);
  const parts = sections.map(({ name, purpose }) => `${name}: ${purpose.charAt(0).toLowerCase()}${purpose.slice(1)}`);
  return {
    ask: {
      interruptType: 'approval',
      prompt: `Layout for “${state.screen.title}”: shall I continue with it?`,
      context: {
        objective: state.objective,
        step: 'layout',
        description: `${introduce(state)} ${parts.join('. ')}.`,
        layout_spec: { layout, sections },
      },
    },
    next: 'layoutDecided',
    state: { screen: state.screen, note: '' },
    cost: COST,
  };
}

async function askComponents({ state }: Context): Result {
  const { fields, actions } = state.screen;
  const confirmed = actions.filter(({ confirms }) => confirms).map(({ label }) => label);
  const description = [
    state.note,
    fields.length > 0
      ? `Fields: ${listed(fields.map(({ label, unit }) => (unit ? `${label} (${unit})` : label)))}.`
      : '',
    actions.length > 0 ? `Buttons: ${listed(actions.map(({ label }) => label))}.` : '',
    confirmed.length > 0 ? `Needs confirmation: ${listed(confirmed)}.` : '',
  ];
  return {
    ask: {
      interruptType: 'approval',
      prompt: `Components of “${state.screen.title}”: are these the right ones?`,
      context: {
        objective: state.objective,
        step: 'components',
        description: description.filter(Boolean).join(' '),
        components: proposeComponents(state.screen),
      },
    },
    next: 'componentsDecided',
    state: { note: '' },
    cost: COST,
  };
}

/**
 * Makes a step that reads a decision. A rejection's reason is applied as a wish; without one, the next step asks for
 * it.
 */
function makeDecisionStep(step: 'layout' | 'components', next: string) {
  return async ({ state, answer }: Context): Result => {
    const { resolution } = await answer();
    if (resolution?.outcome === 'approved') return { next };
    const reason = resolution?.reason?.trim();
    if (!reason) return { next: 'wish', state: { back: step } };
    return { next: step, state: applyWishes(state, reason) };
  };
}

async function askWish({ state: { objective, back, screen } }: Context): Result {
  return {
    ask: {
      interruptType: 'input',
      prompt: `What should change in “${screen.title}”?`,
      context: {
        objective,
        step: back,
        description: 'For example: add allergies and remove pulse; make the temperature optional; use two columns.',
      },
    },
    next: 'wishGiven',
  };
}

async function applyWishAnswer({ state, answer }: Context): Result {
  const { userInput } = (await answer()).userResponse as { userInput: string };
  return { next: state.back, state: applyWishes(state, userInput) };
}

async function askStyle({ state }: Context): Result {
  const offered = listStyles(state.stylePage, state.objective);
  // A style that the person asked for comes first.
  const wished = state.style ? [findStyle(state.style, state.objective)] : [];
  const styles = [...wished, ...offered.filter(({ name }) => name !== state.style)];
  return {
    ask: {
      interruptType: 'decision',
      prompt: `Which style should “${state.screen.title}” have?`,
      options: [...styles.map(({ name }) => name), OTHER_STYLES],
      context: {
        objective: state.objective,
        step: 'style',
        ...(state.note ? { description: state.note } : {}),
        style_options: styles.map(styleOption),
      },
    },
    next: 'styleDecided',
    state: { note: '' },
    // Further pages of styles are part of the same proposal.
    cost: state.stylePage === 0 ? COST : 0,
  };
}

async function readStyleAnswer({ state, answer }: Context): Result {
  const { selectedOption } = (await answer()).userResponse as { selectedOption: string };
  if (selectedOption === OTHER_STYLES) return { next: 'style', state: { stylePage: state.stylePage + 1, style: null } };
  return { next: 'draw', state: { style: selectedOption } };
}

async function draw(context: Context): Result {
  const { run, state } = context;
  const style = findStyle(state.style ?? '', state.objective);
  const { screen } = state;
  const kept = await keepDesign(run, { screen, style, objective: state.objective }, context.progress);
  const { project, prototype, archive, frames } = kept;
  const headline = `Prototype of “${screen.title}”`;
  await context.say({
    key: `drawn:${run.round}`,
    kind: 'text',
    text: [
      headline,
      `${state.note ? `${state.note} ` : ''}One clickable page in the style “${style.name}”: default, empty, loading and error, light and dark, from 360 px up. The people in it are fictional. The archive has the frames, one file each.`,
    ].join('\n'),
    attachments: [attachmentOf(prototype), attachmentOf(archive)],
    derived: { redacted: `A prototype is ready. ${linkToChat()}`, reference: `A prototype is ready. ${linkToChat()}` },
    card: {
      headline,
      figures: [
        { label: screen.fields.length === 1 ? 'field' : 'fields', value: String(screen.fields.length) },
        { label: 'states', value: '4' },
        { label: 'frames', value: String(frames) },
      ],
      actions: [{ label: 'Download the prototype', action: 'download', value: prototype.name }],
    },
  });
  return {
    ask: {
      interruptType: 'project_preview',
      prompt: `Is “${screen.title}” as you want it?`,
      options: [
        { id: 'approve', label: 'Keep it', action: 'approve' },
        { id: 'edit', label: 'Change it', action: 'edit' },
      ],
      context: {
        objective: state.objective,
        step: 'preview',
        title: screen.title,
        projectId: project._id,
        iframeUrl: previewUrl(project),
      },
    },
    next: 'previewDecided',
    state: { note: '', style: style.name, projectId: project._id },
    cost: COST,
  };
}

type PreviewAnswer = { choice?: string; text?: string };

async function readPreviewAnswer({ state, answer, say }: Context): Result {
  const row: InterruptRow = await answer();
  const { choice, text } = (row.userResponse ?? {}) as PreviewAnswer;
  if (choice === 'edit') return { next: 'draw', state: applyWishes(state, text ?? '') };
  const output = `“${state.screen.title}” is saved with its prototype and frames for ${LIMITS.retentionDays} days.`;
  await say({ key: 'kept', kind: 'text', text: output });
  return { done: { output } };
}
