import { Button, TextInput } from '@mantine/core';
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react';
import { type NewHazard, PROPOSED_FIELDS, type ReviewRow } from '../../../models/contracts/clinical_safety/hazards.ts';
import { dateOf } from '../../data/words.ts';
import { Tag } from '../Tag.tsx';
import { changedFields, type Kept, outcomeText } from './decisions.ts';
import { EditProposal } from './EditProposal.tsx';
import classes from './Review.module.css';

/** One proposed hazard with its source, the tickets' words, what is suggested, and the decision about it. */
export function ReviewLine({
  proposal,
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
  proposal: NewHazard;
  row: ReviewRow | undefined;
  choice: string | null;
  at: number;
  active: boolean;
  editing: boolean;
  able: boolean;
  /** The decision comes from a review that was withdrawn for this one, and nobody has changed it here. */
  isCarried: boolean;
  /** What was decided here, where somebody else decided otherwise meanwhile; null where it was taken back here. */
  clash: Kept | null | undefined;
  clashBy: string | null;
  onSettle: (whose: 'mine' | 'theirs') => void;
  onActivate: () => void;
  onChoose: (kbId: string) => void;
  onAccept: () => void;
  onReject: () => void;
  onEdit: () => void;
  onUndo: () => void;
  onChange: (row: ReviewRow) => void;
}) {
  const changed = changedFields(proposal, row);
  const values = { ...proposal.values, ...row?.values };
  const quotes = active ? proposal.evidence : proposal.evidence.slice(0, 1);
  const details = PROPOSED_FIELDS.slice(1).filter((field) => values[field.name]);
  return (
    <tr
      data-line={at}
      data-autofocus={active || undefined}
      data-focus-home={active || undefined}
      data-active={active || undefined}
      data-outcome={row?.outcome}
      tabIndex={active ? 0 : -1}
      aria-label={`${proposal.proposedId}, ${values.name}${row ? `, ${row.outcome}` : ', not decided'}`}
      // The row opens with the keyboard's focus at once; with the mouse after the click, so that nothing moves under it.
      onFocus={(event) => {
        if (!active && event.target.matches(':focus-visible')) onActivate();
      }}
      onClick={onActivate}
    >
      <td className={classes.hazard}>
        <p className={classes.source}>
          <span className="mono">{proposal.proposedId}</span>
          <span className="soft">
            {proposal.category}, <span className="mono">{choice ?? proposal.kbId}</span>
          </span>
        </p>
        <p className={classes.name} data-changed={changed.includes('name') || undefined}>
          {values.name}
          {changed.includes('name') ? <Changed /> : null}
        </p>
        {active && !editing ? (
          <dl className={classes.details}>
            {details.map((field) => (
              <div
                key={field.name}
                data-wide={!field.name.startsWith('control') || undefined}
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
          <p className={`soft ${classes.clamped}`}>{values.description}</p>
        )}
        {!proposal.sure && proposal.candidates.length > 1 && (active || !row) ? (
          <fieldset className={classes.candidates} disabled={!able}>
            <legend>Which is it? Choose one.</legend>
            {proposal.candidates.map((candidate) => (
              <label key={candidate.kbId}>
                <input
                  type="radio"
                  name={`candidate-${proposal.id}`}
                  checked={choice === candidate.kbId && !row?.bestMatch}
                  onChange={() => onChoose(candidate.kbId)}
                />
                <span>
                  <span className="mono">{candidate.kbId}</span> {candidate.title}
                  <span className="soft figures"> {candidate.score.toFixed(2)}</span>
                </span>
              </label>
            ))}
          </fieldset>
        ) : null}
        {editing && able ? (
          <EditProposal key={proposal.kbId} proposal={proposal} row={row} onChange={onChange} onClose={onEdit} />
        ) : null}
      </td>
      <td className={classes.evidence}>
        {quotes.map((evidence) => (
          <figure key={evidence.ticketKey + evidence.quote}>
            <figcaption className="mono">{evidence.ticketKey}</figcaption>
            <blockquote className={active ? undefined : classes.clamped}>{evidence.quote}</blockquote>
          </figure>
        ))}
        {quotes.length < proposal.evidence.length ? (
          <button type="button" className={classes.more} onClick={onActivate}>
            {proposal.evidence.length - quotes.length} more
          </button>
        ) : null}
      </td>
      <td className={classes.suggested}>
        <span className={classes.risk} data-risk={Math.min(5, Math.max(1, proposal.suggested.risk))}>
          {proposal.suggested.risk}
        </span>
        <span>
          {proposal.suggested.severity}
          <br />
          {proposal.suggested.likelihood}
          <br />
          <span className="soft small">for discussion</span>
        </span>
      </td>
      <td className={classes.decision}>
        <Outcome row={row} />
        {isCarried && row ? <p className={classes.carried}>Kept from the review before. Check it.</p> : null}
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
        {able && row?.outcome === 'rejected' ? (
          <TextInput
            size="xs"
            label="Reason, if you want to give one"
            data-reason
            data-mantine-stop-propagation="true"
            maxLength={2000}
            defaultValue={row.reason ?? ''}
            onChange={(event) => {
              const reason = event.currentTarget.value;
              onChange({ id: row.id, outcome: 'rejected', ...(reason ? { reason } : {}) });
            }}
          />
        ) : null}
        {proposal.rejectedBefore ? (
          <p className="soft small">
            Rejected before, on {dateOf(proposal.rejectedBefore.at)} by {proposal.rejectedBefore.by}
            {proposal.rejectedBefore.reason ? `: ${proposal.rejectedBefore.reason}` : ''}
          </p>
        ) : null}
        {!able && row?.reason ? <p className="soft small">{row.reason}</p> : null}
      </td>
    </tr>
  );
}

function Changed() {
  return <span className={classes.changed}>changed</span>;
}

function Outcome({ row }: { row: ReviewRow | undefined }) {
  return <Tag tone={row ? (row.outcome === 'rejected' ? 'error' : 'done') : 'waiting'}>{outcomeText(row)}</Tag>;
}
