import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { letGo } from '../../data/agents.ts';
import { showToast } from '../../data/toasts.ts';
import { useAttempt } from '../../data/useAttempt.ts';
import { count } from '../../data/words.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import classes from './WorkspacePage.module.css';

/** Lets an agent go: for the owner, and for who hired it. */
export function LetGo({ agent: { id, displayName } }: { agent: UserAgent }) {
  const [, attempt] = useAttempt();
  const go = async () => {
    const schedules = await letGo(id);
    const message = schedules > 0 ? `${count(schedules, 'schedule')} switched off. ` : '';
    showToast({ title: `${displayName} was let go`, message: `${message}Earlier work stays.`, tone: 'done' });
  };
  return (
    <div className={classes.letGo}>
      <ConfirmButton
        label="Let go"
        of={displayName}
        sure={`Let ${displayName} go now`}
        note={`${displayName}’s schedules are switched off. Earlier work stays, and you can hire ${displayName} again.`}
        onConfirm={() => attempt(go)}
      />
    </div>
  );
}
