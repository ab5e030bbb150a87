import { Button, TextInput } from '@mantine/core';
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react';
import {
  asksReason,
  editsByChoice,
  hasChoice,
  hasOptions,
  type OutcomeWords,
  outcomesOf,
  type QuestionRow,
  type QuestionRows,
  ROW_OUTCOMES,
  type RowDecision,
  type RowOutcome,
  wordsOf,
} from '../../../models/contracts/questionRows.ts';
import { codeOfRow } from '../../../models/contracts/rowOptions.ts';
import { Tag } from '../Tag.tsx';
import { changedIn, type Kept, outcomeText } from './decisions.ts';
import { EditRow } from './EditRow.tsx';
import type { Typed } from './openEdits.ts';
import classes from './Review.module.css';
import { RowClash } from './RowClash.tsx';
import { RowOptions } from './RowOptions.tsx';

/** One row with its source, quotes, suggested grade and decision. */
export function ReviewLine({
  view,
  asked,
  row,
  choice,
  at,
  active,
  typed,
  able,
  isCarried,
  clash,
  clashBy,
  onSettle,
  onActivate,
  onChoose,
  onAccept,
  onReject,
  onEdit,
  onUndo,
  onChange,
  onType,
  onSave,
  onDiscard,
}: {
  view: QuestionRows;
  /** The row with the values of its chosen option. */
  asked: QuestionRow;
  /** Its decision. */
  row: RowDecision | undefined;
  choice: string | null;
  at: number;
  active: boolean;
  /** What is typed in its open fields; undefined where they are closed. */
  typed: Typed | undefined;
  able: boolean;
  /** True if the decision comes from the withdrawn previous review and is unchanged. */
  isCarried: boolean;
  /** This person's decision if a colleague decided differently; null if this person removed theirs. */
  clash: Kept | null | undefined;
  clashBy: string | null;
  onSettle: (whose: 'mine' | 'theirs') => void;
  onActivate: () => void;
  onChoose: (choice: string) => void;
  onAccept: () => void;
  onReject: () => void;
  onEdit: () => void;
  onUndo: () => void;
  onChange: (row: RowDecision) => void;
  onType: (field: string, text: string) => void;
  /** Saves what is typed in the row's fields. */
  onSave: () => void;
  onDiscard: () => void;
}) {
  const editing = typed !== undefined;
  const changed = changedIn(asked, row);
  const code = codeOfRow(asked, choice);
  const outcomes = outcomesOf(view);
  const label = (outcome: RowOutcome) => wordsOf(view, outcome).label;
  // Where choosing is the edit, the options open with it; a choice that is required stays open until it is made.
  const showsOptions =
    hasOptions(asked) && (editsByChoice(view) ? editing : active || (hasChoice(asked) && row === undefined));
  const isAccepted =
    row !== undefined && (editsByChoice(view) ? row.outcome === 'accepted' : row.outcome !== 'rejected');
  const values = { ...asked.values, ...row?.values };
  const quotes = active ? asked.quotes : asked.quotes.slice(0, 1);
  const [first, second] = view.fields;
  const nameOf = first?.name ?? '';
  const details = view.fields.slice(1).filter(({ name }) => values[name]);
  return (
    <tr
      data-line={at}
      data-autofocus={active || undefined}
      data-focus-home={active || undefined}
      data-active={active || undefined}
      data-outcome={row?.outcome}
      data-matched={editsByChoice(view) || undefined}
      tabIndex={active ? 0 : -1}
      data-mantine-stop-propagation={editing || undefined}
      aria-label={`${asked.name}, ${values[nameOf]}${row ? `, ${wordsOf(view, row.outcome).done.toLowerCase()}` : ', not decided'}`}
      // Keyboard focus opens the row at once; a mouse opens it on click, so that nothing moves under the pointer.
      onFocus={(event) => {
        if (!active && event.target.matches(':focus-visible')) onActivate();
      }}
      onClick={onActivate}
    >
      <td className={classes.asked}>
        <p className={classes.source}>
          <span className="mono">{asked.name}</span>
          <span className="soft">
            {asked.group}
            {asked.group && code ? ', ' : ''}
            <span className="mono">{code}</span>
          </span>
        </p>
        <p className={classes.name} data-changed={changed.includes(nameOf) || undefined}>
          {values[nameOf]}
          {changed.includes(nameOf) ? <Changed /> : null}
        </p>
        {active && !editing ? (
          <dl className={classes.details}>
            {details.map((field) => (
              <div
                key={field.name}
                data-wide={!field.half || undefined}
                data-changed={changed.includes(field.name) || undefined}
              >
                <dt>
                  {field.label}
                  {changed.includes(field.name) ? <Changed /> : null}
                </dt>
                <dd>{values[field.name]}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <p className={`soft ${classes.clamped}`}>{values[second?.name ?? '']}</p>
        )}
        {showsOptions ? (
          <RowOptions view={view} asked={asked} row={row} choice={choice} able={able} onChoose={onChoose} />
        ) : null}
        {typed && able && !editsByChoice(view) ? (
          <EditRow
            view={view}
            row={asked}
            decided={row}
            typed={typed}
            onType={onType}
            onSave={onSave}
            onDiscard={onDiscard}
          />
        ) : null}
      </td>
      <td className={classes.evidence}>
        {quotes.map(({ text, source }) => (
          <figure key={source + text}>
            <figcaption className="mono">{source}</figcaption>
            <blockquote className={active ? undefined : classes.clamped}>{text}</blockquote>
          </figure>
        ))}
        {quotes.length < asked.quotes.length ? (
          <button type="button" className={classes.more} onClick={onActivate}>
            {asked.quotes.length - quotes.length} more
          </button>
        ) : null}
      </td>
      {view.headings.grade === null ? null : (
        <td className={classes.suggested}>
          {asked.grade ? (
            <>
              <span className={classes.risk} data-risk={Math.min(5, Math.max(1, asked.grade.value))}>
                {asked.grade.value}
              </span>
              <span>
                {asked.grade.texts.map((text) => (
                  <span key={text}>
                    {text}
                    <br />
                  </span>
                ))}
                <span className="soft small">for discussion</span>
              </span>
            </>
          ) : null}
        </td>
      )}
      <td className={classes.decision}>
        <Outcome row={row} outcomes={outcomes} />
        {isCarried && row ? <p className={classes.carried}>Kept from the previous review. Check it.</p> : null}
        {able && clash !== undefined ? (
          <RowClash row={row} clash={clash} by={clashBy} outcomes={outcomes} onSettle={onSettle} />
        ) : null}
        {able ? (
          <div className={classes.buttons}>
            <Button
              size="xs"
              variant={isAccepted ? 'light' : 'default'}
              leftSection={<IconCheck size={14} aria-hidden />}
              aria-pressed={isAccepted}
              onClick={isAccepted && !editing ? onUndo : onAccept}
            >
              {label('accepted')}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPencil size={14} aria-hidden />}
              aria-expanded={editing}
              onClick={onEdit}
            >
              {label('edited')}
            </Button>
            <Button
              size="xs"
              variant="default"
              className={row?.outcome === 'rejected' ? classes.rejected : undefined}
              leftSection={<IconX size={14} aria-hidden />}
              aria-pressed={row?.outcome === 'rejected'}
              onClick={row?.outcome === 'rejected' ? onUndo : onReject}
            >
              {label('rejected')}
            </Button>
          </div>
        ) : null}
        {able && row && asksReason(view, row.outcome) ? (
          <TextInput
            key={row.outcome}
            size="xs"
            label={view.reasons.includes(row.outcome) ? 'Reason' : 'Reason (optional)'}
            required={view.reasons.includes(row.outcome)}
            data-reason
            aria-keyshortcuts="n"
            data-mantine-stop-propagation="true"
            maxLength={2000}
            defaultValue={row.reason ?? ''}
            onChange={(event) => {
              const reason = event.currentTarget.value;
              const { reason: _, ...decided } = row;
              onChange({ ...decided, ...(reason ? { reason } : {}) });
            }}
          />
        ) : null}
        {asked.earlier ? <p className="soft small">{asked.earlier}</p> : null}
        {!able && row?.reason ? <p className="soft small">{row.reason}</p> : null}
      </td>
    </tr>
  );
}

function Changed() {
  return <span className={classes.changed}>changed</span>;
}

function Outcome({ row, outcomes }: { row: RowDecision | undefined; outcomes: readonly OutcomeWords[] }) {
  const isRejected = row?.outcome === 'rejected' && outcomes === ROW_OUTCOMES;
  return <Tag tone={row ? (isRejected ? 'error' : 'done') : 'waiting'}>{outcomeText(row, outcomes)}</Tag>;
}
