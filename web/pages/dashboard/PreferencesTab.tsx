import '../../styles/wholePage.ts';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { calledInSentence, REMOTE_CHANNELS } from '../../../models/contracts/channels.ts';
import type { Preferences, PreferencesChange } from '../../../models/contracts/preferences.ts';
import { CallError, textOf } from '../../data/call.ts';
import { useDraft } from '../../data/drafts.ts';
import { changePreferences, changesOf, useMembers, usePreferences } from '../../data/preferences.ts';
import { showToast } from '../../data/toasts.ts';
import { Callout, Notice } from '../../parts/Notice.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Tag } from '../../parts/Tag.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import { CompanyTimes } from './CompanyTimes.tsx';
import classes from './DashboardPage.module.css';
import { MembersSection } from './MembersSection.tsx';
import { OfficerSettings } from './OfficerSettings.tsx';
import own from './PreferencesTab.module.css';
import { QuestionMail } from './QuestionMail.tsx';

/** Sections that few people open: loaded after the rest. */
const SignInSection = lazy(async () => ({ default: (await import('./SignInSection.tsx')).SignInSection }));
const AccessTokensSection = lazy(async () => ({
  default: (await import('./AccessTokensSection.tsx')).AccessTokensSection,
}));
const ToolServersSection = lazy(async () => ({
  default: (await import('./ToolServersSection.tsx')).ToolServersSection,
}));
const CompanyDataSection = lazy(async () => ({
  default: (await import('./CompanyDataSection.tsx')).CompanyDataSection,
}));

const consents = [
  { value: 'reference-only', label: 'Counts, ids and a link only' },
  { value: 'redacted', label: 'Text without people’s names and numbers' },
  { value: 'full', label: 'Full text' },
];

const areEdits = (kept: unknown): kept is PreferencesChange => typeof kept === 'object' && kept !== null;

/**
 * The person, company settings with time zone and consents, the Clinical Safety Officer, and the members. As a step of
 * the onboarding it is short: names and time zone, saved by Continue; the rest comes with the step behind it.
 */
export function PreferencesTab({ user, onContinue }: { user: SessionUser; onContinue: (() => void) | null }) {
  const preferences = usePreferences();
  const owner = user.roles.includes('owner');
  return (
    <section>
      {preferences.error && !preferences.data ? (
        <Notice
          tone="error"
          title="Your preferences could not be loaded"
          text="Nothing is lost. Check your connection and try again."
          action={<Button onClick={() => void preferences.mutate()}>Try again</Button>}
        />
      ) : !preferences.data ? (
        <Skeleton lines={6} height={18} />
      ) : (
        <>
          <PreferencesForm user={user} preferences={preferences.data} owner={owner} onContinue={onContinue} />
          {onContinue ? null : (
            <>
              <MembersSection owner={owner} />
              <Suspense fallback={null}>
                <SignInSection />
              </Suspense>
              {owner ? (
                <Suspense fallback={null}>
                  <AccessTokensSection />
                </Suspense>
              ) : null}
              {owner ? (
                <Suspense fallback={null}>
                  <ToolServersSection />
                </Suspense>
              ) : null}
              {owner ? (
                <Suspense fallback={null}>
                  <CompanyDataSection />
                </Suspense>
              ) : null}
            </>
          )}
        </>
      )}
      {onContinue && !preferences.data ? (
        <div className={classes.continue}>
          <span className="soft">Next: choose your team.</span>
          <Button onClick={onContinue}>Continue to your team</Button>
        </div>
      ) : null}
    </section>
  );
}

