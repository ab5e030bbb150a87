import '../../styles/wholePage.ts';
import { Button, Modal } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { warningStore } from '../../data/warnings.ts';
import classes from './WarningDialog.module.css';

/** Asks whether a change that the server warned of is to be made. */
export function WarningDialog() {
  const warning = useSyncExternalStore(warningStore.subscribe, warningStore.current);
  return (
    <Modal
      opened={warning !== null}
      onClose={() => warning?.cancel()}
      title="Fewer than two people could sign"
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      <p>{warning?.text}</p>
      <div className={classes.actions}>
        <Button data-autofocus variant="default" onClick={() => warning?.cancel()}>
          Change nothing
        </Button>
        <Button color="red" onClick={() => warning?.goOn()}>
          Change it anyway
        </Button>
      </div>
    </Modal>
  );
}
