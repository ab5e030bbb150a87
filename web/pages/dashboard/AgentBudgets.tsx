import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AgentBudget } from '../../../models/contracts/creditUse.ts';
import { setAgentBudget } from '../../data/billing.ts';
import { CallError, textOf } from '../../data/call.ts';
import { showToast } from '../../data/toasts.ts';
import { creditsOf } from '../../data/typedCredits.ts';
import { grouped } from '../../data/words.ts';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './CreditUse.module.css';

/** What each agent has used this month of what it may use; owners change the latter. */
export function AgentBudgets({
  budgets,
  owner,
  onSaved,
}: {
  budgets: readonly AgentBudget[];
  owner: boolean;
  onSaved: () => void;
}) {
  if (budgets.length === 0) return null;
  return (
    <section className={`card ${classes.budgets}`} aria-label="Budgets per month">
      <div>
        <h3>Budgets per month</h3>
        <p className="soft small">
          An agent that has used its budget starts nothing more until the next month. Without one, only your credits
          limit it.
        </p>
      </div>
      {budgets.map((it) => (
        // A saved change draws the field anew.
        <Budget key={`${it.agentId} ${it.budget}`} it={it} owner={owner} onSaved={onSaved} />
      ))}
    </section>
  );
}

const NOT_A_BUDGET = 'Use a whole number of credits from 1, or leave it empty.';

function Budget({ it, owner, onSaved }: { it: AgentBudget; owner: boolean; onSaved: () => void }) {
  const before = it.budget === null ? '' : grouped(it.budget);
  const [typed, setTyped] = useState(before);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const used = `${grouped(it.usedThisMonth)} ${it.budget === null ? 'used' : `of ${grouped(it.budget)} used`} this month`;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const budget = typed.trim() === '' ? null : creditsOf(typed);
    if (budget === null && typed.trim() !== '') return setFault(NOT_A_BUDGET);
    setBusy(true);
    setFault(null);
    try {
      await setAgentBudget(it.agentId, budget);
      showToast({ title: budget === null ? `${it.name} has no budget` : `Budget of ${it.name} saved`, tone: 'done' });
      onSaved();
    } catch (error) {
      setFault((error instanceof CallError && error.body?.fields?.budget) || textOf(error, 'Nothing was changed.'));
    }
    setBusy(false);
  };
  return (
    <form className={classes.budget} onSubmit={submit} noValidate>
      <div>
        <strong>{it.name}</strong>
        <p className="soft small figures">{used}</p>
      </div>
      <TextInput
        aria-label={`Budget of ${it.name} per month, in credits`}
        placeholder="No budget"
        inputMode="numeric"
        size="xs"
        value={typed}
        error={fault}
        disabled={!owner}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {owner ? (
        <WorkButton type="submit" size="xs" variant="default" busy={busy} disabled={typed === before}>
          Save
        </WorkButton>
      ) : null}
    </form>
  );
}
