import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import { earlierMessages, type History } from '../../data/chat.ts';
import { showFailure } from '../../data/toasts.ts';
import classes from './ChatWindow.module.css';
import { Message } from './Message.tsx';
import type { MessageContext } from './messageContext.ts';
import { onOwnMessage } from './ownMessage.ts';
import { ProgressCard } from './ProgressCard.tsx';

const TOLERANCE = 10;

/** The conversation, oldest first, kept at its end unless the reader has scrolled up. */
export function MessageList({
  history,
  ...shared
}: { history: History } & Omit<MessageContext, 'onExpand' | 'newest'>) {
  const list = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  const lastTop = useRef(0);
  const [below, setBelow] = useState(false);
  const [earlier, setEarlier] = useState<{ messages: ChatMessage[]; hasMore: boolean } | null>(null);

  const context: MessageContext = {
    ...shared,
    newest: history.messages[0]?.id,
    onExpand: () => {
      atEnd.current = false;
    },
  };
  const toEnd = () => {
    const element = list.current;
    if (element) element.scrollTop = element.scrollHeight;
    atEnd.current = true;
    setBelow(false);
  };
  const newest = history.messages[0]?.id;
  const progress = history.working.map((run) => run.runId).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message or a new piece of work moves the list
  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
    else setBelow(true);
  }, [newest, progress]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in it may grow (pictures, opened evidence)
  useEffect(() => {
    const [frame, element] = [list.current, list.current?.firstElementChild];
    if (!frame || !element) return;
    const watch = new ResizeObserver(() => {
      if (atEnd.current) toEnd();
    });
    watch.observe(element);
    watch.observe(frame);
    return () => watch.disconnect();
  }, []);
  useEffect(
    () =>
      onOwnMessage(() => {
        atEnd.current = true;
      }),
    [],
  );

  const older = earlier?.messages ?? [];
  const known = new Set(history.messages.map((message) => message.id));
  const all = [...history.messages, ...older.filter((message) => !known.has(message.id))].reverse();
  const hasMore = earlier ? earlier.hasMore : history.hasMore;
  const readEarlier = async () => {
    const first = all[0];
    if (!first) return;
    try {
      const page = await earlierMessages(first.id);
      setEarlier({ messages: [...older, ...page.messages], hasMore: page.hasMore });
    } catch {
      showFailure('Earlier messages could not be loaded', 'Please try again.');
    }
  };

  return (
    <section
      ref={list}
      className={classes.list}
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
        // Only a move upwards is the reader's: what is added below moves nothing.
        if (scrollHeight - scrollTop - clientHeight <= TOLERANCE) {
          atEnd.current = true;
          setBelow(false);
        } else if (scrollTop < lastTop.current - 1) atEnd.current = false;
        lastTop.current = scrollTop;
      }}
    >
      <div>
        {hasMore ? (
          <div className={classes.earlier}>
            <Button variant="subtle" size="xs" onClick={readEarlier}>
              Earlier messages
            </Button>
          </div>
        ) : null}
        <ol className={classes.messages} aria-live="polite" aria-relevant="additions">
          {all.map((message) => (
            <Message key={message.clientId ?? message.id} message={message} {...context} />
          ))}
          {history.working
            .filter((run) => run.status === 'working')
            .map((run) => (
              <li key={run.runId}>
                <ProgressCard run={run} />
              </li>
            ))}
        </ol>
      </div>
      {below ? (
        <div className={classes.toBottom}>
          <Button size="xs" leftSection={<IconArrowDown size={14} aria-hidden />} onClick={toEnd}>
            New messages
          </Button>
        </div>
      ) : null}
    </section>
  );
}
