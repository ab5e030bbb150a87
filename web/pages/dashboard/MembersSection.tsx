import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CallError, textOf } from '../../data/call.ts';
import { useDraft } from '../../data/drafts.ts';
import { invite, type MemberRole, remove, useMembers } from '../../data/preferences.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { dateOf, REMOTE_NAMES } from '../../data/words.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Callout } from '../../parts/Notice.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { Tag } from '../../parts/Tag.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './DashboardPage.module.css';
import { MemberRoles } from './MemberRoles.tsx';
import own from './PreferencesTab.module.css';
import { ROLE_NAMES } from './roleNames.ts';

/** Without the Clinical Safety Officer, whose appointment needs a registration. */
const INVITED_AS = (['owner', 'member', 'approver', 'deputy'] as const).map((value) => ({
  value,
  label: ROLE_NAMES[value],
}));

const isRole = (kept: unknown): kept is MemberRole => INVITED_AS.some(({ value }) => value === kept);

/** Members with their roles, and open invitations. */
export function MembersSection({ owner }: { owner: boolean }) {
  const { data, error, mutate } = useMembers();
  const [email, setEmail] = useDraft('invitation.email', () => '');
  const [role, setRole] = useDraft<MemberRole>('invitation.role', () => 'member', isRole);
  const [fault, setFault] = useState<string | null>(null);
  const [link, setLink] = useState<{ email: string; link: string } | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const standing = data?.members.find((member) => member.email === email.trim().toLowerCase());
    // An invitation would replace the member's roles.
    if (standing) return setFault(`${standing.name} is a member already. Change their roles in the list above.`);
    setBusy(true);
    setFault(null);
    try {
      const answer = await invite({ email, roles: role === 'member' ? ['member'] : ['member', role] });
      if (answer) {
        const { invitation } = answer;
        if (invitation?.link) setLink({ email: invitation.email, link: invitation.link });
        const title = invitation?.link ? 'Invitation created' : 'Invitation sent';
        showToast({ title, message: email, tone: 'done' });
        setEmail('');
      }
    } catch (failure) {
      const field = failure instanceof CallError ? failure.body?.fields?.email : undefined;
      setFault(field ?? textOf(failure, 'The invitation was not created. Please try again.'));
    }
    setBusy(false);
  };
  const removeOrWithdraw = (body: { userId?: number; invitationId?: string }) => {
    remove(body).catch((failure: unknown) => showFailure('Not removed', textOf(failure, 'Please try again.')));
  };

  return (
    <section className={own.members}>
      <div className={classes.sectionHead}>
        <h2>Members</h2>
        <span className="soft">
          Owners and approvers answer what your agents ask, except clinical reviews: those are for the Clinical Safety
          Officer and deputies, and for owners while no officer is appointed.
        </span>
      </div>
      {!data ? (
        <SectionNotLoaded title="The members could not be loaded" failed={Boolean(error)} retry={mutate} />
      ) : (
        <div className="card">
          <ul>
            {data.members.map((member) => (
              <li key={member.userId}>
                <div>
                  {member.name}
                  {member.name === member.email ? null : <p className="soft small">{member.email}</p>}
                </div>
                <MemberRoles member={member} mayChange={owner} />
                {owner && !member.roles.includes('owner') ? (
                  <ConfirmButton
                    label="Remove"
                    of={member.name}
                    sure={`Remove ${member.name} from the company`}
                    onConfirm={() => removeOrWithdraw({ userId: member.userId })}
                  />
                ) : null}
              </li>
            ))}
            {data.invitations.map((invitation) => (
              <li key={invitation.id}>
                <div>
                  {invitation.email}
                  <p className="soft small">Invited, expires {dateOf(invitation.expiresAt)}</p>
                </div>
                <div className={own.roles}>
                  {invitation.roles.map((it) => (
                    <Tag key={it}>{ROLE_NAMES[it]}</Tag>
                  ))}
                </div>
                {owner ? (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Withdraw the invitation of ${invitation.email}`}
                    onClick={() => removeOrWithdraw({ invitationId: invitation.id })}
                  >
                    Withdraw
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        </div>
      )}
      {owner ? (
        <form className={own.invite} onSubmit={submit} noValidate>
          <TextInput
            label="Invite by email"
            type="email"
            value={email}
            error={fault}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <NativeSelect
            label="Role"
            value={role}
            data={INVITED_AS}
            onChange={(event) => setRole(event.currentTarget.value as MemberRole)}
          />
          <WorkButton type="submit" variant="default" busy={busy}>
            Invite
          </WorkButton>
        </form>
      ) : null}
      {link ? (
        <div style={{ marginTop: 12 }}>
          <Callout tone="plain" title={`Send this link to ${link.email}. It is shown once.`}>
            <p>Joining by link doesn’t verify an email, so {REMOTE_NAMES.all} can’t recognise people by it.</p>
            <span className={own.link}>
              <span className="mono">{link.link}</span>
              <CopyButton text={link.link} />
            </span>
          </Callout>
        </div>
      ) : null}
    </section>
  );
}
