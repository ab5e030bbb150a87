import { Button } from '@mantine/core';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { nameOf } from '../../data/session.ts';
import { Tag } from '../../parts/Tag.tsx';
import classes from './DashboardPage.module.css';

/** Who the account belongs to and how it tells the time. */
export function PreferencesTab({ user, onContinue }: { user: SessionUser; onContinue: (() => void) | null }) {
  const named = Boolean(user.firstName || user.lastName);
  return (
    <section>
      <div className={classes.sectionHead}>
        <h2>You</h2>
      </div>
      <dl className={`card ${classes.facts}`}>
        <dt>Name</dt>
        <dd>{named ? nameOf(user) : <span className="soft">Not given at sign-up</span>}</dd>
        <dt>Email</dt>
        <dd>
          {user.email} {user.emailVerified ? <Tag tone="done">Verified</Tag> : <Tag>Not verified</Tag>}
        </dd>
        <dt>Time zone</dt>
        <dd>{user.timeZone}</dd>
        <dt>Roles</dt>
        <dd>{user.roles.join(', ') || 'member'}</dd>
      </dl>
      {onContinue ? (
        <div className={classes.continue}>
          <span className="soft">Next: choose your team.</span>
          <Button onClick={onContinue}>Continue</Button>
        </div>
      ) : null}
    </section>
  );
}
