import { Button, Modal } from '@mantine/core';
import type { ConnectorCard } from '../../../models/contracts/connectorCard.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import classes from './Connect.module.css';

/** Says what connecting a tool means, before the browser leaves for its provider. */
export function ConnectDialog({
  card,
  onConnect,
  onCancel,
}: {
  /** Null closes the dialog. */
  card: ConnectorCard | null;
  onConnect: () => void;
  onCancel: () => void;
}) {
  const { name, consent } = card ?? { name: '', consent: undefined };
  return (
    <Modal
      opened={card !== null}
      onClose={onCancel}
      title={`Connect ${name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <dl className={classes.facts}>
        <dt>Arc will read</dt>
        <dd>{consent?.reads ?? `what you allow on the page of ${name}.`}</dd>
        <dt>Arc will write</dt>
        <dd>{consent?.writes ?? 'nothing.'}</dd>
        <dt>It stays in</dt>
        <dd>{consent?.stays ?? name}</dd>
        <dt>Visible to</dt>
        <dd>
          everybody in your company who uses Arc:{' '}
          {card?.place?.documentation
            ? `they can open and search what is read, whatever ${name} lets them see.`
            : 'they see what agents make of it.'}{' '}
          {name} itself asks you next, with your own account there.
        </dd>
      </dl>
      <p className="soft small">
        You can disconnect at any time. Arc then gives up its access and deletes what it has read. Files that analyses
        rest on stay for {LIMITS.retentionDays} days, as uploads do.
      </p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button data-autofocus onClick={onConnect}>
          Connect
        </Button>
      </div>
    </Modal>
  );
}
