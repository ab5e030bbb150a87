import { useState } from 'react';
import { textOf } from '../../data/call.ts';
import { Callout } from '../../parts/Notice.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './Channels.module.css';
import { connectWaitingTenant, useWaitingTenants } from './channelStatus.ts';
import { Fact } from './Fact.tsx';

/** Teams organisations from which an owner has written. Arc answers there only after an owner connects them here. */
export function WaitingTenants({ onConnected }: { onConnected: () => void }) {
  const waiting = useWaitingTenants();
  const [busy, setBusy] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const connect = async (id: string) => {
    setBusy(id);
    setFault(null);
    try {
      await connectWaitingTenant(id);
      onConnected();
    } catch (error) {
      setFault(textOf(error, 'Please try again.'));
    }
    await waiting.mutate().catch(() => undefined);
    setBusy(null);
  };
  const tenants = waiting.data ?? [];
  if (waiting.error && !waiting.data) {
    return (
      <Callout tone="error" title="The waiting organisations could not be loaded">
        Check your connection and reload the page.
      </Callout>
    );
  }
  if (tenants.length === 0 && !fault) return null;
  return (
    <section className={`card ${classes.card}`}>
      <h2>Waiting to be connected</h2>
      {fault ? (
        <Callout tone="error" title="The organisation was not connected">
          {fault}
        </Callout>
      ) : null}
      {tenants.map(({ id, tenantId, by }) => (
        <div key={id} className={classes.stack}>
          <dl className={classes.facts}>
            <Fact name="Tenant id" value={tenantId} mono />
            <Fact name="Written by" value={by} />
          </dl>
          <p className="soft">
            Connect it only if this is your company’s organisation in Microsoft Teams. Until then, Arc doesn’t answer
            there.
          </p>
          <div>
            <WorkButton busy={busy === id} onClick={() => void connect(id)}>
              Connect this tenant
            </WorkButton>
          </div>
        </div>
      ))}
    </section>
  );
}
