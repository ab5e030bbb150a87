import { Button, Menu, Textarea } from '@mantine/core';
import { IconClock, IconMessage, IconUser } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Interrupt, Pause } from '../../../models/contracts/interrupts.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { textOf } from '../../data/call.ts';
import {
  assignQuestion,
  commentOnQuestion,
  snoozeQuestion,
  useAssignees,
  withdrawQuestion,
} from '../../data/questionHandling.ts';
import { showFailure } from '../../data/toasts.ts';
import { count, momentOf } from '../../data/words.ts';
import { ConfirmButton } from '../ConfirmButton.tsx';
import { WorkButton } from '../WorkButton.tsx';
import classes from './QuestionHandling.module.css';

const PAUSE_LABELS: Record<Pause, string> = {
  hour: 'For an hour',
  tomorrow: 'Until the next working day',
  'next-week': 'Until next week',
};

/** Who is to answer a question, until when it is put off, and what members said about it. */
export function QuestionHandling({ interrupt }: { interrupt: Interrupt }) {
  const { id, status, assignee, snooze, comments = [], abilities } = interrupt;
  const [isWriting, setWriting] = useState(false);
  const isOpen = status === 'pending';
  if (!isOpen && comments.length === 0) return null;
  const run = (work: Promise<unknown>) =>
    work.catch((error: unknown) => showFailure('Nothing was changed', textOf(error, 'Please try again.')));
  return (
    <div className={classes.handling}>
      {isOpen && (assignee || snooze) ? (
        <p className="soft small">
          {[assignee ? `Assigned to ${assignee.name}` : null, snooze?.text].filter(Boolean).join('. ')}.
        </p>
      ) : null}
      {comments.length > 0 ? (
        <ul className={classes.comments} aria-label={count(comments.length, 'comment')}>
          {comments.map((comment) => (
            <li key={comment.id}>
              <span className="soft small">
                <strong>{comment.name}</strong> {momentOf(comment.at)}
              </span>
              <p>{comment.text}</p>
            </li>
          ))}
        </ul>
      ) : null}
      {isWriting ? (
        <WriteComment id={id} onDone={() => setWriting(false)} />
      ) : isOpen ? (
        <div className={classes.row}>
          {abilities.answer ? (
            <>
              <AssignMenu interrupt={interrupt} onAssign={(userId) => void run(assignQuestion(id, userId))} />
              <Menu position="bottom-start" withinPortal>
                <Menu.Target>
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    leftSection={<IconClock size={14} aria-hidden />}
                  >
                    {snooze ? 'Put off' : 'Put off…'}
                  </Button>
                </Menu.Target>
                <Menu.Dropdown>
                  {Object.entries(PAUSE_LABELS).map(([pause, label]) => (
                    <Menu.Item key={pause} onClick={() => void run(snoozeQuestion(id, pause as Pause))}>
                      {label}
                    </Menu.Item>
                  ))}
                  {snooze ? (
                    <Menu.Item onClick={() => void run(snoozeQuestion(id, null))}>Bring it back now</Menu.Item>
                  ) : null}
                </Menu.Dropdown>
              </Menu>
            </>
          ) : null}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconMessage size={14} aria-hidden />}
            onClick={() => setWriting(true)}
          >
            Comment
          </Button>
          {abilities.withdraw ? <WithdrawButton interrupt={interrupt} /> : null}
        </div>
      ) : null}
    </div>
  );
}

/** Ends the work that asks, after a second press that says what that means. */
function WithdrawButton({ interrupt: { id, agentName, prompt } }: { interrupt: Interrupt }) {
  const withdraw = () =>
    withdrawQuestion(id).catch((error: unknown) =>
      showFailure('The question was not withdrawn', textOf(error, 'It is still open. Please try again.')),
    );
  return (
    <ConfirmButton
      subtle
      label="Withdraw"
      of={`“${prompt}”`}
      sure="Withdraw it and end the work"
      note={`${agentName} ends this work, and nobody can answer any more. What is finished stays.`}
      onConfirm={withdraw}
    />
  );
}

function AssignMenu({
  interrupt: { id, assignee },
  onAssign,
}: {
  interrupt: Interrupt;
  onAssign: (userId: number | null) => void;
}) {
  const [opened, setOpened] = useState(false);
  const { data, error } = useAssignees(opened ? id : null);
  return (
    <Menu position="bottom-start" withinPortal opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button size="compact-xs" variant="subtle" color="gray" leftSection={<IconUser size={14} aria-hidden />}>
          {assignee ? 'Assign to somebody else…' : 'Assign…'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {error ? <Menu.Label>The members could not be loaded.</Menu.Label> : null}
        {!data && !error ? <Menu.Label>Loading …</Menu.Label> : null}
        {data?.members.map((member) => (
          <Menu.Item
            key={member.userId}
            disabled={member.userId === assignee?.userId}
            onClick={() => onAssign(member.userId)}
          >
            {member.name}
          </Menu.Item>
        ))}
        {assignee ? <Menu.Item onClick={() => onAssign(null)}>Nobody</Menu.Item> : null}
      </Menu.Dropdown>
    </Menu>
  );
}

function WriteComment({ id, onDone }: { id: number; onDone: () => void }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      await commentOnQuestion(id, text);
      onDone();
    } catch (error) {
      setFault(textOf(error, 'Your comment was not saved. It is kept here; please try again.'));
      setBusy(false);
    }
  };
  return (
    <form className={classes.write} onSubmit={submit}>
      <Textarea
        data-autofocus
        autoFocus
        aria-label="Comment"
        placeholder="What should the others know?"
        description="Everybody in your company can read it. It answers nothing."
        autosize
        minRows={2}
        maxLength={LIMITS.questionComments.characters}
        value={text}
        error={fault}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.row}>
        <WorkButton type="submit" size="xs" busy={busy} disabled={text.trim() === ''}>
          Comment
        </WorkButton>
        <Button size="xs" variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
