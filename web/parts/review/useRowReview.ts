import { useState } from 'react';
import type { AnswerBody, Interrupt } from '../../../models/contracts/interrupts.ts';
import {
  hasOptions,
  type QuestionRow,
  type QuestionRows,
  type RowOutcome,
  withOption,
  wordsOf,
} from '../../../models/contracts/questionRows.ts';
import { useSession } from '../../data/session.ts';
import { count } from '../../data/words.ts';
import { choose, decisionsById, isSame, type Kept, needsChoice, standingRow, take } from './decisions.ts';
import { nameOfDecider } from './describeReviewers.ts';
import type { Place } from './place.ts';
import { reviewKeys } from './reviewKeys.ts';
import { undoneText } from './reviewText.ts';
import { useMassDecision } from './useMassDecision.ts';
import type { useReview } from './useReview.ts';
import { useReviewTalk } from './useReviewTalk.ts';
import { useSendReview } from './useSendReview.ts';
import { useUndo } from './useUndo.ts';

/** What a person does in a review: decides rows, one or many, undoes, and sends; by buttons and by keys. */
export function useRowReview({
  interrupt,
  view,
  surface,
  review,
  place,
  onDone,
}: {
  interrupt: Interrupt;
  view: QuestionRows;
  /** Where it was opened; recorded with the answer. */
  surface: NonNullable<AnswerBody['surface']>;
  review: ReturnType<typeof useReview>;
  place: Place;
  onDone: () => void;
}) {
  const proposed = view.rows;
  const { decisions: kept, clashes, keeper } = review;
  const { active, goTo, step, isReady } = place;
  const { user } = useSession();
  const isOthers = (id: string) =>
    !review.unsentRows.includes(id) &&
    interrupt.decidedBy.some((decider) => decider.id === id && decider.userId !== user?.id);
  const { decide, closeStep, undo, undoable } = useUndo(keeper, isOthers);
  const decisions = decisionsById(kept);
  const isOpenRow = (proposal: QuestionRow) => !decisions[proposal.id];
  const [editing, setOpenRow] = useState<string | null>(null);
  const setEditing = (id: string | null) => {
    closeStep();
    setOpenRow(id);
  };
  // Also after a reload, which knows of nobody's saving.
  const clashBy = nameOfDecider(interrupt, Object.keys(clashes)) ?? review.other;
  const { fault, note, said, clear, say, setFault, setNote } = useReviewTalk({
    keeper,
    rows: proposed,
    clashes,
    by: clashBy,
  });
  const proposals = proposed.map((proposal) =>
    withOption(proposal, (kept[proposal.id] ?? standingRow(interrupt, proposal.id))?.choice),
  );
  const able = interrupt.abilities.answer && interrupt.status === 'pending';

  const undecided = proposed.filter(isOpenRow);
  const decided = proposals.length - undecided.length;
  const rowOf = (proposal: QuestionRow): Kept | undefined => kept[proposal.id];

  const decideRow = (at: number, words: string, row: Kept) => {
    decide(`${proposals[at]?.name} ${words}.`, [row]);
    say(`Row ${at + 1} ${words}`);
  };
  const goToNext = (from: number) =>
    goTo(
      Math.max(
        from,
        proposals.findIndex((proposal, at) => at > from && isOpenRow(proposal)),
      ),
    );
  /** Moves on after a decision: to its reason if it needs one, else to the next undecided row. */
  const goAfter = (at: number, outcome: RowOutcome | null) => {
    if (outcome === null) return;
    if (view.reasons.includes(outcome)) goTo(at, 'reason');
    else goToNext(at);
  };
  /** @returns the outcome; null if the row was not decided */
  const acceptLine = (at: number): RowOutcome | null => {
    const proposal = proposals[at];
    if (!proposal || !able) return null;
    clear();
    if (needsChoice(proposal, rowOf(proposal))) {
      setFault(`${proposal.name} has more than one match. Choose one of them, then accept.`);
      return null;
    }
    setEditing(null);
    const row = take(view, proposal, rowOf(proposal));
    decideRow(at, wordsOf(view, 'accepted').counted, row);
    return row.outcome;
  };
  const rejectLine = (at: number): RowOutcome | null => {
    const proposal = proposals[at];
    if (!proposal || !able) return null;
    clear();
    setEditing(null);
    const before = decisions[proposal.id];
    const reason = before?.outcome === 'rejected' ? before.reason : undefined;
    const row: Kept = { id: proposal.id, outcome: 'rejected', ...(reason ? { reason } : {}) };
    decideRow(at, wordsOf(view, 'rejected').counted, row);
    return 'rejected';
  };
  const editLine = (at: number) => {
    const proposal = proposals[at];
    if (!proposal || !able) return;
    clear();
    setEditing(proposal.id);
  };
  const chooseOption = (at: number, choice: string) => {
    const proposal = proposed[at];
    if (!proposal || !able) return;
    clear();
    const row = choose(view, proposal, rowOf(proposal), choice);
    if (isSame(row, rowOf(proposal))) return;
    const option = proposal.options.find(({ id }) => id === choice);
    decide(`${proposal.name}: ${option?.title ?? choice} chosen.`, [row]);
    say(`Row ${at + 1}: ${option?.title ?? choice} chosen`);
  };
  /** Chooses the option of a row at a position, if it has one there. */
  const chooseAt = (at: number, option: number) => {
    const chosen = hasOptions(proposed[at] ?? { options: [] }) ? proposed[at]?.options[option] : undefined;
    if (chosen) chooseOption(at, chosen.id);
  };
  /** Removes a row's decision, because the same button was pressed again; keeps a chosen match. */
  const removeDecision = (proposal: QuestionRow) => {
    clear();
    const row = rowOf(proposal);
    const choice = row?.bestMatch ? undefined : row?.choice;
    const label = `${proposal.name} undecided.`;
    if (choice) decide(label, [{ id: proposal.id, outcome: null, choice }]);
    else decide(label, [], [proposal.id]);
    say(`Row ${proposed.findIndex(({ id }) => id === proposal.id) + 1} undecided`);
  };
  const undoLast = () => {
    clear();
    // The fields hold what was typed, which may be undone now.
    setEditing(null);
    const taken = undo();
    const at = proposals.findIndex(({ id }) => id === taken[0]);
    if (taken.length === 1 && at !== -1) goTo(at);
    setNote(undoneText(taken.length, undoable !== null));
  };
  const mass = useMassDecision({
    undecided,
    decided,
    rowOf,
    onChoose: (row) => goTo(proposed.indexOf(row)),
    onDecide: (decision, rows) => {
      clear();
      decide(`${rows.length} ${decision}ed.`, rows);
      say(`${count(rows.length, 'row')} ${decision}ed`);
      goTo(active);
    },
  });

  /** Runs work on the current row if it is in view; otherwise only scrolls to it. */
  const onCurrent = (work: () => void) => {
    if (isReady()) return work();
    setNote(`${proposals[active]?.name ?? 'The row'} is in view now. Nothing was decided; press again.`);
  };
  const inHand = () => {
    const proposal = proposals[active];
    if (!proposal) return null;
    const outcome = decisions[proposal.id]?.outcome;
    return {
      name: proposal.name,
      accepted: outcome === 'accepted' || outcome === 'edited',
      rejected: outcome === 'rejected',
      accept: () => onCurrent(() => goAfter(active, acceptLine(active))),
      edit: () =>
        onCurrent(() => {
          setEditing(editing === proposal.id ? null : proposal.id);
          goTo(active);
        }),
      reject: () => onCurrent(() => goAfter(active, rejectLine(active))),
    };
  };

  const keptRows = proposals.filter(({ id }) => review.carried.has(id) && decisions[id]);
  const showKept = () => {
    sender.onCancel();
    if (place.showKept) place.showKept();
    else if (keptRows[0]) goTo(proposals.indexOf(keptRows[0]));
  };
  const sender = useSendReview({
    interrupt,
    surface,
    keeper,
    decided: { view, rows: proposals, decisions, clashes },
    kept: keptRows.map(({ name }) => name),
    goTo,
    showFault: setFault,
    onDone,
  });
  const send = async () => {
    if (!able || sender.sending) return;
    clear();
    await sender.send();
  };

  const byKey = (work: () => void) => () =>
    onCurrent(() => {
      clear();
      work();
    });
  const onKeyDown = reviewKeys(
    {
      send: () => void send(),
      leaveField: () => {
        setEditing(null);
        goTo(active);
      },
      leaveQuestion: () => {
        mass.onAsk(null);
        sender.onCancel();
        goTo(active);
      },
      goToNext: () => goToNext(active),
      move: (by) => byKey(() => goTo(step(by)))(),
      accept: byKey(() => goAfter(active, acceptLine(active))),
      // Focus moves to the reason; Enter in it moves to the next undecided row.
      reject: byKey(() => rejectLine(active) && goTo(active, 'reason')),
      edit: byKey(() => editLine(active)),
      undo: () => {
        if (able) undoLast();
      },
      choose: (option) => byKey(() => chooseAt(active, option))(),
      filter: place.filter,
    },
    mass.asking !== null || sender.confirming,
  );

  return {
    proposals,
    decisions,
    able,
    editing,
    rowOf,
    onKeyDown,
    acceptLine,
    rejectLine,
    removeDecision,
    /** Opens the fields of a row to edit, or closes them. */
    toggleEdit: (at: number) => {
      const proposal = proposals[at];
      if (proposal && editing === proposal.id) {
        setEditing(null);
        goTo(at);
      } else editLine(at);
    },
    /** Saves what is typed in a row's fields. */
    typeIn: (row: Kept) => decide(`${proposals.find(({ id }) => id === row.id)?.name} edited.`, [row], [], true),
    /** Chooses an option of a row. */
    chooseOption,
    /** How many decisions were kept from the previous review. */
    kept: keptRows.length,
    showKept,
    /** Rows that a colleague decided differently, and the way to the first of them. */
    clash: {
      rows: Object.keys(clashes).length,
      by: clashBy,
      onShow: () => goTo(proposals.findIndex(({ id }) => clashes[id] !== undefined)),
    },
    /** For {@link ReviewMass}. */
    mass,
    /** For {@link ReviewFoot}. */
    foot: {
      row: inHand(),
      decided,
      total: proposals.length,
      fault,
      note,
      said,
      state: review.state,
      sending: sender.sending,
      confirming: sender.confirming,
      kept: keptRows.map(({ name }) => name),
      onShowKept: showKept,
      undoable,
      onUndo: undoLast,
      onSend: send,
    },
  };
}
