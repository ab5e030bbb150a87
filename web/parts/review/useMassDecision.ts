import { useState } from 'react';
import type { QuestionRow, RowDecision } from '../../../models/contracts/questionRows.ts';
import { decideAlike, type Kept, needsChoice } from './decisions.ts';
import type { MassDecision } from './ReviewMass.tsx';

/**
 * One decision for all undecided rows, as {@link ReviewMass} draws it.
 * @param it `onDecide` gets the decision of each undecided row, `onChoose` the first row whose option nobody has chosen
 */
export function useMassDecision(it: {
  undecided: readonly QuestionRow[];
  decided: number;
  rowOf: (row: QuestionRow) => Kept | undefined;
  onDecide: (decision: MassDecision, rows: RowDecision[]) => void;
  onChoose: (row: QuestionRow) => void;
}) {
  const [asking, setAsking] = useState<MassDecision | null>(null);
  const unchosen = it.undecided.filter((row) => needsChoice(row, it.rowOf(row)));
  return {
    undecided: it.undecided.length,
    decided: it.decided,
    unchosen: unchosen.length,
    asking,
    onAsk: setAsking,
    onChoose: () => {
      setAsking(null);
      if (unchosen[0]) it.onChoose(unchosen[0]);
    },
    onDecide: (decision: MassDecision) => {
      setAsking(null);
      it.onDecide(
        decision,
        it.undecided.map((row) => decideAlike(row, decision, it.rowOf(row))),
      );
    },
  };
}
