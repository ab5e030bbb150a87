import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DesignProposal } from '../../../models/contracts/designer/design.ts';
import type { UserAgent } from '../../../models/contracts/userAgents.ts';
import { textOf } from '../../data/call.ts';
import { useDraft } from '../../data/drafts.ts';
import { showToast } from '../../data/toasts.ts';
import form from '../../parts/agents/WorkPanel.module.css';
import { Callout } from '../../parts/Notice.tsx';
import { ObjectiveField } from '../../parts/ObjectiveField.tsx';
import { Tag } from '../../parts/Tag.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './Designer.module.css';
import { Designs } from './Designs.tsx';
import { type DesignAction, design, useDesignHealth, useDesigns } from './design.ts';
import { Proposal } from './Proposal.tsx';

const actions: Record<DesignAction, { label: string; done: string; failed: string }> = {
  layout: { label: 'Propose a layout', done: 'Layout proposed', failed: 'Generation Failed' },
  components: { label: 'Propose components', done: 'Components proposed', failed: 'Generation Failed' },
  create: { label: 'Create in Figma', done: 'Design Workflow Started', failed: 'Failed to Create Design' },
  generate: { label: 'Generate from the file', done: 'Design Workflow Started', failed: 'Failed to Generate Design' },
  demo: { label: 'Run the workflow', done: 'Design Workflow Started', failed: 'Failed to start UX/UI workflow' },
  export: { label: 'Export to Figma', done: 'Waiting for your approval', failed: 'Export Failed' },
};

/** In the order of the buttons; the first is the primary one. */
const OWN_ACTIONS = ['demo', 'layout', 'components'] as const satisfies readonly DesignAction[];
const FIGMA_ACTIONS = ['create', 'generate', 'export'] as const satisfies readonly DesignAction[];

/** The designer's panel: the task, the latest proposal, and the designs; work in Figma files apart. */
export function DesignerPanel({ agent }: { agent: UserAgent }) {
  const [figmaUrl, setFigmaUrl] = useDraft(`figma.${agent.id}`, () => '');
  const [objective, setObjective] = useDraft(`design.${agent.id}`, () => '');
  const [fault, setFault] = useState<{ title: string; text: string } | null>(null);
  const [busy, setBusy] = useState<DesignAction | null>(null);
  const [proposed, setProposed] = useState<{ part: 'layout' | 'components'; proposal: DesignProposal } | null>(null);
  const { data: health } = useDesignHealth();
  const { data: designs } = useDesigns(agent.id);
  if (agent.status !== 'onboarded') return null;
  const run = async (action: DesignAction) => {
    if (action !== 'export' && !objective.trim()) {
      setFault({ title: 'No Task Provided', text: 'Please enter a task or objective for the agent.' });
      return;
    }
    if (action === 'generate' && !figmaUrl.trim()) {
      setFault({ title: actions.generate.failed, text: 'Please enter the address of the Figma file.' });
      return;
    }
    setBusy(action);
    setFault(null);
    try {
      const proposal = await design(action, { userAgentId: agent.id, objective, figmaUrl });
      setProposed(proposal && (action === 'layout' || action === 'components') ? { part: action, proposal } : null);
      showToast({ title: actions[action].done, tone: 'done' });
    } catch (error) {
      const fallback = action === 'export' ? 'Failed to export to Figma' : 'Nothing was created. Please try again.';
      setFault({ title: actions[action].failed, text: textOf(error, fallback) });
    }
    setBusy(null);
  };
  const buttons = (of: readonly DesignAction[]) =>
    of.map((action) => (
      <WorkButton
        key={action}
        variant={action === OWN_ACTIONS[0] ? 'filled' : 'default'}
        busy={busy === action}
        onClick={() => run(action)}
      >
        {actions[action].label}
      </WorkButton>
    ));
  return (
    <div className={form.form}>
      <ObjectiveField label="The screen to design" value={objective} onChange={setObjective} />
      <div className={form.formActions}>
        {buttons(OWN_ACTIONS)}
        {health ? (
          <Tag tone={health.success ? 'done' : 'plain'}>
            Design service: {health.success ? 'available' : health.status}
          </Tag>
        ) : null}
      </div>
      <details className={classes.figma}>
        <summary>Work in Figma</summary>
        <div className={form.form}>
          <TextInput
            label="Figma file (optional)"
            placeholder="https://www.figma.com/design/…"
            maxLength={2000}
            value={figmaUrl}
            onChange={(event) => setFigmaUrl(event.currentTarget.value)}
          />
          <div className={form.formActions}>{buttons(FIGMA_ACTIONS)}</div>
        </div>
      </details>
      {fault ? (
        <Callout tone="error" title={fault.title}>
          {fault.text}
        </Callout>
      ) : null}
      {proposed ? <Proposal {...proposed} /> : null}
      {designs ? <Designs designs={designs} isWaiting={agent.pendingInterrupts > 0} /> : null}
    </div>
  );
}
