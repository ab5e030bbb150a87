import { Button } from '@mantine/core';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useSearchParams } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import type { QuestionRows } from '../../../models/contracts/questionRows.ts';
import { closeToast } from '../../data/toasts.ts';
import { ClashBar } from '../../parts/review/ClashBar.tsx';
import { closedDecisions, decisionsById, standingRow } from '../../parts/review/decisions.ts';
import { describeReviewers } from '../../parts/review/describeReviewers.ts';
import { KeptBefore } from '../../parts/review/KeptBefore.tsx';
import { type Focus, focusPart } from '../../parts/review/place.ts';
import { ReviewFoot } from '../../parts/review/ReviewFoot.tsx';
import { ReviewMass } from '../../parts/review/ReviewMass.tsx';
import { ReviewStanding } from '../../parts/review/ReviewStanding.tsx';
import { ALL_ROWS, filtersOf, KEPT_ROWS, stepWithin } from '../../parts/review/rowFilters.ts';
import { ReviewBar } from '../../parts/review/UnsentReviews.tsx';
import { useReview } from '../../parts/review/useReview.ts';
import { useRowReview } from '../../parts/review/useRowReview.ts';
import { usePageTitle } from '../../parts/shell/pageTitle.ts';
import classes from './ReviewDesk.module.css';
import { RowDetail } from './RowDetail.tsx';
import { RowList } from './RowList.tsx';
import { isSeen } from './rowInView.ts';

/**
 * A review with its rows on the left and one of them, whole, on the right. Keys act on the row that is shown, and on no
 * other; the URL names it.
 */
