import { useState } from 'react';
import type { Kept } from './decisions.ts';
import type { Keeper } from './keeper.ts';
import { addStep, rowsUndone, type Step } from './undoSteps.ts';

/**
 * Undo for the last decisions, each of a single row or of many.
 * @param isOthers whether somebody else has decided a row since: then it stays
 */
export function useUndo(keeper: Keeper, isOthers: (id: string) => boolean) {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const last = steps.at(-1);
  return {
    undoable: last?.label ?? null,
    /** Decides rows, or removes their decisions, and remembers what they were. */
    decide: (label: string, changes: readonly Kept[], removed: readonly string[] = []) => {
      const { decisions } = keeper.current();
      const after = Object.fromEntries([
        ...changes.map((row) => [row.id, row]),
        ...removed.map((id) => [id, undefined]),
      ]);
      const before = Object.fromEntries(Object.keys(after).map((id) => [id, decisions[id]]));
      setSteps((now) => addStep(now, { label, before, after }, isOthers));
      keeper.decide(changes, removed);
    },
    /** Undoes the last step, except rows that others decided, or of many were decided again. @returns the undone rows */
    undo: (): string[] => {
      if (!last) return [];
      setSteps((now) => now.slice(0, -1));
      const taken = rowsUndone(last, keeper.current().decisions, isOthers);
      keeper.decide(
        taken.flatMap((id) => last.before[id] ?? []),
        taken.filter((id) => last.before[id] === undefined),
      );
      return taken;
    },
  };
}
