import { Button, TextInput } from '@mantine/core';
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react';
import {
  asksReason,
  hasChoice,
  type QuestionRow,
  type QuestionRows,
  type RowDecision,
} from '../../../models/contracts/questionRows.ts';
import { Tag } from '../Tag.tsx';
import { changedIn, type Kept, outcomeText } from './decisions.ts';
import { EditRow } from './EditRow.tsx';
import classes from './Review.module.css';

/** One row with its source, quotes, suggested grade and decision. */
export function ReviewLine({
  view,
  asked,
  row,
  choice,
  at,
  active,
  editing,
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
}: {
  view: QuestionRows;
  /** The row with the values of its chosen option. */
  asked: QuestionRow;
  /** Its decision. */
  row: RowDecision | undefined;
  choice: string | null;
  at: number;
  active: boolean;
  editing: boolean;
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
}) {
  const changed = changedIn(asked, row);
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
      tabIndex={active ? 0 : -1}
      aria-label={`${asked.name}, ${values[nameOf]}${row ? `, ${row.outcome}` : ', not decided'}`}
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
            {asked.group ? `${asked.group}, ` : ''}
            <span className="mono">{choice ?? asked.option}</span>
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
        {hasChoice(asked) && (active || !row) ? (
          <fieldset className={classes.candidates} disabled={!able}>
            <legend>Which match is right?</legend>
            {asked.options.map((option) => (
              <label key={option.id}>
                <input
                  type="radio"
                  name={`candidate-${asked.id}`}
                  checked={choice === option.id && !row?.bestMatch}
                  onChange={() => onChoose(option.id)}
                />
                <span>
                  <span className="mono">{option.id}</span> {option.title}
                  {option.note ? <span className="soft figures"> {option.note}</span> : null}
                </span>
              </label>
            ))}
          </fieldset>
        ) : null}
        {editing && able ? (
          <EditRow key={asked.option} view={view} row={asked} decided={row} onChange={onChange} onClose={onEdit} />
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
      <td className={classes.decision}>
        <Outcome row={row} />
        {isCarried && row ? <p className={classes.carried}>Kept from the previous review. Check it.</p> : null}
        {able && clash !== undefined ? (
          <fieldset className={classes.clash}>
            <legend>Decided by {clashBy ?? 'a colleague'} meanwhile</legend>
            <p>
              Theirs: <strong>{outcomeText(row)}</strong>
              <br />
              Yours: <strong>{outcomeText(clash ?? undefined)}</strong>
              {clash?.reason ? `, “${clash.reason}”` : ''}
            </p>
            <div className={classes.buttons}>
              <Button size="xs" variant="default" onClick={() => onSettle('theirs')}>
                Keep theirs
              </Button>
              <Button size="xs" variant="default" onClick={() => onSettle('mine')}>
                Use mine
              </Button>
            </div>
          </fieldset>
        ) : null}
        {able ? (
          <div className={classes.buttons}>
            <Button
              size="xs"
              variant={row && row.outcome !== 'rejected' ? 'light' : 'default'}
              leftSection={<IconCheck size={14} aria-hidden />}
              aria-pressed={Boolean(row && row.outcome !== 'rejected')}
              onClick={row && row.outcome !== 'rejected' ? onUndo : onAccept}
            >
              Accept
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPencil size={14} aria-hidden />}
              aria-expanded={editing}
              onClick={onEdit}
            >
              Edit
            </Button>
            <Button
              size="xs"
              variant="default"
              className={row?.outcome === 'rejected' ? classes.rejected : undefined}
              leftSection={<IconX size={14} aria-hidden />}
              aria-pressed={row?.outcome === 'rejected'}
              onClick={row?.outcome === 'rejected' ? onUndo : onReject}
            >
              Reject
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

function Outcome({ row }: { row: RowDecision | undefined }) {
  return <Tag tone={row ? (row.outcome === 'rejected' ? 'error' : 'done') : 'waiting'}>{outcomeText(row)}</Tag>;
}
