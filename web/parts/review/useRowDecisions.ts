import {
  hasOptions,
  type QuestionRow,
  type QuestionRows,
  type RowOutcome,
  wordsOf,
} from '../../../models/contracts/questionRows.ts';
import { choose, type Decisions, decisionsById, isSame, type Kept, needsChoice, take } from './decisions.ts';
import { isEditChanged, type useOpenEdits, withTyped } from './openEdits.ts';
import type { useReviewTalk } from './useReviewTalk.ts';
import type { useUndo } from './useUndo.ts';

/** Decides single rows: accepts, rejects, edits, chooses an option. Each needs the position of its row. */
export function useRowDecisions({
  view,
  proposals,
  kept,
  able,
  edits,
  decide,
  talk: { clear, say, setFault },
}: {
  view: QuestionRows;
  /** The rows with the values of their chosen options. */
  proposals: readonly QuestionRow[];
  kept: Decisions;
  able: boolean;
  edits: ReturnType<typeof useOpenEdits>;
  decide: ReturnType<typeof useUndo>['decide'];
  talk: ReturnType<typeof useReviewTalk>;
}) {
  const decisions = decisionsById(kept);
  const rowOf = ({ id }: QuestionRow): Kept | undefined => kept[id];
  /** The row's decision with what is typed in its open fields. */
  const typedRowOf = (row: QuestionRow) => withTyped(row, rowOf(row), edits.typedIn(row.id));
  const isChanged = (row: QuestionRow) => isEditChanged(row, rowOf(row), edits.typedIn(row.id) ?? {});

  const decideRow = (at: number, row: Kept & { outcome: RowOutcome }, words = wordsOf(view, row.outcome).counted) => {
    decide(`${proposals[at]?.name} ${words}.`, [row]);
    say(`Row ${at + 1} ${words}`);
  };
  /** Accepts a row, with what is typed in it. @returns the outcome; null if the row was not decided */
  const accept = (at: number): RowOutcome | null => {
    const proposal = proposals[at];
    if (!proposal || !able) return null;
    clear();
    if (needsChoice(proposal, rowOf(proposal))) {
      const next = isChanged(proposal) ? 'save the edit' : 'accept';
      setFault(`${proposal.name} has more than one match. Choose one of them, then ${next}.`);
      return null;
    }
    const row = take(view, proposal, typedRowOf(proposal));
    edits.close(proposal.id);
    decideRow(at, row);
    return row.outcome;
  };
  const reject = (at: number): RowOutcome | null => {
    const proposal = proposals[at];
    if (!proposal || !able) return null;
    clear();
    edits.close(proposal.id);
    const before = decisions[proposal.id];
    const reason = before?.outcome === 'rejected' ? before.reason : undefined;
    decideRow(at, { id: proposal.id, outcome: 'rejected', ...(reason ? { reason } : {}) });
    return 'rejected';
  };
  const chooseOption = (at: number, choice: string) => {
    const proposal = view.rows[at];
    if (!proposal || !able) return;
    clear();
    const row = choose(view, proposal, rowOf(proposal), choice);
    if (isSame(row, rowOf(proposal))) return;
    const title = proposal.options.find(({ id }) => id === choice)?.title ?? choice;
    decide(`${proposal.name}: ${title} chosen.`, [row]);
    say(`Row ${at + 1}: ${title} chosen`);
  };
  return {
    rowOf,
    typedRowOf,
    isChanged,
    accept,
    reject,
    chooseOption,
    /** Opens the fields of a row. @returns whether it may be edited */
    edit: (at: number): boolean => {
      const proposal = proposals[at];
      if (!proposal || !able) return false;
      clear();
      edits.open(proposal.id);
      return true;
    },
    /**
     * Saves what is typed in a row, which accepts it with that edit; without a change the fields only close.
     * @returns the outcome; null if the row was not decided
     */
    saveEdit: (at: number): RowOutcome | null => {
      const proposal = proposals[at];
      if (!proposal) return null;
      if (isChanged(proposal)) return accept(at);
      clear();
      edits.close(proposal.id);
      return null;
    },
    /** Closes the fields of a row, which stays as it was before they were opened. */
    leaveEdit: (at: number): void => {
      const proposal = proposals[at];
      if (!proposal) return;
      clear();
      if (isChanged(proposal)) say(`Row ${at + 1}: edit discarded`);
      edits.close(proposal.id);
    },
    /** Chooses the option of a row at a position, if it has one there. */
    chooseAt: (at: number, option: number) => {
      const row = view.rows[at];
      const chosen = row && hasOptions(row) ? row.options[option] : undefined;
      if (chosen) chooseOption(at, chosen.id);
    },
    /** Removes a row's decision, because the same button was pressed again; keeps a chosen match. */
    removeDecision: (at: number) => {
      const proposal = view.rows[at];
      if (!proposal || !able) return;
      clear();
      const row = rowOf(proposal);
      const choice = row?.bestMatch ? undefined : row?.choice;
      const label = `${proposal.name} undecided.`;
      if (choice) decide(label, [{ id: proposal.id, outcome: null, choice }]);
      else decide(label, [], [proposal.id]);
      say(`Row ${at + 1} undecided`);
    },
  };
}
