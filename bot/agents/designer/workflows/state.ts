import type { RunRow } from '../../../../models/run.ts';
import { readObjective } from '../screen/readObjective.ts';
import type { Screen } from '../screen/screen.ts';

/** What a design run keeps between its steps. */
export type DesignState = {
  /** The words that asked for it; empty until they are known. */
  objective: string;
  /** The screen as it stands after every wish. */
  screen: Screen;
  /** What was done about the last wish, for the next question. */
  note: string;
  /** The name of the style that was chosen; null until then. */
  style: string | null;
  /** Which page of styles is offered. */
  stylePage: number;
  /** The step that a wish leads back to. */
  back: string;
};

/** The state of a run; what is not there yet follows from the objective. */
export function stateOf({ state }: Pick<RunRow, 'state'>): DesignState {
  const it = state as Partial<DesignState>;
  const objective = it.objective ?? '';
  return {
    objective,
    screen: it.screen ?? readObjective(objective),
    note: it.note ?? '',
    style: it.style ?? null,
    stylePage: it.stylePage ?? 0,
    back: it.back ?? 'layout',
  };
}
