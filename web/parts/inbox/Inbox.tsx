import { Button, Tabs } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { Notice } from '../Notice.tsx';
import { Skeleton } from '../Skeleton.tsx';
import classes from './Inbox.module.css';
import { Question } from './Question.tsx';

/** Pending and resolved questions, three per page. */
export function Inbox({
  interrupts,
  error,
  nobody,
  onRetry,
  onReview,
  onAnswered,
}: {
  interrupts: readonly Interrupt[] | undefined;
  error: Error | undefined;
  /** True if no agent is hired. */
  nobody: boolean;
  onRetry: () => void;
  onReview: (interruptId: number) => void;
  onAnswered: () => void;
}) {
  const [tab, setTab] = useState<'pending' | 'resolved'>('pending');
  const [page, setPage] = useState(1);
  if (nobody) {
    return (
      <Notice
        level={3}
        icon={<IconInbox size={20} />}
        title="Nobody can ask yet"
        text="Your agents’ questions appear here. Hire one to begin."
        action={
          <Button component={Link} to="/#team" variant="default">
            Choose your team
          </Button>
        }
      />
    );
  }
  if (error && !interrupts) {
    return (
      <Notice
        level={3}
        tone="error"
        title="The inbox could not be loaded"
        text="Your questions are safe on the server. Check your connection and try again."
        action={<Button onClick={onRetry}>Try again</Button>}
      />
    );
  }
  if (!interrupts) return <Skeleton lines={5} />;

  const pending = interrupts.filter((it) => it.status === 'pending');
  const resolved = interrupts.filter((it) => it.status !== 'pending');
  const list = tab === 'pending' ? pending : resolved;
  const pages = Math.max(1, Math.ceil(list.length / LIMITS.inboxPageSize));
  const at = Math.min(page, pages);
  const shown = list.slice((at - 1) * LIMITS.inboxPageSize, at * LIMITS.inboxPageSize);
  return (
    <Tabs
      value={tab}
      onChange={(value) => {
        setTab(value === 'resolved' ? 'resolved' : 'pending');
        setPage(1);
      }}
    >
      <Tabs.List>
        <Tabs.Tab value="pending">Pending{pending.length > 0 ? ` (${pending.length})` : ''}</Tabs.Tab>
        <Tabs.Tab value="resolved">Resolved{resolved.length > 0 ? ` (${resolved.length})` : ''}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={tab}>
        {shown.length === 0 ? (
          <Notice
            level={3}
            icon={<IconInbox size={20} />}
            title={tab === 'pending' ? 'Nothing waits for you' : 'Nothing answered yet'}
            text={
              tab === 'pending'
                ? 'When an agent needs a decision, it asks here, in the chat and on your other channels.'
                : 'Answers stay here, with who gave them, where and when.'
            }
          />
        ) : (
          <ul className={classes.list}>
            {shown.map((interrupt) => (
              <li key={interrupt.id}>
                <Question interrupt={interrupt} onReview={onReview} onAnswered={onAnswered} />
              </li>
            ))}
          </ul>
        )}
        {pages > 1 ? (
          <nav className={classes.pages} aria-label="Inbox pages">
            <Button size="xs" variant="default" disabled={at === 1} onClick={() => setPage(at - 1)}>
              Previous
            </Button>
            <span className="soft figures">
              Page {at} of {pages}
            </span>
            <Button size="xs" variant="default" disabled={at === pages} onClick={() => setPage(at + 1)}>
              Next
            </Button>
          </nav>
        ) : null}
      </Tabs.Panel>
    </Tabs>
  );
}
