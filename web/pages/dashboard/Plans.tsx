import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { type billingSummary, PLANS } from '../../../models/contracts/billing.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { openBillingPortal, startCheckout, startPlanChange } from '../../data/billing.ts';
import { textOf } from '../../data/call.ts';
import { showFailure } from '../../data/toasts.ts';
import { grouped } from '../../data/words.ts';
import { Tag } from '../../parts/Tag.tsx';
import { WhomToAsk } from '../../parts/WhomToAsk.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './DashboardPage.module.css';

type Summary = AnswerOf<typeof billingSummary>;
type Plan = (typeof PLANS)[number];
type Buyable = Exclude<Plan['id'], 'enterprise'>;

/** Element id of the sentence that explains why a plan can't be chosen. */
const WHY_NOT = 'plans-why-not';
const sizeOf = (id: string) => PLANS.findIndex((plan) => plan.id === id);
const nameOf = (id: string) => PLANS[sizeOf(id)]?.name ?? id;

/** Whether an administrator gave a plan, without an end, that has all of this one. */
const isGiven = ({ planByHand: given }: Summary, plan: Plan) =>
  given !== null && given.endsAt === null && sizeOf(given.plan) >= sizeOf(plan.id);

function WhyNot({ summary, owner }: { summary: Summary | undefined; owner: boolean }) {
  const given = summary?.planByHand;
  const why =
    summary && !summary.paymentConfigured ? (
      <>
        Plans can’t be bought here: no payment provider is configured on this server. For a plan or credits, ask{' '}
        <WhomToAsk />.
      </>
    ) : !owner ? (
      'Only the owner can change the plan.'
    ) : given && given.endsAt === null ? (
      <>
        An administrator gave your company {nameOf(given.plan)}, so there is nothing to pay. For a change, ask{' '}
        <WhomToAsk />.
      </>
    ) : null;
  return why ? (
    <span id={WHY_NOT} className="soft">
      {why}
    </span>
  ) : null;
}

/** The plans to choose from. */
export function Plans({ summary, owner }: { summary: Summary | undefined; owner: boolean }) {
  /** A plan that is too small for what the company has: what no longer fits is read before it is changed. */
  const [smaller, setSmaller] = useState<Buyable | null>(null);
  const [busy, setBusy] = useState<Buyable | null>(null);

  const leave = async (plan: Buyable, open: () => Promise<void>) => {
    setBusy(plan);
    try {
      await open();
    } catch (error) {
      showFailure('The plan was not changed', textOf(error, 'Please try again.'));
      setBusy(null);
    }
  };
  const choose = (plan: Buyable) => {
    const paid = summary?.payment?.plan;
    if (paid === plan) return leave(plan, openBillingPortal);
    if (!paid) return leave(plan, () => startCheckout(plan));
    if (summary.noLongerFits[plan].length === 0) return leave(plan, () => startPlanChange(plan, false));
    return setSmaller(plan);
  };

  return (
    <div className={classes.section}>
      <div className={classes.sectionHead}>
        <h2>Plans</h2>
        <WhyNot summary={summary} owner={owner} />
      </div>
      <div className={classes.plans}>
        {PLANS.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            summary={summary}
            payable={owner && Boolean(summary?.paymentConfigured)}
            busy={busy === plan.id}
            onChoose={choose}
          />
        ))}
      </div>
      <Modal
        opened={smaller !== null}
        onClose={() => setSmaller(null)}
        title={smaller ? `Change to ${nameOf(smaller)}` : ''}
        closeButtonProps={{ 'aria-label': 'Close' }}
        styles={{ title: { fontWeight: 600 } }}
      >
        <p>What no longer fits:</p>
        <ul className={classes.unfit}>
          {(smaller ? (summary?.noLongerFits[smaller] ?? []) : []).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="soft small">Nothing is deleted. On the next page Stripe says what changes in price.</p>
        <div className={classes.dialogButtons}>
          <Button variant="default" data-autofocus onClick={() => setSmaller(null)}>
            Keep {nameOf(summary?.payment?.plan ?? '')}
          </Button>
          <WorkButton
            busy={smaller !== null && busy === smaller}
            onClick={() => smaller && leave(smaller, () => startPlanChange(smaller, true))}
          >
            Continue to Stripe
          </WorkButton>
        </div>
      </Modal>
    </div>
  );
}

function PlanCard({
  plan,
  summary,
  payable,
  busy,
  onChoose,
}: {
  plan: Plan;
  summary: Summary | undefined;
  payable: boolean;
  busy: boolean;
  onChoose: (plan: Buyable) => unknown;
}) {
  const current = summary?.plan === plan.id;
  const [price, unit] = plan.price.split('/');
  const { id } = plan;
  return (
    <article className={`card ${classes.plan}`} aria-label={plan.name}>
      <h3>
        {plan.name} {current ? <Tag tone="accent">Your plan</Tag> : null}
      </h3>
      <p className={classes.price}>
        {price}
        {unit ? <span>/{unit}</span> : null}
      </p>
      <ul>
        {plan.features
          .filter((feature) => feature !== 'Custom')
          .map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        {plan.credits === null ? (
          <li>
            Terms and limits agreed with you. Ask <WhomToAsk />.
          </li>
        ) : (
          <li>{grouped(plan.credits)} credits a month</li>
        )}
      </ul>
      {id === 'enterprise' ? (
        <Button variant="default" disabled>
          Contact Sales
        </Button>
      ) : payable && summary && (summary.payment || !isGiven(summary, plan)) ? (
        <WorkButton
          variant={id === 'pro' && !summary.payment ? 'filled' : 'default'}
          busy={busy}
          onClick={() => onChoose(id)}
        >
          {summary.payment?.plan === id ? 'Manage' : summary.payment ? `Change to ${plan.name}` : `Choose ${plan.name}`}
        </WorkButton>
      ) : (
        <Button variant="default" disabled aria-describedby={WHY_NOT}>
          {current ? 'Your plan' : `Choose ${plan.name}`}
        </Button>
      )}
    </article>
  );
}
