import { useState } from 'react';
import { byId, type Decisions, type Kept } from './decisions.ts';
import type { Keeper } from './keeper.ts';

type Step = { label: string; before: Record<string, Kept | undefined>; after: Decisions };

/**
 * Undo for the last decision, of a single row or of many.
 * @param isOthers whether somebody else has decided a row since: then it stays
 */
export function useUndo(keeper: Keeper, isOthers: (id: string) => boolean) {
  const [step, setStep] = useState<Step | null>(null);
  const put = (rows: Record<string, Kept | undefined>) => {
    const changes = Object.values(rows).filter((row) => row !== undefined);
    keeper.decide(
      changes,
      Object.keys(rows).filter((id) => rows[id] === undefined),
    );
  };
  return {
    undoable: step?.label ?? null,
    /** Decides rows and remembers their previous decisions. */
    decide: (label: string, changes: readonly Kept[]) => {
      const { decisions } = keeper.current();
      setStep({
        label,
        after: byId(changes),
        before: Object.fromEntries(changes.map(({ id }) => [id, decisions[id]])),
      });
      keeper.decide(changes);
    },
    /** Undoes the last step, except rows that others decided, or of many were decided again. @returns the undone rows */
    undo: (): string[] => {
      if (!step) return [];
      const { decisions } = keeper.current();
      const all = Object.keys(step.before);
      const own = all.filter((id) => !isOthers(id));
      const taken = all.length === 1 ? own : own.filter((id) => decisions[id] === step.after[id]);
      put(Object.fromEntries(taken.map((id) => [id, step.before[id]])));
      setStep(null);
      return taken;
    },
  };
}
