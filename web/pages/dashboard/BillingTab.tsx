import '../../styles/wholePage.ts';
import { lazy, Suspense } from 'react';
import type { trialStatus } from '../../../models/contracts/account.ts';
import { type billingSummary, PLANS } from '../../../models/contracts/billing.ts';
import { CHANNEL_NAMES, calledInSentence } from '../../../models/contracts/channels.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { useCredits } from '../../data/account.ts';
import { useBilling } from '../../data/billing.ts';
import { CallError } from '../../data/call.ts';
import { count, dateOf, grouped, momentOf } from '../../data/words.ts';
import { Callout } from '../../parts/Notice.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Tag, type TagTone } from '../../parts/Tag.tsx';
import { type Column, SortableTable } from '../../parts/table/SortableTable.tsx';
import classes from './DashboardPage.module.css';
import { Payment, usePaymentReturn } from './Payment.tsx';
import { Plans } from './Plans.tsx';
import { UsageChart } from './UsageChart.tsx';

/** Below what most people open the tab for: loaded after it. */
const CreditUse = lazy(async () => ({ default: (await import('./CreditUse.tsx')).CreditUse }));

type Movement = AnswerOf<typeof billingSummary>['movements'][number];

/** Label and tone for a number of remaining credits. */
function creditLevel(remaining: number): { text: string; tone: TagTone } {
  if (remaining < LIMITS.credits.low) return { text: 'Low Credits', tone: 'error' };
  if (remaining < LIMITS.credits.running) return { text: 'Running Low', tone: 'waiting' };
  return { text: 'Good Balance', tone: 'done' };
}

/** "Starter, given by an administrator, until the end of 31 Mar 2027"; null where no plan was given. */
function givenText(given: AnswerOf<typeof billingSummary>['planByHand'] | undefined): string | null {
  if (!given) return null;
  const name = PLANS.find(({ id }) => id === given.plan)?.name ?? given.plan;
  return `${name}, given by an administrator, ${given.endsAt ? `until the end of ${dateOf(given.endsAt)}` : 'without an end'}`;
}

/** Credits, usage and the plans to choose from. */
export function BillingTab({ trial, owner }: { trial: AnswerOf<typeof trialStatus>; owner: boolean }) {
  const billing = useBilling();
  const paying = trial.subscriptionStatus === 'active';
  const summary = billing.data;
  usePaymentReturn(owner, () => billing.mutate());
  return (
    <section>
      <div className={classes.section}>
        <div className={classes.sectionHead}>
          <h2>Credits</h2>
          <span className="soft">
            {paying
              ? summary?.plan === 'trial'
                ? 'Nothing ends on this server'
                : (givenText(summary?.planByHand) ?? 'Subscription active')
              : trial.isTrialActive
                ? `Free trial, ${count(trial.remainingDays, 'day')} left`
                : 'Trial over'}
            {summary
              ? `. ${count(summary.agents.hired, 'agent')}${summary.agents.allowed === null ? '' : ` of ${summary.agents.allowed}`}`
              : ''}
          </span>
        </div>
        <Credits />
      </div>
      {summary ? (
        <>
          <div className={classes.section}>
            <div className={classes.sectionHead}>
              <h2>Use</h2>
            </div>
            <div className="card">
              <UsageChart usage={summary.usage} />
            </div>
          </div>
          <Suspense fallback={<Skeleton lines={4} />}>
            <CreditUse owner={owner} />
          </Suspense>
          <div className={classes.section}>
            <SortableTable
              label="Credit history"
              rows={summary.movements}
              columns={movements}
              keyOf={(movement) => `${movement.at} ${movement.balanceAfter}`}
              empty="No credits used or added yet."
            />
          </div>
        </>
      ) : billing.error ? (
        <div className={classes.section}>
          <SectionNotLoaded failed title="Usage could not be loaded" retry={billing.mutate} />
        </div>
      ) : null}
      {summary ? <Payment summary={summary} owner={owner} /> : null}
      <Plans summary={summary} owner={owner} />
    </section>
  );
}

/** Display name by channel of a run; `api` means that it was started on the workspace page. */
const channels: Record<string, string> = {
  ...Object.fromEntries(CHANNEL_NAMES.map((name) => [name, calledInSentence(name)])),
  api: 'Workspace',
};

const movements: Column<Movement>[] = [
  { id: 'at', header: 'When', width: '170px', sort: (it) => it.at, cell: (it) => momentOf(it.at) },
  { id: 'note', header: 'What', sort: (it) => it.note, cell: (it) => it.note },
  {
    id: 'channel',
    header: 'Channel',
    width: '110px',
    sort: (it) => it.channel ?? '',
    cell: (it) => channels[it.channel ?? ''] ?? '–',
  },
  {
    id: 'amount',
    header: 'Credits',
    align: 'right',
    width: '110px',
    sort: (it) => it.amount,
    cell: (it) => (it.amount > 0 ? `+${grouped(it.amount)}` : grouped(it.amount)),
  },
  { id: 'after', header: 'Balance', align: 'right', width: '110px', cell: (it) => grouped(it.balanceAfter) },
];

function Credits() {
  const { data, error } = useCredits(true);
  if (error instanceof CallError && error.status === 401) return null;
  if (error)
    return (
      <Callout tone="error" title="Failed to fetch token balance">
        Check your connection and reload the page.
      </Callout>
    );
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
            Work stops when credits run out. Finished work is kept.
          </p>
        ) : null}
      </div>
    </div>
  );
}
