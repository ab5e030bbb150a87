import { TextInput } from '@mantine/core';
import { type Ref, useState } from 'react';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import {
  asksReason,
  editsByChoice,
  hasOptions,
  outcomesOf,
  type QuestionRow,
  type QuestionRows,
  ROW_OUTCOMES,
} from '../../../models/contracts/questionRows.ts';
import { codeOfRow } from '../../../models/contracts/rowOptions.ts';
import { count } from '../../data/words.ts';
import { changedIn, outcomeText, standingRow } from '../../parts/review/decisions.ts';
import { describeDecider, nameOfDecider } from '../../parts/review/describeReviewers.ts';
import { EditRow } from '../../parts/review/EditRow.tsx';
import { RowClash } from '../../parts/review/RowClash.tsx';
import { RowOptions } from '../../parts/review/RowOptions.tsx';
import type { useReview } from '../../parts/review/useReview.ts';
import type { useRowReview } from '../../parts/review/useRowReview.ts';
import { Tag } from '../../parts/Tag.tsx';
import classes from './ReviewDesk.module.css';

/** At most this many quotations are shown at first. */
const SHOWN_QUOTES = 8;

type Quotes = QuestionRow['quotes'];

/** One row, whole: every field with the quotations that speak for it beside it, then its decision. */
export function RowDetail({
  ref,
  interrupt,
  view,
  row,
  desk,
  at,
  review,
  userId,
}: {
  ref: Ref<HTMLElement>;
  interrupt: Interrupt;
  view: QuestionRows;
  row: QuestionRow;
  desk: ReturnType<typeof useRowReview>;
  at: number;
  review: ReturnType<typeof useReview>;
  /** The reader. */
  userId: number;
}) {
  const [isWhole, setWhole] = useState(false);
  const decision = desk.decisions[row.id] ?? standingRow(interrupt, row.id);
  const isUnsent = review.unsentRows.includes(row.id);
  const by = isUnsent ? undefined : interrupt.decidedBy.find(({ id }) => id === row.id);
  const outcomes = outcomesOf(view);
  const changed = changedIn(row, decision);
  const values = { ...row.values, ...decision?.values };
  const [first] = view.fields;
  const quotes = isWhole ? row.quotes : row.quotes.slice(0, SHOWN_QUOTES);
  const fields = view.fields.slice(1).filter(({ name }) => values[name]);
  const known = new Set(fields.map(({ name }) => name));
  const ofRow = quotes.filter(({ field }) => field === undefined || !known.has(field));
  const typed = desk.able ? desk.typedIn(row.id) : undefined;
  const isEditing = typed !== undefined;
  const code = codeOfRow(row, decision?.choice ?? null);
  const clash = review.clashes[row.id];
  const isRejected = decision?.outcome === 'rejected' && outcomes === ROW_OUTCOMES;
  const called = view.sources ?? { one: 'quote', many: 'quotes' };
  return (
    <article
      ref={ref}
      className={classes.detail}
      tabIndex={-1}
      aria-label={`${row.name}, ${outcomeText(decision, outcomes)}`}
    >
      <header className={classes.rowHead}>
        <div>
          <p className="soft">
            <span className="mono">{row.name}</span>
            {row.group ? ` · ${row.group}` : ''}
            {code ? <span className="mono"> · {code}</span> : null}
          </p>
          <h2>{values[first?.name ?? ''] ?? row.title}</h2>
        </div>
        {row.grade ? (
          <p className={classes.grade}>
            <span className={classes.risk} data-risk={Math.min(5, Math.max(1, row.grade.value))}>
              {row.grade.value}
            </span>
            <span>
              {row.grade.texts.join(' · ')}
              <br />
              <span className="soft small">for discussion</span>
            </span>
          </p>
        ) : null}
      </header>
      <div className={classes.decision}>
        <Tag tone={decision ? (isRejected ? 'error' : 'done') : 'waiting'}>{outcomeText(decision, outcomes)}</Tag>
        {by ? <span className="soft">by {describeDecider(by, userId)}</span> : null}
        {isUnsent && decision ? <span className="soft">by you, not saved yet</span> : null}
        {review.carried.has(row.id) && decision ? <span>Kept from the previous review. Check it.</span> : null}
        {row.earlier ? <span className="soft">{row.earlier}</span> : null}
      </div>
      {desk.able && clash !== undefined ? (
        <RowClash
          row={decision}
          clash={clash}
          by={nameOfDecider(interrupt, [row.id]) ?? review.other}
          outcomes={outcomes}
          onSettle={(whose) => review.keeper.settle(row.id, whose)}
        />
      ) : null}
      {desk.able && decision && asksReason(view, decision.outcome) ? (
        <TextInput
          key={decision.outcome}
          className={classes.reason}
          label={view.reasons.includes(decision.outcome) ? 'Reason' : 'Reason (optional)'}
          required={view.reasons.includes(decision.outcome)}
          data-reason
          aria-keyshortcuts="n"
          maxLength={2000}
          defaultValue={decision.reason ?? ''}
          onChange={(event) => {
            const reason = event.currentTarget.value;
            const { reason: _, ...decided } = decision;
            review.keeper.decide([{ ...decided, ...(reason ? { reason } : {}) }]);
          }}
        />
      ) : null}
      {!desk.able && decision?.reason ? <p className="soft">{decision.reason}</p> : null}
      {hasOptions(row) && (!editsByChoice(view) || isEditing || !desk.able) ? (
        <RowOptions
          view={view}
          asked={row}
          row={decision}
          choice={desk.rowOf(row)?.choice ?? decision?.choice ?? null}
          able={desk.able}
          onChoose={(choice) => desk.chooseOption(at, choice)}
        />
      ) : null}
      {typed && !editsByChoice(view) ? (
        <EditRow
          view={view}
          row={row}
          decided={desk.decisions[row.id]}
          typed={typed}
          onType={(field, text) => desk.typeIn(row.id, field, text)}
          onSave={() => desk.saveEdit(at)}
          onDiscard={() => desk.leaveEdit(at)}
        />
      ) : (
        <dl className={classes.fields} data-text>
          {ofRow.length > 0 ? (
            <div>
              <dt>{view.headings.quotes}</dt>
              <dd>
                <QuoteList quotes={ofRow} />
              </dd>
            </div>
          ) : null}
          {fields.map((field) => {
            const spoken = quotes.filter((quote) => quote.field === field.name);
            return (
              <div key={field.name} data-changed={changed.includes(field.name) || undefined}>
                <dt>
                  {field.label}
                  {changed.includes(field.name) ? ' (changed)' : ''}
                </dt>
                <dd className={classes.beside} data-quoted={spoken.length > 0 || undefined}>
                  <p>{values[field.name]}</p>
                  {spoken.length > 0 ? <QuoteList quotes={spoken} /> : null}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      {quotes.length < row.quotes.length ? (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          {quotes.length} of {count(row.quotes.length, called.one, called.many)}: show the rest
        </button>
      ) : null}
    </article>
  );
}

function QuoteList({ quotes }: { quotes: Quotes }) {
  return (
    <div className={classes.quotes}>
      {quotes.map(({ text, source }) => (
        <figure key={source + text}>
          <figcaption className="mono">{source}</figcaption>
          <blockquote>{text}</blockquote>
        </figure>
      ))}
    </div>
  );
}
