import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import type { Preferences } from '../../../models/contracts/preferences.ts';
import { textOf } from '../../data/call.ts';
import { changePreferences } from '../../data/preferences.ts';
import { useSession } from '../../data/session.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { Callout } from '../../parts/Notice.tsx';
import own from './PreferencesTab.module.css';

const CHOICES: { value: Preferences['questionMail']; label: string }[] = [
  { value: 'at-once', label: 'A mail for each question' },
  { value: 'hourly', label: 'Once an hour: new questions' },
  { value: 'daily', label: 'Every day at 09:00: all open questions' },
  { value: 'never', label: 'Never' },
];

/** Chooses when a person gets mails about open questions, and says why none are sent. */
export function QuestionMail({
  user,
  chosen,
  refused,
  onChoose,
}: {
  user: SessionUser;
  chosen: Preferences['questionMail'];
  refused: boolean;
  onChoose: (chosen: Preferences['questionMail']) => void;
}) {
  const { recipients } = useSession();
  const [busy, setBusy] = useState(false);
  const canMail = recipients?.some(({ kind }) => kind === 'mail') ?? true;
  const tryAgain = async () => {
    setBusy(true);
    try {
      await changePreferences({ questionMail: chosen });
      showToast({ title: 'Mails will be sent again', message: user.email, tone: 'done' });
    } catch (error) {
      showFailure('Mails are still stopped', textOf(error, 'Please try again.'));
    }
    setBusy(false);
  };
  return (
    <>
      <NativeSelect
        label="Mails about questions that wait for you"
        description={
          !canMail
            ? 'This server has no mail set up, so none are sent; its log notes each one.'
            : user.emailVerified
              ? 'They never include the question’s content. Unless you choose Never, you also get reminders.'
              : 'Your email is not verified, so no mails are sent.'
        }
        value={chosen}
        data={CHOICES}
        onChange={(event) => onChoose(event.currentTarget.value as Preferences['questionMail'])}
      />
      {refused ? (
        <div className={own.wide}>
          <Callout
            tone="waiting"
            title="Mails are stopped"
            action={
              <Button size="xs" variant="default" disabled={busy} onClick={() => void tryAgain()}>
                Send them again
              </Button>
            }
          >
            The mail server refused {user.email}. Codes and invitations are still sent.
          </Callout>
        </div>
      ) : null}
    </>
  );
}
