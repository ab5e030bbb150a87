import { Button } from '@mantine/core';
import { textOf } from '../../data/call.ts';
import { send } from '../../data/chat.ts';
import { showFailure } from '../../data/toasts.ts';
import { ownMessageSent } from './ownMessage.ts';

/** A button that sends a message for the person who presses it. */
export function SayButton({ label, words, primary }: { label: string; words: string; primary: boolean }) {
  const say = () => {
    ownMessageSent();
    send(words).catch((error: unknown) => {
      showFailure('Message not sent', textOf(error, 'Failed to send message. Please try again.'));
    });
  };
  return (
    <Button size="xs" variant={primary ? 'filled' : 'default'} onClick={say}>
      {label}
    </Button>
  );
}
