import type { AnswerBody, Interrupt } from '../../../models/contracts/interrupts.ts';
import type { QuestionRows } from '../../../models/contracts/questionRows.ts';
import { useSession } from '../../data/session.ts';
import { ClashBar } from './ClashBar.tsx';
import { decisionsById, standingRow } from './decisions.ts';
import { describeReviewers } from './describeReviewers.ts';
import { KeptBefore } from './KeptBefore.tsx';
import classes from './Review.module.css';
import { ReviewFoot } from './ReviewFoot.tsx';
import { ReviewHead } from './ReviewHead.tsx';
import { ReviewLine } from './ReviewLine.tsx';
import { ReviewMass } from './ReviewMass.tsx';
import { ReviewStanding } from './ReviewStanding.tsx';
import { ReviewBar } from './UnsentReviews.tsx';
import { useCurrentRow } from './useCurrentRow.ts';
import { useReview } from './useReview.ts';
import { useRowReview } from './useRowReview.ts';

/**
 * The review of a question's rows as a table for the keyboard: J and K move, A accepts, E edits, R rejects, N writes
 * the reason, Z undoes, Ctrl+Enter sends. A key only acts on the current row, and only if that row is in view. Every decision is kept as it
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
  const { user } = useSession();
  const proposed = view.rows;
  const review = useReview(interrupt);
  const { decisions: kept, clashes, other, carried, keeper } = review;
  const before = decisionsById(kept);
  const { active, scroller, goTo, press, isReady } = useCurrentRow(
    Math.max(
      0,
      proposed.findIndex(({ id }) => !before[id]),
    ),
    proposed.length,
  );
  const step = (by: 1 | -1) => active + by;
  const desk = useRowReview({ interrupt, view, surface, review, place: { active, goTo, step, isReady }, onDone });
  const { proposals, decisions, able, rowOf } = desk;

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts; every one has a button
    <div className={classes.review} onKeyDown={desk.onKeyDown}>
      <div className={classes.scroll} ref={scroller}>
        <ReviewStanding interrupt={interrupt} view={view} keeper={keeper} onDone={onDone} />
        {able ? <KeptBefore kept={desk.kept} onShow={desk.showKept} /> : null}
        {able ? <ReviewMass view={view} {...desk.mass} /> : null}
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
                typed={desk.typedIn(proposal.id)}
                able={able}
                isCarried={carried.has(proposal.id)}
                clash={clashes[proposal.id]}
                clashBy={other}
                onSettle={(whose) => keeper.settle(proposal.id, whose)}
                onActivate={() => press(at)}
                onChoose={(choice) => desk.chooseOption(at, choice)}
                onAccept={() => desk.acceptLine(at)}
                onReject={() => desk.rejectLine(at)}
                onEdit={() => desk.pressEdit(at)}
                onUndo={() => desk.removeDecision(at)}
                onChange={(row) => keeper.decide([row])}
                onType={(field, text) => desk.typeIn(proposal.id, field, text)}
                onSave={() => desk.saveEdit(at)}
                onDiscard={() => desk.leaveEdit(at)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {able ? <ClashBar {...desk.clash} /> : null}
      <ReviewBar />
      {able ? (
        <ReviewFoot
          view={view}
          reviewers={describeReviewers(interrupt, decisions, review.unsentRows, user?.id ?? 0)}
          {...desk.foot}
        />
      ) : null}
    </div>
  );
}
