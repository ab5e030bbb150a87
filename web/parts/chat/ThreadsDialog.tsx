import { Button, Modal, TextInput } from '@mantine/core';
import { IconPencil, IconSearch, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useDeferredValue, useState } from 'react';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { Thread } from '../../../models/contracts/threads.ts';
import { changeThread, deleteThread, openThread, useThreads } from '../../data/threads.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import { momentOf } from '../../data/words.ts';
import { Notice } from '../Notice.tsx';
import { Skeleton } from '../Skeleton.tsx';
import { Tag } from '../Tag.tsx';
import classes from './ThreadBar.module.css';

/** The person's conversations: search, open, rename, delete. */
export function ThreadsDialog({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('');
  const words = useDeferredValue(search.trim());
  const { data, error, mutate } = useThreads(words);
  return (
    <Modal opened onClose={onClose} title="Conversations" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <TextInput
        aria-label="Search conversations"
        mt={4}
        placeholder="Search titles and messages"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        maxLength={200}
        data-autofocus
        onChange={({ currentTarget: { value } }) => setSearch(value)}
      />
      {error && !data ? (
        <Notice
          tone="error"
          title="The conversations could not be loaded"
          text="Nothing is lost. Check your connection and try again."
          action={<Button onClick={() => void mutate()}>Try again</Button>}
        />
      ) : !data ? (
        <div className={classes.loading}>
          <Skeleton lines={4} height={18} />
        </div>
      ) : data.threads.length === 0 ? (
        <p className={classes.none}>No conversation contains “{words}”.</p>
      ) : (
        <ul className={classes.threads} aria-label="Conversations">
          {data.threads.map((thread) => (
            <ThreadRow key={thread.id} thread={thread} onOpened={onClose} />
          ))}
        </ul>
      )}
    </Modal>
  );
}

const STATES = { working: 'Working', waiting: 'Waiting for you', quiet: null } as const;

/** One conversation: opens on a click; its name can be changed in place, and deleting asks once more. */
function ThreadRow({ thread, onOpened }: { thread: Thread; onOpened: () => void }) {
  const [mode, setMode] = useState<'shown' | 'naming' | 'deleting'>('shown');
  const [name, setName] = useState(thread.title);
  const [busy, attempt] = useAttempt();
  const state = STATES[thread.state];

  if (mode === 'naming') {
    const rename = (event: FormEvent) => {
      event.preventDefault();
      void attempt(async () => {
        await changeThread(thread.id, { title: name });
        setMode('shown');
      });
    };
    return (
      <li className={classes.thread}>
        <form className={classes.naming} onSubmit={rename}>
          <TextInput
            aria-label="Name of the conversation"
            value={name}
            maxLength={LIMITS.threads.title}
            autoFocus
            onChange={({ currentTarget: { value } }) => setName(value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              setMode('shown');
            }}
          />
          <Button type="submit" size="xs" disabled={busy || !name.trim()}>
            Save
          </Button>
          <Button size="xs" variant="default" onClick={() => setMode('shown')}>
            Cancel
          </Button>
        </form>
      </li>
    );
  }
  if (mode === 'deleting') {
    return (
      <li className={classes.thread}>
        <div className={classes.deleting} role="alert">
          <p>Delete the messages of “{thread.title}”? This can’t be undone. Its files and analyses stay.</p>
          <Button size="xs" color="red" disabled={busy} onClick={() => void attempt(() => deleteThread(thread.id))}>
            Delete
          </Button>
          <Button size="xs" variant="default" autoFocus onClick={() => setMode('shown')}>
            Keep
          </Button>
        </div>
      </li>
    );
  }
  return (
    <li className={classes.thread} data-open={thread.isOpen || undefined}>
      <button
        type="button"
        className={classes.open}
        aria-current={thread.isOpen || undefined}
        disabled={busy}
        onClick={() =>
          void attempt(async () => {
            if (!thread.isOpen) await openThread(thread.id);
            onOpened();
          })
        }
      >
        <span className={classes.name}>{thread.title}</span>
        <span className="soft">{thread.lastMessageAt ? momentOf(thread.lastMessageAt) : 'No messages yet'}</span>
      </button>
      {state ? <Tag tone={thread.state === 'waiting' ? 'waiting' : 'plain'}>{state}</Tag> : null}
      <button
        type="button"
        className={classes.icon}
        aria-label={`Rename “${thread.title}”`}
        onClick={() => {
          setName(thread.title);
          setMode('naming');
        }}
      >
        <IconPencil size={16} aria-hidden />
      </button>
      <button
        type="button"
        className={classes.icon}
        aria-label={`Delete “${thread.title}”`}
        onClick={() => setMode('deleting')}
      >
        <IconTrash size={16} aria-hidden />
      </button>
    </li>
  );
}
