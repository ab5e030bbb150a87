import { type Decisions, isSame, type Kept } from './decisions.ts';

/** At most this many steps can be undone. */
const MAX_STEPS = 50;

type Rows = Record<string, Kept | undefined>;

/** The change of one key or button: the decisions of its rows before and after; undefined for an undecided row. */
export type Step = { label: string; before: Rows; after: Rows };

function without(step: Step, rows: readonly string[]): Step {
  const rest = (all: Rows): Rows => Object.fromEntries(Object.entries(all).filter(([id]) => !rows.includes(id)));
  return { ...step, before: rest(step.before), after: rest(step.after) };
}

/**
 * The steps with one more; unchanged if that one changes no row, such as a second press of the same key. Rows that
 * somebody else had decided are taken out of the steps before, so that undoing goes back to their decision and no
 * further.
 */
export function addStep(steps: readonly Step[], step: Step, isOthers: (id: string) => boolean): Step[] {
  if (Object.keys(step.after).every((id) => isSame(step.before[id], step.after[id]))) return [...steps];
  const theirs = Object.keys(step.before).filter(isOthers);
  const earlier = steps.map((one) => without(one, theirs)).filter(({ before }) => Object.keys(before).length > 0);
  return [...earlier, step].slice(-MAX_STEPS);
}

/** The rows that undoing a step changes: not those that others decided since, nor of many those decided again. */
export function rowsUndone(step: Step, decisions: Decisions, isOthers: (id: string) => boolean): string[] {
  const all = Object.keys(step.before);
  const own = all.filter((id) => !isOthers(id));
  return all.length === 1 ? own : own.filter((id) => isSame(decisions[id], step.after[id]));
}
