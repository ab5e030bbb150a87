import { Button } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { AnswerBody, Interrupt } from '../../../models/contracts/interrupts.ts';
import {
  decisionsIn,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
  type RowOutcome,
  withOption,
} from '../../../models/contracts/questionRows.ts';
import { CallError, codeOf, textOf } from '../../data/call.ts';
import { answer, refreshInterrupts, showInterrupt } from '../../data/interrupts.ts';
import { showToast } from '../../data/toasts.ts';
import { Callout } from '../Notice.tsx';
import { accept, acceptBest, decidedRows, findFault, isSame, type Kept, needsChoice } from './decisions.ts';
import { LeftOver } from './LeftOver.tsx';
import classes from './Review.module.css';
import { ReviewFoot } from './ReviewFoot.tsx';
import { ReviewLine } from './ReviewLine.tsx';
import { type MassDecision, massOffered, ReviewMass } from './ReviewMass.tsx';
import { UnsentBar } from './UnsentBar.tsx';
import { useCurrentRow } from './useCurrentRow.ts';
import { useReview } from './useReview.ts';
import { useUndo } from './useUndo.ts';

/**
 * The review of a question's rows as a table for the keyboard: J and K move, A accepts, E edits, R rejects, Z undoes,
 * Ctrl+Enter sends. A key acts on the row that is marked and in view, and on no other. Every decision is kept as it is
 * made.
 */
