import { Button, Textarea } from '@mantine/core';
import { IconCheck, IconCopy, IconRefresh, IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { giveFeedback, send } from '../../data/chat.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import classes from './MessageActions.module.css';
import { ownMessageSent } from './ownMessage.ts';

/**
 * What can be done with an agent's answer: copy it, say whether it helped and why not, ask the same again.
 * @param asked the message that it answers; null where it can't be asked again
 */
export function MessageActions({ message, asked }: { message: ChatMessage; asked: string | null }) {
  const [copied, setCopied] = useState(false);
  const [explaining, setExplaining] = useState(false);
  const [busy, attempt] = useAttempt();
  const value = message.feedback?.value;

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(message.message);
      setCopied(true);
    } catch {
      showFailure('Not copied', 'Your browser does not allow it here. Select the text and copy it.');
    }
  };
  const judge = (given: 'good' | 'bad') =>
    attempt(async () => {
      await giveFeedback(message.id, value === given ? null : { value: given, reason: '' });
      setExplaining(given === 'bad' && value !== 'bad');
    });
  return (
    <>
      <div className={classes.actions}>
        <button type="button" aria-label={copied ? 'Copied' : 'Copy the answer'} onClick={copy}>
          {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </button>
        <button
          type="button"
          aria-label="This helped"
          aria-pressed={value === 'good'}
          disabled={busy}
          onClick={() => void judge('good')}
        >
          <IconThumbUp size={16} aria-hidden />
        </button>
        <button
          type="button"
          aria-label="This did not help"
          aria-pressed={value === 'bad'}
          disabled={busy}
          onClick={() => void judge('bad')}
        >
          <IconThumbDown size={16} aria-hidden />
        </button>
        {asked ? (
          <button
            type="button"
            aria-label="Ask the same again"
            disabled={busy}
            onClick={() =>
              void attempt(() => {
                ownMessageSent();
                return send(asked);
              })
            }
          >
            <IconRefresh size={16} aria-hidden />
          </button>
        ) : null}
      </div>
      {explaining ? <Reason message={message} onDone={() => setExplaining(false)} /> : null}
    </>
  );
}

/** Asks what was wrong with an answer. The thumb counts without it. */
function Reason({ message, onDone }: { message: ChatMessage; onDone: () => void }) {
  const [reason, setReason] = useState('');
  const [busy, attempt] = useAttempt();
  const save = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      await giveFeedback(message.id, { value: 'bad', reason: reason.trim() });
      showToast({ title: 'Thank you', message: 'Your reason is kept with the answer.', tone: 'done' });
      onDone();
    });
  };
  return (
    <form className={classes.reason} onSubmit={save}>
      <Textarea
        label="What was wrong? (optional)"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={LIMITS.feedbackReason}
        value={reason}
        autoFocus
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
      <div className={classes.buttons}>
        <Button type="submit" size="xs" disabled={busy || !reason.trim()}>
          Send
        </Button>
        <Button size="xs" variant="subtle" onClick={onDone}>
          Skip
        </Button>
      </div>
    </form>
  );
}
