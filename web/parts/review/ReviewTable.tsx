import { useState } from 'react';
import type { AnswerBody, Interrupt } from '../../../models/contracts/interrupts.ts';
import {
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  type RowOutcome,
  withOption,
  wordsOf,
} from '../../../models/contracts/questionRows.ts';
import { acceptBest, choose, decidedRows, type Kept, needsChoice, standingRow, take } from './decisions.ts';
import classes from './Review.module.css';
import { ReviewFoot } from './ReviewFoot.tsx';
import { ReviewHead } from './ReviewHead.tsx';
import { ReviewLine } from './ReviewLine.tsx';
import { type MassDecision, ReviewMass } from './ReviewMass.tsx';
import { ReviewStanding } from './ReviewStanding.tsx';
import { reviewKeys } from './reviewKeys.ts';
import { UnsentBar } from './UnsentBar.tsx';
import { useCurrentRow } from './useCurrentRow.ts';
import { useReview } from './useReview.ts';
import { useSendReview } from './useSendReview.ts';
import { useUndo } from './useUndo.ts';

/**
 * The review of a question's rows as a table for the keyboard: J and K move, A accepts, E edits, R rejects, Z undoes,
 * Ctrl+Enter sends. A key only acts on the current row, and only if that row is in view. Every decision is kept as it
 * is made.
 */
