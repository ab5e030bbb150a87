import { Button } from '@mantine/core';
import type { trialStatus } from '../../../models/contracts/account.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { count } from '../../data/words.ts';
import { Callout } from '../../parts/Notice.tsx';

/** Warns when three or fewer days of the trial remain. */
export function TrialBanner({ trial, onPlans }: { trial: AnswerOf<typeof trialStatus>; onPlans: () => void }) {
  if (!trial.isTrialActive || trial.subscriptionStatus === 'active') return null;
  if (trial.remainingDays > LIMITS.trialWarningDays) return null;
  return (
    <div style={{ marginBottom: 16 }}>
      <Callout
        tone="waiting"
        title={
          trial.remainingDays === 0
            ? 'Your trial ends today'
            : `${count(trial.remainingDays, 'day')} left in your trial`
        }
        action={
          <Button variant="default" onClick={onPlans}>
            See plans
          </Button>
        }
      >
        After the trial you can still read everything and answer open questions. Choose a plan to start new work.
      </Callout>
    </div>
  );
}
