import type { AnswerBody, Interrupt } from '../../../models/contracts/interrupts.ts';
import {
  asksReason,
  type QuestionRow,
  type QuestionRows,
  type RowOutcome,
  withOption,
  wordsOf,
} from '../../../models/contracts/questionRows.ts';
import { useSession } from '../../data/session.ts';
import { count } from '../../data/words.ts';
import { closedDecisions, decisionsById, standingRow } from './decisions.ts';
import { nameOfDecider } from './describeReviewers.ts';
import { useOpenEdits } from './openEdits.ts';
import type { Place } from './place.ts';
import { reviewKeys } from './reviewKeys.ts';
import { noReasonText, reasonNeededText, undoneText } from './reviewText.ts';
import { useMassDecision } from './useMassDecision.ts';
import type { useReview } from './useReview.ts';
import { useReviewTalk } from './useReviewTalk.ts';
import { useRowDecisions } from './useRowDecisions.ts';
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
  const { clashes, keeper } = review;
  // What this person decided too late is listed apart: shown as a row's decision, it would seem to count.
  const kept = interrupt.status === 'pending' ? review.decisions : closedDecisions(interrupt);
  const { active, goTo, step, isReady } = place;
  const { user } = useSession();
  const isOthers = (id: string) =>
    !review.unsentRows.includes(id) &&
    interrupt.decidedBy.some((decider) => decider.id === id && decider.userId !== user?.id);
  const { decide, undo, undoable } = useUndo(keeper, isOthers);
  const decisions = decisionsById(kept);
  const isOpenRow = (proposal: QuestionRow) => !decisions[proposal.id];
  const edits = useOpenEdits(interrupt);
  // Also after a reload, which knows of nobody's saving.
  const clashBy = nameOfDecider(interrupt, Object.keys(clashes)) ?? review.other;
  const talk = useReviewTalk({ keeper, rows: proposed, clashes, by: clashBy });
  const { fault, note, said, clear, say, setFault, setNote } = talk;
  const proposals = proposed.map((proposal) =>
    withOption(proposal, (kept[proposal.id] ?? standingRow(interrupt, proposal.id))?.choice),
  );
  const able = interrupt.abilities.answer && interrupt.status === 'pending';

  const undecided = proposals.filter(isOpenRow);
  const decided = proposals.length - undecided.length;
  const rows = useRowDecisions({ view, proposals, kept, able, edits, decide, talk });

  const positionOf = (id: string) => proposals.findIndex((row) => row.id === id);
  const goToNext = (from: number) =>
    goTo(
      Math.max(
        from,
        proposals.findIndex((proposal, at) => at > from && isOpenRow(proposal)),
      ),
    );
  /** Moves on after a decision, to the next undecided row; stays where the decision still needs its reason. */
  const goAfter = (at: number, outcome: RowOutcome | null) => {
    if (outcome === null) return;
    if (view.reasons.includes(outcome)) stayAt(at, outcome);
    else goToNext(at);
  };
  const stayAt = (at: number, outcome: RowOutcome | null) => {
    if (outcome === null) return;
    goTo(at);
    if (view.reasons.includes(outcome)) setNote(reasonNeededText(proposals[at]?.name ?? '', wordsOf(view, outcome)));
  };
  const saveEdit = (at: number) => {
    const outcome = rows.saveEdit(at);
    if (outcome) stayAt(at, outcome);
    else if (!edits.isOpenNow(proposals[at]?.id ?? '')) goTo(at);
  };
  const edit = (at: number) => {
    if (rows.edit(at)) goTo(at, 'edit');
  };
  const leaveEdit = (at: number) => {
    rows.leaveEdit(at);
    goTo(at);
  };
  /** Opens the fields of a row, or closes them where nothing was typed: what was typed goes only where one says so. */
  const pressEdit = (at: number) => {
    const proposal = proposals[at];
    if (proposal && edits.isOpen(proposal.id) && !rows.isChanged(proposal)) leaveEdit(at);
    else edit(at);
  };
  const writeReason = () => {
    const proposal = proposals[active];
    const outcome = proposal && decisions[proposal.id]?.outcome;
    if (!proposal || !able) return;
    if (outcome && asksReason(view, outcome)) goTo(active, 'reason');
    else setNote(noReasonText(proposal.name, wordsOf(view, 'rejected')));
  };
  const undoLast = () => {
    clear();
    const taken = undo();
    const at = proposals.findIndex(({ id }) => id === taken[0]);
    if (taken.length === 1 && at !== -1) goTo(at);
    setNote(undoneText(taken.length, undoable !== null));
  };
  const mass = useMassDecision({
    undecided,
    decided,
    rowOf: rows.typedRowOf,
    onChoose: (row) => goTo(proposals.indexOf(row)),
    onDecide: (decision, rows) => {
      clear();
      edits.close(...rows.map(({ id }) => id));
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
      accept: () => onCurrent(() => goAfter(active, rows.accept(active))),
      edit: () => onCurrent(() => pressEdit(active)),
      reject: () => onCurrent(() => goAfter(active, rows.reject(active))),
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
    openEdits: proposals.filter(rows.isChanged),
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
      leaveField: () => goTo(active),
      leaveEdit: (id) => {
        const at = id === undefined ? active : positionOf(id);
        if (edits.isOpen(proposals[at]?.id ?? '')) leaveEdit(at);
      },
      saveEdit: (id) => saveEdit(positionOf(id)),
      leaveQuestion: () => {
        mass.onAsk(null);
        sender.onCancel();
        goTo(active);
      },
      goToNext: () => goToNext(active),
      // Moving decides nothing, so it works from wherever the page is scrolled to, and brings its row into view.
      move: (by) => {
        clear();
        goTo(step(by));
      },
      accept: byKey(() => goAfter(active, rows.accept(active))),
      // The focus stays on the row, so that the next key is a key; N goes to the reason.
      reject: byKey(() => stayAt(active, rows.reject(active))),
      edit: byKey(() => edit(active)),
      reason: byKey(writeReason),
      undo: () => {
        if (able) undoLast();
      },
      choose: (option) => byKey(() => rows.chooseAt(active, option))(),
      filter: place.filter,
    },
    mass.asking !== null || sender.confirming,
  );

  return {
    proposals,
    decisions,
    able,
    /** What is typed in the open fields of a row; undefined where they are closed. */
    typedIn: edits.typedIn,
    rowOf: rows.rowOf,
    onKeyDown,
    acceptLine: (at: number) => void rows.accept(at),
    rejectLine: (at: number) => void rows.reject(at),
    removeDecision: rows.removeDecision,
    pressEdit,
    /** Keeps what is typed in a field of a row on this device, until it is saved or discarded. */
    typeIn: edits.type,
    saveEdit,
    leaveEdit,
    /** Chooses an option of a row. */
    chooseOption: rows.chooseOption,
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