export function ReviewDesk({ interrupt, view, user }: { interrupt: Interrupt; view: QuestionRows; user: SessionUser }) {
  const title = interrupt.context.title ?? interrupt.view.label;
  usePageTitle(title);
  useEffect(closeToast, []);
  const [address, setAddress] = useSearchParams();
  const whole = useRef<HTMLDivElement>(null);
  const detail = useRef<HTMLElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const filterField = useRef<HTMLSelectElement>(null);
  const review = useReview(interrupt);
  const isOpen = interrupt.status === 'pending';
  const decided = decisionsById(isOpen ? review.decisions : closedDecisions(interrupt));
  // The router draws a new URL a little later. The next key must act on the row that the last one led to all the same.
  const [ahead, setAhead] = useState<string | null>(null);
  const inUrl = address.get('row');
  const named = view.rows.findIndex(({ id }) => id === (ahead ?? inUrl));
  useEffect(() => {
    // Only what the URL has reached: this runs late, and a key pressed meanwhile may have led further.
    if (ahead === inUrl) setAhead((now) => (now === ahead ? null : now));
  }, [ahead, inUrl]);
  const firstOpen = Math.max(
    0,
    view.rows.findIndex(({ id }) => !decided[id]),
  );
  // The first row that is open when the page is opened stays the current one until the URL names another.
  const first = useRef(firstOpen);
  const active = named === -1 ? first.current : named;
  const chosen = address.get('show') ?? ALL_ROWS;
  const isKept = ({ id }: { id: string }) => review.carried.has(id) && decided[id] !== undefined;
  const filters = filtersOf(view.rows, ({ id }) => decided[id] !== undefined, isKept, chosen);
  const filter = filters.find(({ id }) => id === chosen) ?? filters[0];
  const shown = filter?.rows ?? [];

  const put = (changes: Record<string, string | null>) =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes))
          if (value === null) next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  /** On a phone: whether what stands above the rows is shown, beside the title. */
  const [isWhole, setWhole] = useState(false);
  const [asked, setAsked] = useState<{ at: number; focus: Focus } | null>(null);
  const goTo = (at: number, focus: Focus = 'line') => {
    const row = view.rows[at];
    if (!row) return;
    setAsked({ at, focus });
    setAhead(row.id);
    put({ row: row.id });
  };
  // The keys work from the first moment that the rows are drawn, and after a click on what can't be focused. What opened
  // the page may take the focus a frame later.
  useLayoutEffect(() => {
    const focus = () => {
      if (!whole.current?.contains(document.activeElement)) whole.current?.focus({ preventScroll: true });
    };
    focus();
    const id = requestAnimationFrame(focus);
    return () => cancelAnimationFrame(id);
  }, []);
  // Runs as the row that was asked for is drawn, before the next key; a move that came to nothing is not made up for.
  useLayoutEffect(() => {
    if (!asked) return;
    setAsked(null);
    if (asked.at !== active) return;
    if (focusPart(detail.current, asked.focus)) return;
    detail.current?.focus({ preventScroll: true });
    if (!isSeen(detail.current, bar.current)) detail.current?.scrollIntoView({ block: 'start' });
  }, [asked, active]);
  const desk = useRowReview({
    interrupt,
    view,
    surface: 'inbox',
    review,
    place: {
      active,
      goTo,
      step: (by) => stepWithin(shown, active, by),
      isReady: () => {
        if (isSeen(detail.current, bar.current)) return true;
        detail.current?.scrollIntoView({ block: 'start' });
        return false;
      },
      filter: () => {
        // A row that a key before leads to no longer takes the focus.
        setAsked(null);
        // On a phone it is among what is folded away.
        flushSync(() => setWhole(true));
        filterField.current?.focus();
      },
      showKept: () => {
        setAhead(null);
        put({ show: KEPT_ROWS, row: view.rows.find(isKept)?.id ?? null });
      },
    },
    onDone: () => undefined,
  });
  const row = desk.proposals[active];

  /** A key that is pressed while another row's entry in the list has the focus opens that row, and decides nothing. */
  const onKeyDown = (event: KeyboardEvent) => {
    const entry = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
    const at = Number(entry?.dataset.row ?? active);
    if (at !== active && /^[aren1-9]$/i.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      goTo(at);
      return;
    }
    desk.onKeyDown(event);
  };
  const reviewers = describeReviewers(interrupt, desk.decisions, review.unsentRows, user.id);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts; every one has a button
    <div
      ref={whole}
      className={classes.desk}
      data-whole={isWhole || !desk.able || undefined}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      // Browsers leave a focused field where it is behind the bar: to them it is in view.
      onFocus={({ target }) => target.matches('textarea, [data-reason]') && target.scrollIntoView({ block: 'nearest' })}
    >
      <header className={classes.head}>
        <div>
          <h1>{title}</h1>
          <p className={`soft ${classes.about}`}>
            {interrupt.agentName} · <Link to={`/agent-inbox?interrupt=${interrupt.id}`}>Question {interrupt.id}</Link>
          </p>
        </div>
        {desk.able ? (
          <Button
            size="xs"
            variant="default"
            className={classes.fold}
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Less' : 'More'}
          </Button>
        ) : null}
        <label className={classes.filter}>
          Show
          <select
            ref={filterField}
            value={filter?.id}
            onChange={(event) => {
              const next = filters.find(({ id }) => id === event.currentTarget.value);
              const stays = next?.rows.includes(active);
              const to = stays ? active : (next?.rows[0] ?? active);
              setAhead(null);
              put({
                show: next && next.id !== ALL_ROWS ? next.id : null,
                row: view.rows[to]?.id ?? null,
              });
            }}
          >
            {filters.map(({ id, label, rows }) => (
              <option key={id} value={id}>
                {label} ({rows.length})
              </option>
            ))}
          </select>
        </label>
      </header>
      <div className={classes.standing}>
        <ReviewStanding interrupt={interrupt} view={view} keeper={review.keeper} onDone={null} />
        {desk.able ? <KeptBefore kept={desk.kept} onShow={desk.showKept} /> : null}
        {desk.able ? <ReviewMass view={view} {...desk.mass} /> : null}
      </div>
      <div className={classes.columns}>
        <RowList
          view={view}
          rows={desk.proposals}
          shown={shown}
          active={active}
          decisionOf={(id) => desk.decisions[id] ?? standingRow(interrupt, id)}
          onOpen={goTo}
        />
        {row ? (
          <RowDetail
            key={row.id}
            ref={detail}
            interrupt={interrupt}
            view={view}
            row={row}
            desk={desk}
            at={active}
            review={review}
            userId={user.id}
          />
        ) : null}
      </div>
      <div ref={bar} className={classes.bar}>
        {desk.able ? <ClashBar {...desk.clash} /> : null}
        <ReviewBar />
        {desk.able ? <ReviewFoot isBar view={view} reviewers={reviewers} {...desk.foot} /> : null}
      </div>
    </div>
  );
}
