import { Button, NativeSelect } from '@mantine/core';
import { IconChevronDown, IconMessagePlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import type { History } from '../../data/chat.ts';
import { changeThread, startThread, useThreads } from '../../data/threads.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import classes from './ThreadBar.module.css';

const ThreadsDialog = lazy(async () => ({ default: (await import('./ThreadsDialog.tsx')).ThreadsDialog }));

/** The open conversation's title, which opens the list; the agent that it is with; and a button for a new one. */
export function ThreadBar({ history, agents }: { history: History; agents: readonly UserAgent[] }) {
  const { data } = useThreads();
  const [listing, setListing] = useState(false);
  const [busy, attempt] = useAttempt();
  const title = data?.threads.find(({ id }) => id === history.conversation)?.title ?? 'Conversation';
  const chosen = agents.find(({ agentId }) => agentId === history.spokenTo);
  return (
    <div className={classes.bar}>
      <button
        type="button"
        className={classes.title}
        aria-haspopup="dialog"
        aria-label={`Conversations. Open: ${title}`}
        onClick={() => setListing(true)}
      >
        <span>{title}</span>
        <IconChevronDown size={16} aria-hidden />
      </button>
      {agents.length > 1 && chosen ? (
        <NativeSelect
          aria-label="Talking to"
          size="xs"
          className={classes.agent}
          value={String(chosen.agentId)}
          data={agents.map(({ agentId, displayName }) => ({ value: String(agentId), label: displayName }))}
          onChange={({ currentTarget: { value } }) =>
            void attempt(() => changeThread(history.conversation, { spokenTo: value as AgentId }))
          }
        />
      ) : null}
      <Button
        size="xs"
        variant="subtle"
        className={classes.start}
        aria-label="New conversation"
        leftSection={<IconMessagePlus size={16} aria-hidden />}
        disabled={busy}
        onClick={() => void attempt(startThread)}
      >
        New conversation
      </Button>
      {listing ? (
        <Suspense fallback={null}>
          <ThreadsDialog onClose={() => setListing(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
