import { Button } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ChatMessage } from '../../../models/contracts/chat.ts';
import { earlierMessages, type History } from '../../data/chat.ts';
import { showFailure } from '../../data/toasts.ts';
import { bringListIntoView } from './bringListIntoView.ts';
import classes from './ChatWindow.module.css';
import { Message } from './Message.tsx';
import type { MessageContext } from './messageContext.ts';
import { onOwnMessage } from './ownMessage.ts';
import { ProgressCard } from './ProgressCard.tsx';
import { ThinkingLine } from './ThinkingLine.tsx';
import { useCovered } from './useCovered.ts';

/** Distance from the end that still counts as the end (docs/spec-coverage.md, S1 section 9). */
const SCROLL_TOLERANCE_PX = 10;

/**
 * The messages, oldest first, scrolled to the end unless the reader has scrolled up.
 * @param foot what sticks to the end of a low screen, and may lie over the last messages
 */
export function MessageList({
  history,
  foot,
  ...shared
}: { history: History; foot: RefObject<HTMLElement | null> } & Omit<
  MessageContext,
  'onExpand' | 'newest' | 'askedBefore'
>) {
  const list = useRef<HTMLElement>(null);
  const atEnd = useRef(true);
  const seen = useRef({ top: 0, height: 0, frame: 0 });
  const [below, setBelow] = useState(false);
  const [earlier, setEarlier] = useState<{ messages: ChatMessage[]; hasMore: boolean } | null>(null);

  const look = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) => {
    seen.current = { top: scrollTop, height: scrollHeight, frame: clientHeight };
  };
  const toEnd = () => {
    const element = list.current;
    if (element) {
      element.scrollTop = element.scrollHeight;
      look(element);
    }
    atEnd.current = true;
    setBelow(false);
  };
  useCovered(list, foot, (element) => {
    if (atEnd.current) toEnd();
    else look(element);
  });
  const newest = history.messages[0]?.id;
  const progress = history.working.map((run) => run.runId).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message or a new piece of work moves the list
  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
    else setBelow(true);
  }, [newest, progress]);
  // Controls below the list appear and disappear, which changes its height. Scrolling to the end here comes before the
  // browser's scroll event, which would look like a move of the reader.
  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is in it may grow (pictures, opened evidence)
  useEffect(() => {
    const [frame, element] = [list.current, list.current?.firstElementChild];
    if (!frame || !element) return;
    const watch = new ResizeObserver(() => {
      if (atEnd.current) toEnd();
      else look(frame);
    });
    watch.observe(element);
    watch.observe(frame);
    return () => watch.disconnect();
  }, []);
  useEffect(
    () =>
      onOwnMessage(() => {
        atEnd.current = true;
        bringListIntoView(list.current, foot.current);
      }),
    [foot],
  );

  const older = earlier?.messages ?? [];
  const known = new Set(history.messages.map((message) => message.id));
  const all = [...history.messages, ...older.filter((message) => !known.has(message.id))].reverse();
  const context: MessageContext = {
    ...shared,
    newest: history.messages[0]?.id,
    askedBefore: pairAnswers(all),
    onExpand: () => {
      atEnd.current = false;
    },
  };
  const hasMore = earlier ? earlier.hasMore : history.hasMore;
  const readEarlier = async () => {
    const first = all[0];
    if (!first) return;
    try {
      const page = await earlierMessages(history.conversation, first.id);
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
        const { top, height, frame } = seen.current;
        // Counts as the reader's only if it moves up while no height changed: other moves come from the layout.
        if (scrollHeight - scrollTop - clientHeight <= SCROLL_TOLERANCE_PX) {
          atEnd.current = true;
          setBelow(false);
        } else if (scrollTop < top - 1 && scrollHeight === height && clientHeight === frame) atEnd.current = false;
        look(event.currentTarget);
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
              <li key={run.runId}>{run.title === '' ? <ThinkingLine run={run} /> : <ProgressCard run={run} />}</li>
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

/** The person's last message before each answer, by the answer's id. @param messages oldest first */
function pairAnswers(messages: readonly ChatMessage[]): Map<string, string> {
  const pairs = new Map<string, string>();
  let asked: string | undefined;
  for (const { id, messageType, message } of messages) {
    if (messageType === 'user') asked = message;
    else if (asked !== undefined) pairs.set(id, asked);
  }
  return pairs;
}
