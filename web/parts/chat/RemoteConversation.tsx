import { Button } from '@mantine/core';
import { IconMessageOff } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { calledInSentence } from '../../../models/contracts/channels.ts';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import { codeOf } from '../../data/call.ts';
import { useConversation } from '../../data/chat.ts';
import { REMOTE_NAMES } from '../../data/words.ts';
import { Callout, Notice } from '../Notice.tsx';
import { Skeleton } from '../Skeleton.tsx';
import classes from './ChatWindow.module.css';
import { Message } from './Message.tsx';

const ID = /^[0-9a-f]{24}$/i;
const nothing = () => undefined;
const reading = {
  interrupts: [],
  agents: [],
  onReview: nothing,
  onUpload: nothing,
  onSample: nothing,
  newest: undefined,
  askedBefore: null,
  onExpand: nothing,
};

/** The message with only its card's figures, because card buttons act on the person's own chat. */
const withoutButtons = (message: ChatMessage): ChatMessage => ({
  ...message,
  card: message.card?.figures ? { headline: message.card.headline, figures: message.card.figures } : null,
});

/** A read-only view of a conversation in a remote channel, for content that may not leave Arc. */
export function RemoteConversation({ id }: { id: string }) {
  return ID.test(id) ? <Conversation id={id} /> : <Unknown />;
}

function Conversation({ id }: { id: string }) {
  const { data, error, mutate } = useConversation(id);
  if (!data && codeOf(error) === 'not_found') return <Unknown />;
  if (!data && error) {
    return (
      <Notice
        tone="error"
        title="The conversation could not be loaded"
        text="Nothing is lost. Check your connection and try again."
        action={<Button onClick={() => void mutate()}>Try again</Button>}
      />
    );
  }
  if (!data) return <Skeleton lines={6} height={18} />;
  const name = calledInSentence(data.channel);
  return (
    <section className="card" aria-label={`Conversation in ${name}`} style={{ padding: 16 }}>
      <Callout tone="waiting" title={`From ${name}. Answer there.`}>
        {data.hasMore ? `The newest ${data.count} messages, read-only. ` : 'The whole conversation, read-only. '}
        <Link to="/arc-chat">Open your own chat</Link>
      </Callout>
      <ol className={classes.messages} style={{ marginTop: 16 }}>
        {[...data.messages].reverse().map((message) => (
          <Message key={message.id} message={withoutButtons(message)} {...reading} />
        ))}
      </ol>
    </section>
  );
}

function Unknown() {
  return (
    <Notice
      icon={<IconMessageOff size={20} />}
      title="This conversation can’t be shown"
      text={`Only people who spoke in it can read it here. If you did, look it up in ${REMOTE_NAMES.either}.`}
      action={
        <Button component={Link} to="/arc-chat">
          Open your own chat
        </Button>
      }
    />
  );
}
