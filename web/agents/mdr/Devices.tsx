import type { Device } from '../../../models/contracts/mdr/devices.ts';
import { count, momentOf } from '../../data/words.ts';
import { filesOf, Piece, PieceFiles, Pieces } from '../../parts/agents/Pieces.tsx';
import { Tag } from '../../parts/Tag.tsx';
import classes from './Devices.module.css';

/**
 * The products with their classes, dates and newest drafts.
 * @param isWaiting whether a question of the agent waits for an answer
 */
export function Devices({ devices, isWaiting }: { devices: readonly Device[]; isWaiting: boolean }) {
  return (
    <Pieces
      label="Products"
      waiting={isWaiting ? 'The draft continues once its question is answered.' : null}
      empty={
        devices.length === 0 && !isWaiting
          ? 'No product yet. Draft the technical file, and I’ll ask for the facts once.'
          : null
      }
    >
      {devices.map((device) => (
        <OneDevice key={device.name} device={device} />
      ))}
    </Pieces>
  );
}

const FILE_LABELS = ['Checklist', 'Documentation'];

function OneDevice({ device: { name, updatedAt, classes: found, due, facts, latest, open } }: { device: Device }) {
  return (
    <Piece title={name} aside={<span className="soft">Facts of {momentOf(updatedAt)}</span>}>
      <ul className={classes.tags} aria-label="Classes, to check with your regulatory lead">
        <li>
          <Tag tone="plain">EU: {found.eu}</Tag>
        </li>
        {found.uk ? (
          <li>
            <Tag tone="plain">Great Britain: {found.uk}</Tag>
          </li>
        ) : null}
        <li>
          <Tag tone="plain">IEC 62304: {found.software}</Tag>
        </li>
        {open > 0 ? (
          <li>
            <Tag tone="waiting">{count(open, 'open fact')}</Tag>
          </li>
        ) : null}
      </ul>
      <p className="soft">Reasoned by rules from your facts. Check it with your regulatory lead and notified body.</p>
      {due.length > 0 ? (
        <ul className={classes.due}>
          {due.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : null}
      {latest ? (
        <>
          <p>
            Draft of {momentOf(latest.at)}: {latest.counts.applies} numbers of Annex I apply, {latest.counts.withGap}{' '}
            with a gap; {count(latest.counts.toWrite, 'passage')} to write.
          </p>
          <PieceFiles files={filesOf(name, latest.files, FILE_LABELS)} />
        </>
      ) : (
        <p className="soft">No draft yet.</p>
      )}
      <details className={classes.facts}>
        <summary>{count(facts.length, 'fact')}</summary>
        <dl>
          {facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </Piece>
  );
}