export function ReviewTable({
  interrupt,
  view,
  surface,
  onDone,
}: {
  interrupt: Interrupt;
  view: QuestionRows;
  /** Where it was opened: the answer is recorded as given there. */
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
  const [sending, setSending] = useState(false);
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
  const goOn = (from: number) => {
    const next = proposals.findIndex((proposal, at) => at > from && isOpenRow(proposal));
    goTo(next === -1 ? from : next);
  };
  /** What a decision asks for next: its reason where it needs one, else the next row that is open. */
  const goAfter = (at: number, outcome: RowOutcome | null) => {
    if (outcome === null) return;
    if (view.reasons.includes(outcome)) goTo(at, 'reason');
    else goOn(at);
  };
  /** @returns how the row is decided now; null where it is not */
  const acceptLine = (at: number): RowOutcome | null => {
    const proposal = proposals[at];
    if (!proposal || !able) return null;
    clear();
    if (needsChoice(proposal, rowOf(proposal))) {
      setFault(`${proposal.name} has more than one match. Choose one of them, then accept.`);
      return null;
    }
    setEditing(null);
    const row = accept(proposal, rowOf(proposal));
    decide(`${proposal.name} accepted.`, [row]);
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
    decide(`${proposal.name} rejected.`, [row]);
    return 'rejected';
  };
  const editLine = (at: number) => {
    const proposal = proposals[at];
    if (!proposal || !able) return;
    clear();
    setEditing(proposal.id);
  };
  /** The same decision pressed again is taken back. */
  const takeBack = (proposal: QuestionRow) => {
    clear();
    const row = rowOf(proposal);
    const choice = row?.bestMatch ? undefined : row?.choice;
    if (choice) keeper.decide([{ id: proposal.id, outcome: null, choice }]);
    else keeper.decide([], [proposal.id]);
  };
  const takeLastBack = () => {
    clear();
    const taken = undo();
    const at = proposals.findIndex(({ id }) => id === taken[0]);
    if (taken.length === 1 && at !== -1) goTo(at);
    setNote(taken.length === 0 ? 'Nothing to undo.' : taken.length === 1 ? 'Undone.' : `${taken.length} rows undone.`);
  };
  /** One word for all that is undecided; what is decided stays. */
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

  /** Does something to the current row, if all of it is in view; else only shows it. */
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

  const send = async () => {
    if (!able || sending) return;
    clear();
    const clash = proposals.findIndex((proposal) => clashes[proposal.id] !== undefined);
    if (clash !== -1) {
      setFault(`${proposals[clash]?.name} was decided by a colleague meanwhile. Choose which decision stands.`);
      goTo(clash);
      return;
    }
    if (undecided[0]) {
      setFault(`${undecided.length} of ${proposals.length} rows are not decided yet.`);
      goTo(proposed.indexOf(undecided[0]));
      return;
    }
    const wrong = findFault(view, decisions);
    if (wrong) {
      setFault(wrong.text);
      goTo(wrong.at, wrong.part === 'reason' ? 'reason' : 'line');
      return;
    }
    setSending(true);
    try {
      const rows = proposals.flatMap((proposal) => decisions[proposal.id] ?? []);
      await keeper.answering((draftVersion) => answer(interrupt, { userResponse: { rows }, surface, draftVersion }));
      showToast({ title: 'Interrupt Resolved', message: 'The run goes on with your decisions.', tone: 'done' });
      onDone();
    } catch (error) {
      await tellFault(error);
      void refreshInterrupts();
    }
    setSending(false);
  };
  const tellFault = async (error: unknown) => {
    if (codeOf(error) === 'already_answered' && error instanceof CallError && error.body?.standing) {
      await showInterrupt(error.body.standing as Interrupt);
    } else if (codeOf(error) === 'conflict') {
      await keeper.readAgain().catch(() => undefined);
      setFault('A colleague changed this review meanwhile. Nothing was sent: look at the rows, then send again.');
    } else if (error instanceof CallError) {
      setFault(textOf(error, 'Failed to resolve interrupt. Please try again.'));
    } else setFault('Arc can’t be reached. Nothing was sent; your decisions are kept. Send again when you are online.');
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
      return;
    }
    const target = event.target as HTMLElement;
    const typing = target.matches('textarea, select, input:not([type="radio"]), [contenteditable]');
    if (typing) {
      if (event.key === 'Escape') {
        setEditing(null);
        goTo(active);
      }
      if (event.key === 'Enter' && target.matches('[data-reason]')) {
        event.preventDefault();
        goOn(active);
      }
      return;
    }
    if (asking) {
      if (event.key === 'Escape') {
        setAsking(null);
        goTo(active);
      }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const moves: Record<string, () => void> = { j: () => goTo(active + 1), k: () => goTo(active - 1) };
    const acts: Record<string, () => void> = {
      a: () => goAfter(active, acceptLine(active)),
      // The reason is written next, in its own field; Enter there goes on.
      r: () => rejectLine(active) && goTo(active, 'reason'),
      e: () => editLine(active),
    };
    const run = moves[key] ?? acts[key];
    if (key !== 'z' && !run) return;
    event.preventDefault();
    // A key that is held down moves, and decides once.
    if (event.repeat && !moves[key]) return;
    if (key === 'z') return able ? takeLastBack() : undefined;
    if (run)
      onCurrent(() => {
        clear();
        run();
      });
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts; every one has a button
    <div className={classes.review} onKeyDown={onKeyDown}>
      <div className={classes.scroll} ref={scroller}>
        {closed ? (
          <div className={classes.standing}>
            <Callout tone="done" title={interrupt.resolution?.text ?? 'This question is closed.'}>
              {interrupt.resolution ? 'This answer stands. ' : ''}
              <Button size="xs" variant="default" onClick={onDone}>
                Close
              </Button>
            </Callout>
            <LeftOver
              rows={keeper.leftOver().filter((row) => !isSame(row, standingRow(interrupt, row.id)))}
              asked={proposed}
              onDiscard={keeper.discard}
            />
          </div>
        ) : (
          <p className={classes.prompt}>{interrupt.prompt}</p>
        )}
        {able ? (
          <ReviewMass
            offered={massOffered(view)}
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
        {!closed && !interrupt.abilities.answer ? (
          <div className={classes.standing}>
            <Callout tone="waiting" title="You can read this review">
              {interrupt.abilities.waitsFor}
            </Callout>
          </div>
        ) : null}
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{view.headings.row}</th>
              <th scope="col">{view.headings.quotes}</th>
              <th scope="col">{view.headings.grade}</th>
              <th scope="col">Decision</th>
            </tr>
          </thead>
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
                  const { bestMatch: _, ...row } = rowOf(proposal) ?? { id: proposal.id, outcome: null };
                  keeper.decide([{ ...row, choice }]);
                }}
                onAccept={() => acceptLine(at)}
                onReject={() => rejectLine(at)}
                onEdit={() => {
                  if (editing === proposal.id) {
                    setEditing(null);
                    goTo(at);
                  } else editLine(at);
                }}
                onUndo={() => takeBack(proposal)}
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
          row={inHand()}
          decided={decided}
          total={proposals.length}
          fault={fault}
          note={note}
          state={state}
          other={other}
          sending={sending}
          undoable={undoable}
          onUndo={takeLastBack}
          onSend={send}
        />
      ) : null}
    </div>
  );
}

/** After the answer: what was decided about a row. */
const standingRow = ({ userResponse }: Interrupt, id: string) => decisionsIn(userResponse).find((row) => row.id === id);