function PreferencesForm({
  user,
  preferences,
  owner,
  onContinue,
}: {
  user: SessionUser;
  preferences: Preferences;
  owner: boolean;
  /** Goes to the next step of the onboarding; null outside it. */
  onContinue: (() => void) | null;
}) {
  // Only edited fields are kept and sent, so that a colleague's changes in the meantime are shown and not overwritten.
  const [edits, setEdits] = useDraft('preferences', (): PreferencesChange => ({}), areEdits);
  const channelConsent = { ...preferences.channelConsent, ...edits.channelConsent };
  const values = { ...preferences, ...edits, channelConsent };
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<{ text: string; fields: Record<string, string> } | null>(null);
  const { data: members } = useMembers();
  const change = changesOf(preferences, edits);
  const changed = Object.keys(change).length > 0;
  const put = (edit: PreferencesChange) => setEdits((before) => ({ ...before, ...edit }));

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (onContinue && !changed) return onContinue();
    setBusy(true);
    setFault(null);
    try {
      if (await changePreferences(change)) {
        setEdits({});
        if (onContinue) onContinue();
        else showToast({ title: 'Preferences saved', tone: 'done' });
      }
    } catch (error) {
      setFault({
        text: textOf(error, 'What you entered is kept. Please try again.'),
        fields: error instanceof CallError ? (error.body?.fields ?? {}) : {},
      });
    }
    setBusy(false);
  };
  const field = (name: string) => fault?.fields[name];

  return (
    <form className={own.form} onSubmit={submit} noValidate>
      {fault ? (
        <Callout tone="error" title="The preferences were not saved">
          {fault.text}
        </Callout>
      ) : null}
      <fieldset className={`card ${own.group}`}>
        <legend>You</legend>
        <TextInput
          label="First name"
          value={values.firstName ?? ''}
          error={field('firstName')}
          onChange={(event) => put({ firstName: event.currentTarget.value || null })}
        />
        <TextInput
          label="Last name"
          value={values.lastName ?? ''}
          error={field('lastName')}
          onChange={(event) => put({ lastName: event.currentTarget.value || null })}
        />
        <p className={own.wide}>
          <span className="soft">Email </span>
          {user.email} {user.emailVerified ? <Tag tone="done">Verified</Tag> : <Tag>Not verified</Tag>}
        </p>
        {onContinue ? null : (
          <QuestionMail
            user={user}
            chosen={values.questionMail}
            refused={values.mailRefused}
            onChoose={(questionMail) => put({ questionMail })}
          />
        )}
      </fieldset>
      <fieldset className={`card ${own.group}`} disabled={!owner}>
        <legend>Company</legend>
        <TextInput
          label="Name"
          value={values.companyName}
          error={field('companyName')}
          onChange={(event) => put({ companyName: event.currentTarget.value })}
        />
        <NativeSelect
          label="Time zone"
          value={values.timeZone}
          error={field('timeZone')}
          data={zones(values.timeZone)}
          onChange={(event) => put({ timeZone: event.currentTarget.value })}
        />
        {onContinue
          ? null
          : REMOTE_CHANNELS.map((channel) => (
              <NativeSelect
                key={channel}
                label={`What Arc may send to ${calledInSentence(channel)}`}
                description="Content from documents and tickets"
                value={values.channelConsent[channel]}
                data={consents}
                onChange={(event) =>
                  put({
                    channelConsent: {
                      ...edits.channelConsent,
                      [channel]: event.currentTarget.value as Preferences['channelConsent'][typeof channel],
                    },
                  })
                }
              />
            ))}
      </fieldset>
      {onContinue ? null : (
        <fieldset className={`card ${own.group}`} disabled={!owner}>
          <legend>Times</legend>
          <CompanyTimes times={values} fields={fault?.fields ?? {}} put={put} />
        </fieldset>
      )}
      {onContinue ? null : (
        <OfficerSettings
          userId={user.id}
          values={values}
          owner={owner}
          members={members?.members ?? []}
          fields={fault?.fields ?? {}}
          put={put}
        />
      )}
      {onContinue ? (
        <div className={classes.continue}>
          <span className="soft">Next: choose your team. Members, channels and the rest can be set here later.</span>
          <WorkButton type="submit" busy={busy}>
            Save and continue
          </WorkButton>
        </div>
      ) : null}
      <div className={own.actions}>
        {onContinue ? null : (
          <WorkButton type="submit" variant={changed ? 'filled' : 'default'} busy={busy} disabled={!changed}>
            Save preferences
          </WorkButton>
        )}
        {owner ? null : <span className="soft">Only the owner can change company settings.</span>}
      </div>
    </form>
  );
}

/** The browser's time zones, with the current one even if the browser does not know it. */
function zones(current: string): string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return known.includes(current) ? known : [current, ...known];
}
