import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import { Monogram } from '../Monogram.tsx';
import { Tag } from '../Tag.tsx';
import { WorkButton } from '../WorkButton.tsx';
import classes from './CandidateCard.module.css';
import { ToolPanel } from './ToolPanel.tsx';

type AgentStage = 'candidate' | 'hired' | 'onboarded';

const labels: Record<AgentStage, string> = {
  candidate: 'Ready to hire',
  hired: 'Ready to onboard',
  onboarded: 'Active team member',
};
const steps: { stage: AgentStage; label: string }[] = [
  { stage: 'candidate', label: 'Candidate' },
  { stage: 'hired', label: 'Hired' },
  { stage: 'onboarded', label: 'Onboarded' },
];

/** One agent that can be hired: description, stage and the next step. */
export function CandidateCard({
  agent,
  stage,
  enterprise = false,
  panelOpen,
  busy = false,
  signedIn,
  suggested = false,
  onHire,
  onOpenPanel,
  onClosePanel,
  onOnboard,
  result,
}: {
  agent: CatalogueAgent;
  stage: AgentStage;
  enterprise?: boolean;
  panelOpen: boolean;
  busy?: boolean;
  signedIn: boolean;
  suggested?: boolean;
  onHire: () => void;
  onOpenPanel: () => void;
  onClosePanel: () => void;
  onOnboard: (tools: string[]) => void;
  result?: ReactNode;
}) {
  const heading = useId();
  return (
    <article className={`card ${classes.card}`} aria-labelledby={heading} data-enterprise={enterprise || undefined}>
      <div className={classes.head}>
        <Monogram agentId={agent.id} size={40} />
        <div className={classes.name}>
          <h3 id={heading}>{agent.role}</h3>
          <p className={classes.persona}>
            {agent.displayName}
            {enterprise ? (
              <Tag>Enterprise Product</Tag>
            ) : (
              <Tag tone={stage === 'onboarded' ? 'done' : stage === 'hired' ? 'waiting' : 'plain'}>{labels[stage]}</Tag>
            )}
            {suggested ? <Tag tone="accent">Suggested</Tag> : null}
            {agent.status === 'in-preparation' ? <Tag tone="outline">In preparation</Tag> : null}
          </p>
        </div>
      </div>
      <p className={classes.about}>
        {agent.description}
        {agent.status === 'in-preparation' && !enterprise
          ? ` In preparation: you can hire ${agent.displayName} now; the work comes later.`
          : ''}
      </p>
      {enterprise ? (
        <Button variant="default" disabled fullWidth>
          Contact Sales
        </Button>
      ) : (
        <>
          <Progress stage={stage} />
          {stage === 'candidate' ? (
            <WorkButton variant="light" fullWidth busy={busy} onClick={onHire}>
              Hire {agent.displayName}
            </WorkButton>
          ) : null}
          {stage === 'hired' && !panelOpen ? (
            <Button variant="light" fullWidth onClick={onOpenPanel}>
              Onboard {agent.displayName}
            </Button>
          ) : null}
          {stage === 'hired' && panelOpen ? (
            <ToolPanel agent={agent} busy={busy} signedIn={signedIn} onCancel={onClosePanel} onComplete={onOnboard} />
          ) : null}
          {stage === 'onboarded' && result ? <div className={classes.result}>{result}</div> : null}
        </>
      )}
    </article>
  );
}

function Progress({ stage }: { stage: AgentStage }) {
  const reached = steps.findIndex((step) => step.stage === stage);
  return (
    <ol className={classes.steps} aria-label={`Step ${reached + 1} of 3: ${labels[stage]}`}>
      {steps.map((step, at) => (
        <li
          key={step.stage}
          data-reached={at <= reached || undefined}
          aria-current={at === reached ? 'step' : undefined}
        >
          <span className={classes.dot} aria-hidden>
            {at < reached || stage === 'onboarded' ? <IconCheck size={10} stroke={3.5} /> : null}
          </span>
          {step.label}
        </li>
      ))}
    </ol>
  );
}
