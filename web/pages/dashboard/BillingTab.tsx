import { Button } from '@mantine/core';
import type { trialStatus } from '../../../models/contracts/account.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { useCredits } from '../../data/account.ts';
import { CallError } from '../../data/call.ts';
import { count, grouped } from '../../data/words.ts';
import { Callout } from '../../parts/Notice.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Tag, type TagTone } from '../../parts/Tag.tsx';
import classes from './DashboardPage.module.css';

const plans = [
  { name: 'Starter', price: '$19', points: ['Up to 3 agents', '500,000 credits a month'] },
  {
    name: 'Pro',
    price: '$49',
    points: [
      'Unlimited agents',
      'All integrations',
      'Priority support',
      'Advanced analytics',
      '2,000,000 credits a month',
    ],
  },
  { name: 'Enterprise', price: 'Custom', points: ['Enterprise integrations', 'Terms and limits agreed with you'] },
];

/** The level that a number of credits stands for. */
export function creditLevel(remaining: number): { text: string; tone: TagTone } {
  if (remaining < LIMITS.credits.low) return { text: 'Low Credits', tone: 'error' };
  if (remaining < LIMITS.credits.running) return { text: 'Running Low', tone: 'waiting' };
  return { text: 'Good Balance', tone: 'done' };
}

/** Plan, credits and what there is to choose. */
export function BillingTab({ trial }: { trial: AnswerOf<typeof trialStatus> }) {
  const paying = trial.subscriptionStatus === 'active';
  return (
    <section>
      <div className={classes.section}>
        <div className={classes.sectionHead}>
          <h2>Credits</h2>
          <span className="soft">
            {paying
              ? 'Subscription active'
              : trial.isTrialActive
                ? `Free trial, ${count(trial.remainingDays, 'day')} left`
                : 'Trial over'}
          </span>
        </div>
        <Credits />
      </div>
      <div className={classes.section}>
        <div className={classes.sectionHead}>
          <h2>Plans</h2>
          <span className="soft">
            Plans can’t be bought here yet: no payment provider is configured on this server.
          </span>
        </div>
        <div className={classes.plans}>
          {plans.map((plan) => (
            <article key={plan.name} className={`card ${classes.plan}`} aria-label={plan.name}>
              <h3>{plan.name}</h3>
              <p className={classes.price}>
                {plan.price}
                {plan.price.startsWith('$') ? <span>/month</span> : null}
              </p>
              <ul>
                {plan.points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
              {plan.name === 'Enterprise' ? (
                <Button variant="default" disabled>
                  Contact Sales
                </Button>
              ) : null}
            </article>
          ))}
        </div>
      </div>
    </section>
  );
}

function Credits() {
  const { data, error } = useCredits(true);
  if (error instanceof CallError && error.status === 401) return null;
  if (error) return <Callout tone="error" title="Failed to fetch token balance" />;
  if (!data) return <Skeleton lines={2} />;
  const { tokensRemaining, tokensUsed } = data.balance;
  const total = tokensRemaining + tokensUsed;
  const level = creditLevel(tokensRemaining);
  return (
    <div className={`card ${classes.credits}`}>
      <div>
        <p className={classes.creditFigure}>{grouped(tokensRemaining)}</p>
        <p className="soft">credits remaining</p>
      </div>
      <div>
        <div
          className={classes.creditBar}
          role="img"
          aria-label={`${grouped(tokensRemaining)} of ${grouped(total)} credits remaining`}
        >
          <div style={{ width: `${total === 0 ? 0 : (tokensRemaining / total) * 100}%` }} />
        </div>
        <p className="soft figures" style={{ marginTop: 8 }}>
          {grouped(tokensUsed)} used of {grouped(total)} <Tag tone={level.tone}>{level.text}</Tag>
        </p>
        {tokensRemaining < LIMITS.credits.note ? (
          <p className="small" style={{ marginTop: 4 }}>
            Work stops when credits run out. What is finished stays here.
          </p>
        ) : null}
      </div>
    </div>
  );
}
