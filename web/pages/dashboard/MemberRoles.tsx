import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { CallError, textOf } from '../../data/call.ts';
import { invite, type MemberRole, type useMembers } from '../../data/preferences.ts';
import { showToast } from '../../data/toasts.ts';
import { Tag } from '../../parts/Tag.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import own from './PreferencesTab.module.css';
import { ROLE_NAMES } from './roleNames.ts';

type Member = NonNullable<ReturnType<typeof useMembers>['data']>['members'][number];

/** The roles that an owner can give here, with what each allows. */
const GIVEN = [
  { role: 'owner', allows: 'Company, members, billing, audit' },
  { role: 'approver', allows: 'Answers what agents ask' },
  { role: 'deputy', allows: 'Also answers clinical reviews' },
] as const satisfies { role: MemberRole; allows: string }[];

/** A member's roles, which owners can change here. Only the form above changes the Clinical Safety Officer. */
export function MemberRoles({ member, mayChange }: { member: Member; mayChange: boolean }) {
  const [chosen, setChosen] = useState<MemberRole[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const close = () => {
    setChosen(null);
    setFault(null);
  };
  const save = async (roles: MemberRole[]) => {
    setBusy(true);
    setFault(null);
    try {
      if (await invite({ email: member.email, roles })) {
        close();
        showToast({ title: 'Roles changed', message: member.name, tone: 'done' });
      }
    } catch (failure) {
      const field = failure instanceof CallError ? failure.body?.fields?.roles : undefined;
      setFault(field ?? textOf(failure, 'The roles were not changed. Please try again.'));
    }
    setBusy(false);
  };

  if (!chosen) {
    return (
      <div className={own.roles}>
        {member.roles.map((it) => (
          <Tag key={it} tone={it === 'owner' ? 'accent' : 'plain'}>
            {ROLE_NAMES[it]}
          </Tag>
        ))}
        {mayChange ? (
          <Button
            size="xs"
            variant="default"
            aria-label={`Change the roles of ${member.name}`}
            onClick={() => setChosen(member.roles)}
          >
            Change roles
          </Button>
        ) : null}
      </div>
    );
  }
  const rest = chosen.filter((role) => !GIVEN.some((it) => it.role === role));
  return (
    <fieldset className={own.changeRoles} aria-label={`Roles of ${member.name}`}>
      <Checkbox.Group value={chosen} onChange={(given) => setChosen([...rest, ...(given as MemberRole[])])}>
        {GIVEN.map(({ role, allows }) => (
          <Checkbox key={role} value={role} label={ROLE_NAMES[role]} description={allows} disabled={busy} />
        ))}
      </Checkbox.Group>
      {rest.includes('clinical-safety-officer') ? (
        <p className="soft small">Clinical Safety Officer stays: it is appointed above.</p>
      ) : null}
      {fault ? (
        <p className={own.failed} role="alert">
          {fault}
        </p>
      ) : null}
      <div className={own.roles}>
        <WorkButton
          size="xs"
          busy={busy}
          onClick={() => void save([...new Set<MemberRole>(['member', ...chosen.filter((it) => it !== 'member')])])}
        >
          Save roles
        </WorkButton>
        <Button size="xs" variant="default" disabled={busy} onClick={close}>
          Cancel
        </Button>
      </div>
    </fieldset>
  );
}