export function ReviewTable({
  interrupt,
  view,
  surface,
  onDone,
}: {
  interrupt: Interrupt;
  view: QuestionRows;
  /** Where it was opened; recorded with the answer. */
  surface: NonNullable<AnswerBody['surface']>;
  onDone: () => void;
}) {
  const proposed = view.rows;
  const { decisions: kept, clashes, state, trouble, unsent, isOnDevice, other, carried, keeper } = useReview(interrupt);
  const { decide, undo, undoable } = useUndo(keeper);
  const decisions: Partial<Record<string, RowDecision>> = Object.fromEntries(
    decidedRows(kept).map((row) => [row.id, row]),
  );
  const isOpenRow = (proposal: QuestionRow) => !decisions[proposal.id];
  const { active, scroller, goTo, press, isReady } = useCurrentRow(
    Math.max(0, proposed.findIndex(isOpenRow)),
    proposed.length,
  );
  const [editing, setEditing] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const [asking, setAsking] = useState<MassDecision | null>(null);
  const proposals = proposed.map((proposal) =>
    withOption(proposal, (kept[proposal.id] ?? standingRow(interrupt, proposal.id))?.choice),
  );
  const closed = interrupt.status !== 'pending';
  const able = interrupt.abilities.answer && !closed;

  const undecided = proposed.filter(isOpenRow);
  const decided = proposals.length - undecided.length;
  const rowOf = (proposal: QuestionRow): Kept | undefined => kept[proposal.id];
  const unchosen = undecided.filter((proposal) => needsChoice(proposal, rowOf(proposal)));

  const clear = () => {
    setFault(null);
    setNote(null);
  };
  const goToNext = (from: number) => {
    const next = proposals.findIndex((proposal, at) => at > from && isOpenRow(proposal));
    goTo(next === -1 ? from : next);
  };
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
    decide(`${proposal.name} ${wordsOf(view, 'accepted').counted}.`, [row]);
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
    decide(`${proposal.name} ${wordsOf(view, 'rejected').counted}.`, [row]);
    return 'rejected';
  };
  const editLine = (at: number) => {
    const proposal = proposals[at];
    if (!proposal || !able) return;
    clear();
    setEditing(proposal.id);
  };
  /** Removes a row's decision, because the same button was pressed again; keeps a chosen match. */
  const removeDecision = (proposal: QuestionRow) => {
    clear();
    const row = rowOf(proposal);
    const choice = row?.bestMatch ? undefined : row?.choice;
    if (choice) keeper.decide([{ id: proposal.id, outcome: null, choice }]);
    else keeper.decide([], [proposal.id]);
  };
  const undoLast = () => {
    clear();
    const taken = undo();
    const at = proposals.findIndex(({ id }) => id === taken[0]);
    if (taken.length === 1 && at !== -1) goTo(at);
    setNote(taken.length === 0 ? 'Nothing to undo.' : taken.length === 1 ? 'Undone.' : `${taken.length} rows undone.`);
  };
  /** Decides all undecided rows; decided rows stay unchanged. */
  const decideRest = (decision: MassDecision) => {
    clear();
    setAsking(null);
    const rows = undecided.map((proposal): Kept => {
      if (decision === 'reject') return { id: proposal.id, outcome: 'rejected' };
      const row = rowOf(proposal);
      return acceptBest(withOption(proposal, row?.choice), row);
    });
    decide(`${rows.length} ${decision}ed.`, rows);
    goTo(active);
  };

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

  const { sending, send: sendReview } = useSendReview({
    interrupt,
    surface,
    keeper,
    decided: { view, rows: proposals, decisions, clashes },
    goTo,
    showFault: setFault,
    onDone,
  });
  const send = async () => {
    if (!able || sending) return;
    clear();
    await sendReview();
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
        setAsking(null);
        goTo(active);
      },
      goToNext: () => goToNext(active),
      move: (by) => byKey(() => goTo(active + by))(),
      accept: byKey(() => goAfter(active, acceptLine(active))),
      // Focus moves to the reason; Enter in it moves to the next undecided row.
      reject: byKey(() => rejectLine(active) && goTo(active, 'reason')),
      edit: byKey(() => editLine(active)),
      undo: () => {
        if (able) undoLast();
      },
    },
    asking !== null,
  );

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts; every one has a button
    <div className={classes.review} onKeyDown={onKeyDown}>
      <div className={classes.scroll} ref={scroller}>
        <ReviewStanding interrupt={interrupt} view={view} keeper={keeper} onDone={onDone} />
        {able ? (
          <ReviewMass
            view={view}
            undecided={undecided.length}
            decided={decided}
            unchosen={unchosen.length}
            asking={asking}
            onAsk={setAsking}
            onChoose={() => {
              setAsking(null);
              if (unchosen[0]) goTo(proposed.indexOf(unchosen[0]));
            }}
            onDecide={decideRest}
          />
        ) : null}
        <table className={classes.table} data-graded={view.headings.grade !== null || undefined}>
          <ReviewHead headings={view.headings} />
          <tbody>
            {proposals.map((proposal, at) => (
              <ReviewLine
                key={proposal.id}
                view={view}
                asked={proposal}
                row={decisions[proposal.id] ?? standingRow(interrupt, proposal.id)}
                choice={rowOf(proposal)?.choice ?? null}
                at={at}
                active={active === at}
                editing={editing === proposal.id}
                able={able}
                isCarried={carried.has(proposal.id)}
                clash={clashes[proposal.id]}
                clashBy={other}
                onSettle={(whose) => keeper.settle(proposal.id, whose)}
                onActivate={() => press(at)}
                onChoose={(choice) => {
                  clear();
                  keeper.decide([choose(view, proposed[at] ?? proposal, rowOf(proposal), choice)]);
                }}
                onAccept={() => acceptLine(at)}
                onReject={() => rejectLine(at)}
                onEdit={() => {
                  if (editing === proposal.id) {
                    setEditing(null);
                    goTo(at);
                  } else editLine(at);
                }}
                onUndo={() => removeDecision(proposal)}
                onChange={(row) => keeper.decide([row])}
              />
            ))}
          </tbody>
        </table>
      </div>
      {able && trouble ? (
        <UnsentBar
          unsent={unsent}
          isOffline={trouble === 'offline'}
          isOnDevice={isOnDevice}
          onRetry={() => void keeper.save()}
        />
      ) : null}
      {able ? (
        <ReviewFoot
          view={view}
          row={inHand()}
          decided={decided}
          total={proposals.length}
          fault={fault}
          note={note}
          state={state}
          other={other}
          sending={sending}
          undoable={undoable}
          onUndo={undoLast}
          onSend={send}
        />
      ) : null}
    </div>
  );
}
