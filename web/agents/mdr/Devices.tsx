import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import type { Device } from '../../../models/contracts/mdr/devices.ts';
import { download } from '../../data/call.ts';
import { showDownloadFailure } from '../../data/chat.ts';
import { count, momentOf } from '../../data/words.ts';
import { Tag } from '../../parts/Tag.tsx';
import classes from './Devices.module.css';

/**
 * The products with their classes, dates and newest drafts.
 * @param isWaiting whether a question of the agent waits for an answer
 */
export function Devices({ devices, isWaiting }: { devices: readonly Device[]; isWaiting: boolean }) {
  return (
    <section className={classes.devices} aria-label="Products">
      {isWaiting ? (
        <p className="soft">
          The draft continues once its question is answered. <Link to="/agent-inbox">Answer it in the inbox</Link>
        </p>
      ) : null}
      {devices.length === 0 && !isWaiting ? (
        <p className="soft">No product yet. Draft the technical file, and I’ll ask for the facts once.</p>
      ) : null}
      {devices.map((device) => (
        <OneDevice key={device.name} device={device} />
      ))}
    </section>
  );
}

const FILE_LABELS = ['Checklist', 'Documentation'];

function OneDevice({ device: { name, updatedAt, classes: found, due, facts, latest, open } }: { device: Device }) {
  const save = ({ url, name: file }: { url: string; name: string }) => {
    download(url, file).catch(showDownloadFailure);
  };
  return (
    <article className={classes.device} aria-label={name}>
      <div className={classes.head}>
        <h3>{name}</h3>
        <span className="soft">Facts of {momentOf(updatedAt)}</span>
      </div>
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
          <div className={classes.files}>
            {latest.files.map((file, at) => (
              <Button
                key={file.name}
                size="xs"
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
                aria-label={`${FILE_LABELS[at] ?? file.name} of ${name}`}
                onClick={() => save(file)}
              >
                {FILE_LABELS[at] ?? file.name}
              </Button>
            ))}
          </div>
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
    </article>
  );
}
