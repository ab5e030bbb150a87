import { Button } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { NewHazard, ReviewRow } from '../../../models/contracts/hazards.ts';
import type { AnswerBody, Interrupt } from '../../../models/contracts/interrupts.ts';
import { CallError, codeOf, textOf } from '../../data/call.ts';
import { answer, refreshInterrupts, showInterrupt } from '../../data/interrupts.ts';
import { showToast } from '../../data/toasts.ts';
import { Callout } from '../Notice.tsx';
import { accept, acceptBest, decidedRows, type Kept, needsChoice, withChoice } from './decisions.ts';
import classes from './Review.module.css';
import { ReviewFoot } from './ReviewFoot.tsx';
import { ReviewLine } from './ReviewLine.tsx';
import { useReview } from './useReview.ts';

/**
 * The review of proposed hazards as a table for the keyboard: J and K move, A accepts, E edits, R rejects, Ctrl+Enter
 * sends. Every decision is kept as it is made.
 */
export function ReviewTable({
  interrupt,
  surface,
  onDone,
}: {
  interrupt: Interrupt;
  /** Where it was opened: the answer is recorded as given there. */
  surface: NonNullable<AnswerBody['surface']>;
  onDone: () => void;
}) {
  const proposed = interrupt.context.rows ?? [];
  const { kept, decide, state, other, retry, answering } = useReview(interrupt);
  const decisions: Partial<Record<string, ReviewRow>> = Object.fromEntries(
    decidedRows(kept).map((row) => [row.id, row]),
  );
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      proposed.findIndex((proposal) => !decisions[proposal.id]?.outcome),
    ),
  );
  const [editing, setEditing] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const proposals = proposed.map((proposal) =>
    withChoice(proposal, (kept[proposal.id] ?? standingRow(interrupt, proposal.id))?.kbId),
  );
  const body = useRef<HTMLTableSectionElement>(null);
  const closed = interrupt.status !== 'pending';
  const able = interrupt.abilities.answer && !closed;

  const decided = proposals.filter((proposal) => decisions[proposal.id]).length;
  const rowOf = (proposal: NewHazard): Kept | undefined => kept[proposal.id];

  const goTo = (at: number) => {
    const next = Math.min(proposals.length - 1, Math.max(0, at));
    setActive(next);
    const line = body.current?.querySelector<HTMLElement>(`[data-line="${next}"]`);
    line?.focus({ preventScroll: true });
    line?.scrollIntoView({ block: 'nearest' });
  };
  const goOn = (from: number) => {
    const next = proposals.findIndex((proposal, at) => at > from && !decisions[proposal.id]);
    goTo(next === -1 ? from : next);
  };
  const acceptLine = (at: number) => {
    const proposal = proposals[at];
    if (!proposal || !able) return;
    if (needsChoice(proposal, rowOf(proposal))) {
      setActive(at);
      setFault(`${proposal.proposedId} has more than one match. Choose one of them, then accept.`);
      return;
    }
    setFault(null);
    setEditing(null);
    decide([accept(proposal, rowOf(proposal))]);
    goOn(at);
  };
  /** By the key, the reason is written next, in its own field; Enter there goes on. */
  const rejectLine = (at: number, byKey = false) => {
    const proposal = proposals[at];
    if (!proposal || !able) return;
    setFault(null);
    setEditing(null);
    const reason = decisions[proposal.id]?.reason;
    flushSync(() => decide([{ id: proposal.id, outcome: 'rejected', ...(reason ? { reason } : {}) }]));
    const field = body.current?.querySelector<HTMLElement>(`[data-line="${at}"] [data-reason]`);
    if (byKey && field) field.focus();
    else goOn(at);
  };
  const unchosen = proposals.filter((proposal) => needsChoice(proposal, rowOf(proposal)));
  const acceptAll = () => {
    setFault(null);
    if (unchosen.length > 0 && !confirming) return setConfirming(true);
    setConfirming(false);
    // As proposed, not as shown: the best match is the proposal's own.
    decide(
      proposed.map((proposal) => {
        const row = rowOf(proposal);
        const shown = withChoice(proposal, row?.bestMatch ? undefined : row?.kbId);
        return acceptBest(shown, row);
      }),
    );
  };
  const chooseFirst = () => {
    setConfirming(false);
    const first = unchosen[0];
    if (first) goTo(proposals.indexOf(first));
  };
  const rejectAll = () => {
    setFault(null);
    setConfirming(false);
    decide(proposals.map((proposal) => ({ id: proposal.id, outcome: 'rejected' as const })));
  };

  const inHand = () => {
    const proposal = proposals[active];
    if (!proposal) return null;
    const outcome = decisions[proposal.id]?.outcome;
    return {
      name: proposal.proposedId,
      accepted: outcome === 'accepted' || outcome === 'edited',
      rejected: outcome === 'rejected',
      accept: () => acceptLine(active),
      edit: () => {
        setEditing(editing === proposal.id ? null : proposal.id);
        goTo(active);
      },
      reject: () => rejectLine(active),
    };
  };

  const send = async () => {
    if (!able || sending) return;
    const missing = proposals.filter((proposal) => !decisions[proposal.id]);
    if (missing[0]) {
      setFault(`${missing.length} of ${proposals.length} rows are not decided yet.`);
      goTo(proposals.indexOf(missing[0]));
      return;
    }
    setSending(true);
    setFault(null);
    try {
      const rows = proposals.flatMap((proposal) => decisions[proposal.id] ?? []);
      await answering(() => answer(interrupt, { userResponse: { rows }, surface }));
      showToast({ title: 'Interrupt Resolved', message: 'The run goes on with your decisions.', tone: 'done' });
      onDone();
    } catch (error) {
      if (codeOf(error) === 'already_answered' && error instanceof CallError && error.body?.standing) {
        await showInterrupt(error.body.standing as Interrupt);
      } else {
        setFault(textOf(error, 'Failed to resolve interrupt. Please try again.'));
      }
      void refreshInterrupts();
    }
    setSending(false);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
      return;
    }
    const target = event.target as HTMLElement;
    const typing = target.matches('textarea, input:not([type="radio"])');
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
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const proposal = proposals[active];
    const act: Record<string, () => void> = {
      j: () => goTo(active + 1),
      k: () => goTo(active - 1),
      a: () => acceptLine(active),
      r: () => rejectLine(active, true),
      e: () => {
        if (proposal && able) setEditing(proposal.id);
      },
    };
    const run = act[event.key.toLowerCase()];
    if (!run) return;
    event.preventDefault();
    run();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts; every one has a button
    <div className={classes.review} onKeyDown={onKeyDown}>
      <div className={classes.scroll}>
        {closed ? (
          <div className={classes.standing}>
            <Callout tone="done" title={interrupt.resolution?.text ?? 'This question is closed.'}>
              {interrupt.resolution ? 'This answer stands. ' : ''}
              <Button size="xs" variant="default" onClick={onDone}>
                Close
              </Button>
            </Callout>
          </div>
        ) : (
          <p className={classes.prompt}>{interrupt.prompt}</p>
        )}
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
              <th scope="col">Proposed hazard</th>
              <th scope="col">What the tickets say</th>
              <th scope="col">Suggested</th>
              <th scope="col">Decision</th>
            </tr>
          </thead>
          <tbody ref={body}>
            {proposals.map((proposal, at) => (
              <ReviewLine
                key={proposal.id}
                proposal={proposal}
                row={decisions[proposal.id] ?? standingRow(interrupt, proposal.id)}
                choice={rowOf(proposal)?.kbId ?? null}
                at={at}
                active={active === at}
                editing={editing === proposal.id}
                able={able}
                onActivate={() => setActive(at)}
                onChoose={(kbId) => {
                  setFault(null);
                  const { bestMatch: _, ...row } = rowOf(proposal) ?? { id: proposal.id, outcome: null };
                  decide([{ ...row, kbId }]);
                }}
                onAccept={() => acceptLine(at)}
                onReject={() => rejectLine(at)}
                onEdit={() => {
                  setActive(at);
                  setEditing(editing === proposal.id ? null : proposal.id);
                }}
                onUndo={() => {
                  const kbId = rowOf(proposal)?.bestMatch ? undefined : rowOf(proposal)?.kbId;
                  if (kbId) decide([{ id: proposal.id, outcome: null, kbId }]);
                  else decide([], [proposal.id]);
                }}
                onChange={(row) => decide([row])}
              />
            ))}
          </tbody>
        </table>
      </div>
      {able ? (
        <ReviewFoot
          row={inHand()}
          decided={decided}
          total={proposals.length}
          fault={fault}
          state={state}
          other={other}
          sending={sending}
          onRetry={retry}
          unchosen={confirming ? unchosen.length : 0}
          onAcceptAll={acceptAll}
          onChoose={chooseFirst}
          onRejectAll={rejectAll}
          onSend={send}
        />
      ) : null}
    </div>
  );
}

/** After the answer: what was decided about a row. */
function standingRow(interrupt: Interrupt, id: string): ReviewRow | undefined {
  const response = interrupt.userResponse as { rows?: ReviewRow[] } | null;
  return response?.rows?.find((row) => row.id === id);
}
