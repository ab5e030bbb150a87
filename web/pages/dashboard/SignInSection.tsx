import { Button, PasswordInput } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.layer.css';
import { type FormEvent, useState } from 'react';
import { CallError, textOf } from '../../data/call.ts';
import { leave, setPassword, signOutOthers, signOutSession, useOwnSessions } from '../../data/ownSessions.ts';
import { useCompanies } from '../../data/session.ts';
import { showToast } from '../../data/toasts.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import { dateOf, momentOf } from '../../data/words.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { NotLoaded } from '../../parts/NotLoaded.tsx';
import { Tag } from '../../parts/Tag.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './DashboardPage.module.css';
import own from './PreferencesTab.module.css';

/** The person's own sign-in: their password, where they are signed in, and leaving the company. */
export function SignInSection() {
  const { data, error, mutate } = useOwnSessions();
  const { data: companies } = useCompanies();
  const [, attempt] = useAttempt();
  const company = companies?.accounts.find(({ current }) => current)?.name;
  return (
    <section className={own.members} aria-labelledby="sign-in">
      <div className={classes.sectionHead}>
        <h2 id="sign-in">Your sign-in</h2>
        <span className="soft">Your password, and the browsers in which you are signed in.</span>
      </div>
      <ChangePassword />
      {data ? (
        <div className={`card ${own.sessions}`}>
          <ul aria-label="Where you are signed in">
            {data.sessions.map((session) => (
              <li key={session.id}>
                <div>
                  {session.device ?? 'Another browser'} {session.current ? <Tag tone="done">Here</Tag> : null}
                  <p className="soft small">
                    {session.companyName} · since {dateOf(session.since)}
                    {session.current ? '' : ` · last used ${momentOf(session.lastUsed)}`}
                  </p>
                </div>
                {session.current ? null : (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Sign out ${session.device ?? 'another browser'}`}
                    onClick={() => void attempt(() => signOutSession(session.id))}
                  >
                    Sign out
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <NotLoaded failed={Boolean(error)} retry={mutate} />
      )}
      <div className={`${own.actions} ${own.below}`}>
        {data && data.sessions.length > 1 ? (
          <Button variant="default" onClick={() => void attempt(signOutOthers)}>
            Sign out everywhere else
          </Button>
        ) : null}
        {company ? (
          <ConfirmButton
            label="Leave the company"
            of={company}
            sure={`Leave ${company} now`}
            note="You can come back only with a new invitation. What you did stays in the company."
            onConfirm={() => attempt(leave)}
          />
        ) : null}
      </div>
    </section>
  );
}

function ChangePassword() {
  const [open, setOpen] = useState(false);
  const [current, setCurrent] = useState('');
  const [wanted, setWanted] = useState('');
  const [fields, setFields] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const close = () => {
    setOpen(false);
    setCurrent('');
    setWanted('');
    setFields({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFields({});
    try {
      await setPassword(current, wanted);
      close();
      showToast({ title: 'Password changed', message: 'You are signed out everywhere else.', tone: 'done' });
    } catch (error) {
      const faults = error instanceof CallError ? error.body?.fields : undefined;
      setFields(faults ?? { password: textOf(error, 'The password was not changed. Please try again.') });
    }
    setBusy(false);
  };
  if (!open) {
    return (
      <Button variant="default" onClick={() => setOpen(true)}>
        Change password
      </Button>
    );
  }
  const shown = { 'aria-label': 'Show password', tabIndex: 0 };
  return (
    <form className={own.invite} onSubmit={submit} noValidate>
      <PasswordInput
        autoFocus
        label="Current password"
        autoComplete="current-password"
        visibilityToggleButtonProps={shown}
        value={current}
        error={fields.password}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        visibilityToggleButtonProps={shown}
        value={wanted}
        error={fields.newPassword}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <WorkButton type="submit" busy={busy} disabled={current === '' || wanted === ''}>
        Change password
      </WorkButton>
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
    </form>
  );
}
