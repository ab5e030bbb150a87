import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type billingSummary, type InvoiceView, PLANS } from '../../../models/contracts/billing.ts';
import type { AnswerOf } from '../../../models/contracts/endpoint.ts';
import { openBillingPortal, refreshPaidPlan, useInvoices } from '../../data/billing.ts';
import { textOf } from '../../data/call.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { dateOf } from '../../data/words.ts';
import { Callout } from '../../parts/Notice.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { type Column, SortableTable } from '../../parts/table/SortableTable.tsx';
import classes from './DashboardPage.module.css';

type Summary = AnswerOf<typeof billingSummary>;

/** An amount in the smallest unit of its currency, with the currency: US$19.00. */
function amountOf(total: number, currency: string): string {
  const format = new Intl.NumberFormat('en-GB', { style: 'currency', currency });
  return format.format(total / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Reads the plan at once after the payment provider's page, and takes its note out of the address. */
export function usePaymentReturn(owner: boolean, onRead: () => unknown): void {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const note = new URLSearchParams(search).get('payment');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each return
  useEffect(() => {
    if (note === null) return;
    const rest = new URLSearchParams(search);
    rest.delete('payment');
    void navigate({ pathname, search: rest.toString(), hash }, { replace: true });
    if (!owner || note !== 'done') return;
    refreshPaidPlan().then(
      () => {
        showToast({ title: 'Your plan is up to date', tone: 'done' });
        return onRead();
      },
      (error: unknown) =>
        showFailure('Your plan could not be read yet', textOf(error, 'It appears here as soon as Stripe confirms it.')),
    );
  }, [note]);
}

/** What is paid for and until when, and what is wrong with it. */
export function Payment({ summary, owner }: { summary: Summary; owner: boolean }) {
  const { payment, noLongerFits, hasPaid, paymentConfigured } = summary;
  const manage = () =>
    openBillingPortal().catch((error: unknown) =>
      showFailure('Stripe could not be opened', textOf(error, 'Please try again.')),
    );
  const button = owner ? (
    <Button size="xs" variant="default" onClick={manage}>
      Manage
    </Button>
  ) : null;
  // The second line is about credits, which a plan of today can't exceed.
  const [tooMany] = noLongerFits.now;
  if (!tooMany && !(paymentConfigured && hasPaid)) return null;
  return (
    <div className={classes.section}>
      <div className={classes.sectionHead}>
        <h2>Payment</h2>
        {payment ? (
          <span className="soft">
            {PLANS.find(({ id }) => id === payment.plan)?.name}{' '}
            {payment.endsAt ? `ends on ${dateOf(payment.endsAt)}` : `renews on ${dateOf(payment.renewsAt)}`}
          </span>
        ) : null}
      </div>
      <div className={classes.notices}>
        {payment?.isOverdue ? (
          <Callout tone="error" title="The last payment failed" action={button}>
            Stripe tries again over the next days. Check the card under Manage, so that work does not stop.
          </Callout>
        ) : null}
        {payment && payment.running > 1 ? (
          <Callout tone="waiting" title={`You pay for ${payment.running} subscriptions`} action={button}>
            One is enough. End the other under Manage.
          </Callout>
        ) : null}
        {tooMany ? (
          <Callout tone="waiting" title="You have more agents than your plan allows">
            {tooMany}
          </Callout>
        ) : null}
      </div>
      {owner && paymentConfigured && hasPaid ? <Invoices /> : null}
    </div>
  );
}

const columns: Column<InvoiceView>[] = [
  { id: 'at', header: 'Date', width: '140px', sort: (it) => it.at, cell: (it) => dateOf(it.at) },
  {
    id: 'number',
    header: 'Invoice',
    sort: (it) => it.number,
    cell: (it) =>
      it.url ? (
        <a href={it.url} target="_blank" rel="noreferrer">
          {it.number}
        </a>
      ) : (
        it.number
      ),
  },
  { id: 'status', header: 'Status', width: '120px', sort: (it) => it.status, cell: (it) => it.status },
  {
    id: 'total',
    header: 'Amount',
    align: 'right',
    width: '120px',
    sort: (it) => it.total,
    cell: (it) => amountOf(it.total, it.currency),
  },
];

function Invoices() {
  const { data, error, mutate } = useInvoices(true);
  if (!data)
    return <SectionNotLoaded failed={Boolean(error)} title="The invoices could not be loaded" retry={mutate} />;
  return (
    <SortableTable
      label="Invoices"
      rows={data.invoices}
      columns={columns}
      keyOf={(invoice) => invoice.id}
      empty="No invoices yet."
    />
  );
}
