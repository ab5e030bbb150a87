import { useState } from 'react';
import type { AnswerBody, Interrupt } from '../../../models/contracts/interrupts.ts';
import type { QuestionRow, QuestionRows, RowDecision } from '../../../models/contracts/questionRows.ts';
import { CallError, codeOf, textOf } from '../../data/call.ts';
import { answer, refreshInterrupts, SIGNED_ONCE, showInterrupt } from '../../data/interrupts.ts';
import { showToast } from '../../data/toasts.ts';
import { type Clashes, findFault } from './decisions.ts';
import type { Keeper } from './keeper.ts';
import type { Focus } from './place.ts';
import { decidedText, undecidedText, unsavedEditText } from './reviewText.ts';

type Decided = {
  view: QuestionRows;
  rows: readonly QuestionRow[];
  decisions: Partial<Record<string, RowDecision>>;
  clashes: Clashes;
};

/** The first row that prevents sending, with the reason; null if the review can be sent. */
function findObstacle({ view, rows, decisions, clashes }: Decided): ReturnType<typeof findFault> {
  const clash = rows.findIndex(({ id }) => clashes[id] !== undefined);
  if (clash !== -1) {
    const text = `${rows[clash]?.name} was also decided by a colleague. Choose which decision to keep.`;
    return { at: clash, text, part: 'outcome' };
  }
  const open = rows.filter(({ id }) => !decisions[id]);
  if (open[0]) {
    return {
      at: rows.indexOf(open[0]),
      text: undecidedText(open.length, rows.length),
      part: 'outcome',
    };
  }
  return findFault(view, decisions);
}

/**
 * Sends the decisions of a review as the answer to its question.
 * @param it `goTo` shows the row that prevents sending, `showFault` the reason or the error
 */
export function useSendReview({
  interrupt,
  surface,
  keeper,
  decided,
  openEdits,
  kept,
  goTo,
  showFault,
  onDone,
}: {
  interrupt: Interrupt;
  /** Where it was opened; recorded with the answer. */
  surface: NonNullable<AnswerBody['surface']>;
  keeper: Keeper;
  decided: Decided;
  /** Rows with an edit that is not saved. */
  openEdits: readonly QuestionRow[];
  /** Names of the rows whose decision was kept from the previous review: with some, sending asks once. */
  kept: readonly string[];
  goTo: (at: number, focus?: Focus) => void;
  showFault: (fault: string) => void;
  onDone: () => void;
}) {
  const [sending, setSending] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const confirming = isAsking && kept.length > 0;

  const handleFault = async (error: unknown) => {
    if (codeOf(error) === 'already_answered' && error instanceof CallError && error.body?.standing) {
      await showInterrupt(error.body.standing as Interrupt);
    } else if (codeOf(error) === 'conflict') {
      await keeper.readAgain().catch(() => undefined);
      showFault('A colleague changed this review. Nothing was sent. Check the rows, then send again.');
    } else if (error instanceof CallError) {
      showFault(textOf(error, 'Failed to resolve interrupt. Please try again.'));
    } else
      showFault('Arc can’t be reached. Nothing was sent; your decisions are kept. Send again when you are online.');
  };

  const send = async () => {
    const open = openEdits[0];
    if (open) {
      setAsking(false);
      showFault(unsavedEditText(open.name));
      goTo(decided.rows.indexOf(open), 'edit');
      return;
    }
    const obstacle = findObstacle(decided);
    if (obstacle) {
      setAsking(false);
      showFault(obstacle.text);
      goTo(obstacle.at, obstacle.part === 'reason' ? 'reason' : 'line');
      return;
    }
    if (kept.length > 0 && !confirming) {
      setAsking(true);
      return;
    }
    setAsking(false);
    setSending(true);
    try {
      const rows = decided.rows.flatMap(({ id }) => decided.decisions[id] ?? []);
      const answered = await keeper.answering((draftVersion) =>
        answer(interrupt, { userResponse: { rows }, surface, draftVersion }),
      );
      if (answered.status === 'pending') showToast(SIGNED_ONCE);
      else {
        showToast({ title: 'Interrupt Resolved', message: decidedText(rows, decided.view), tone: 'done' });
        onDone();
      }
    } catch (error) {
      await handleFault(error);
      void refreshInterrupts();
    }
    setSending(false);
  };

  return {
    sending,
    /** Whether it asks about kept decisions: sending again sends. */
    confirming,
    send,
    onCancel: () => setAsking(false),
  };
}
