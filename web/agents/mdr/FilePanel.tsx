import { useState } from 'react';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { textOf } from '../../data/call.ts';
import { useDraft } from '../../data/drafts.ts';
import { showToast } from '../../data/toasts.ts';
import form from '../../parts/agents/WorkPanel.module.css';
import { Callout } from '../../parts/Notice.tsx';
import { SectionNotLoaded } from '../../parts/NotLoaded.tsx';
import { ObjectiveField } from '../../parts/ObjectiveField.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import { Devices } from './Devices.tsx';
import { startDraft, useDevices } from './technicalFile.ts';

/** The technical file agent's panel: facts to begin with, and the products with their drafts. */
export function FilePanel({ agent }: { agent: UserAgent }) {
  const [facts, setFacts] = useDraft(`mdr.${agent.id}`, () => '');
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { data: devices, error, mutate } = useDevices(agent.id);
  if (agent.status !== 'onboarded') return null;
  const draft = async () => {
    setIsBusy(true);
    setFault(null);
    try {
      await startDraft(agent.id, facts);
      showToast({ title: 'Technical file started', tone: 'done' });
      setFacts('');
    } catch (failure) {
      setFault(textOf(failure, 'The technical file was not started. Please try again.'));
    }
    setIsBusy(false);
  };
  return (
    <div className={form.form}>
      <ObjectiveField label="Facts to begin with, a line each (optional)" value={facts} onChange={setFacts} />
      <div className={form.formActions}>
        <WorkButton variant="filled" busy={isBusy} onClick={draft}>
          Draft the technical file
        </WorkButton>
      </div>
      {fault ? (
        <Callout tone="error" title="Not started">
          {fault}
        </Callout>
      ) : null}
      {devices ? (
        <Devices devices={devices} isWaiting={agent.pendingInterrupts > 0} />
      ) : (
        <SectionNotLoaded title="Your products can’t be shown" failed={Boolean(error)} retry={mutate} />
      )}
    </div>
  );
}
