import { NativeSelect, Switch, TextInput } from '@mantine/core';
import type { Preferences, PreferencesChange } from '../../../models/contracts/preferences.ts';
import { Callout } from '../../parts/Notice.tsx';
import own from './PreferencesTab.module.css';

type Officer = NonNullable<Preferences['clinicalSafetyOfficer']>;

/** The Clinical Safety Officer, and whether one or two people sign the answers that need the officer. */
export function OfficerSettings({
  userId,
  values: { clinicalSafetyOfficer: officer, signsAnswers, signsTwice, signers },
  owner,
  members,
  fields,
  put,
}: {
  /** The reader, who stands as the officer until somebody else is chosen. */
  userId: number;
  values: Pick<Preferences, 'clinicalSafetyOfficer' | 'signsAnswers' | 'signsTwice' | 'signers'>;
  owner: boolean;
  members: readonly { userId: number; name: string }[];
  fields: Record<string, string>;
  put: (edit: PreferencesChange) => void;
}) {
  const putOfficer = (change: Partial<Officer>) => {
    const before = officer ?? { userId, profession: '', register: '', registrationNumber: '' };
    put({ clinicalSafetyOfficer: { ...before, ...change } });
  };
  const field = (name: keyof Officer) => fields[`clinicalSafetyOfficer.${name}`] ?? fields[name];
  return (
    <fieldset className={`card ${own.group}`} disabled={!owner}>
      <legend>Clinical Safety Officer</legend>
      <Switch
        className={own.wide}
        label="A registered clinician signs clinical documents"
        checked={officer !== null}
        error={fields.clinicalSafetyOfficer}
        onChange={(event) => (event.currentTarget.checked ? putOfficer({}) : put({ clinicalSafetyOfficer: null }))}
      />
      {officer ? (
        <>
          <NativeSelect
            label="Who"
            value={String(officer.userId)}
            data={members.map((member) => ({ value: String(member.userId), label: member.name }))}
            onChange={(event) => putOfficer({ userId: Number(event.currentTarget.value) })}
          />
          <TextInput
            label="Profession"
            value={officer.profession}
            error={field('profession')}
            onChange={(event) => putOfficer({ profession: event.currentTarget.value })}
          />
          <TextInput
            label="Register"
            placeholder="GMC"
            value={officer.register}
            error={field('register')}
            onChange={(event) => putOfficer({ register: event.currentTarget.value })}
          />
          <TextInput
            label="Registration number"
            value={officer.registrationNumber}
            error={field('registrationNumber')}
            onChange={(event) => putOfficer({ registrationNumber: event.currentTarget.value })}
          />
        </>
      ) : null}
      {officer || signsAnswers ? (
        <Switch
          className={own.wide}
          label="Answers that need the officer are signed"
          description="Whoever answers gives a reason and their password, in Arc. Answers in other channels are proposals until then."
          checked={signsAnswers}
          onChange={(event) => put({ signsAnswers: event.currentTarget.checked })}
        />
      ) : null}
      {signsAnswers ? (
        <Switch
          className={own.wide}
          label="Two people sign each of them"
          description="An answer counts once a second person, the officer or a deputy, has signed the same. Another answer starts again."
          checked={signsTwice}
          error={fields.signsTwice}
          onChange={(event) => put({ signsTwice: event.currentTarget.checked })}
        />
      ) : null}
      {signsAnswers && signsTwice && signers < 2 ? (
        <div className={own.wide}>
          <Callout
            tone="waiting"
            title={`Two people have to sign, and ${signers === 0 ? 'nobody' : 'only one person'} can.`}
          >
            Questions that need the officer stay open. Give another member the deputy’s role below, or let one person
            sign.
          </Callout>
        </div>
      ) : null}
    </fieldset>
  );
}
