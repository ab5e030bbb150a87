import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { count } from '../../data/words.ts';
import classes from './Review.module.css';

/** Shows how many decisions are unsent, where they are kept, and that Arc retries; with none, that it is offline. */
export function UnsentBar({
  unsent,
  isOffline,
  isOnDevice = true,
  onRetry,
}: {
  unsent: number;
  isOffline: boolean;
  isOnDevice?: boolean;
  onRetry: () => void;
}) {
  if (unsent === 0)
    return (
      <div className={classes.unsent} role="status">
        <IconCloudOff size={20} stroke={1.7} aria-hidden />
        <p>
          <strong>You’re offline.</strong>{' '}
          <span className={classes.wide}>
            Decisions in a review are kept on this device and sent when the connection is back.
          </span>
        </p>
      </div>
    );
  const they = unsent === 1 ? 'It is' : 'They are';
  return (
    <div className={classes.unsent} role="status">
      <IconCloudOff size={20} stroke={1.7} aria-hidden />
      <p>
        <strong>{count(unsent, 'decision')} not sent yet.</strong>{' '}
        <span className={isOnDevice ? classes.wide : undefined}>
          {isOnDevice ? `${they} kept on this device` : `${they} kept only while this page is open, so do not close it`}
          {isOffline ? ' and sent when the connection is back.' : '. The server couldn’t save. Arc will try again.'}
        </span>
      </p>
      <Button size="xs" variant="default" onClick={onRetry}>
        Send now
      </Button>
    </div>
  );
}
