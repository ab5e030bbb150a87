import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ChatMessage, MessageCard } from '../../../models/contracts/chat.ts';
import type { HazardAnalysis } from '../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import { CoverageBar } from '../../agents/clinical_safety/result/CoverageBar.tsx';
import { placesText } from '../../agents/clinical_safety/result/placeText.ts';
import { count } from '../../data/words.ts';
import classes from './ChatWindow.module.css';
import type { MessageContext } from './messageContext.ts';
import { SayButton } from './SayButton.tsx';

type Action = NonNullable<NonNullable<MessageCard>['actions']>[number];

/** The figure first, the evidence one click below, and what can be done with it. */
export function ResultCard({ message, ...context }: { message: ChatMessage } & MessageContext) {
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const toggle = () => {
    context.onExpand();
    setOpen(!open);
  };
  useEffect(() => {
    // The list scrolls, and never the page under it.
    const list = frame.current?.offsetParent;
    if (open && frame.current && list) list.scrollTo({ top: frame.current.offsetTop - 12, behavior: 'smooth' });
  }, [open]);
  const card = message.card;
  if (!card) return null;
  const own = context.analysis?.id === card.hazardAnalysisId ? context.analysis : null;
  const result = message.kind === 'analysis-complete' && card.hazardAnalysisId !== undefined;
  const interrupt = context.interrupts.find((it) => it.id === card.interruptId);
  // What stands above the box as a next step, or below the message as a file, is not offered a second time here.
  const elsewhere = ['open-review', 'merge', 'download', ...(message.kind === 'upload' ? ['send'] : [])];
  const actions = (card.actions ?? []).filter((it) => !elsewhere.includes(it.action));
  const bare = !card.figures?.length && !(card.headline && !card.interruptId);
  const waits = context.interrupts.some((it) => it.id === card.interruptId && it.status === 'pending');
  // The newest question's button stands just below, with the next steps.
  const reviewable = card.interruptId !== undefined && !(waits && message.id === context.newest);
  return (
    <div ref={frame} className={bare ? classes.bareActions : classes.resultCard}>
      {card.figures && card.figures.length > 0 ? (
        <dl className={classes.figuresRow}>
          {card.figures.map((figure) => (
            <div key={figure.label}>
              <dd>{figure.value}</dd>
              <dt>{figure.label}</dt>
            </div>
          ))}
        </dl>
      ) : card.headline && !bare ? (
        <p className={classes.headline}>{card.headline}</p>
      ) : null}
      {open && own ? <Evidence analysis={own} /> : null}
      {result || reviewable || actions.length > 0 ? (
        <div className={classes.cardActions}>
          {reviewable && card.interruptId !== undefined ? (
            interrupt && interrupt.status !== 'pending' ? (
              <span className="soft">{interrupt.resolution?.text ?? 'This question is closed.'}</span>
            ) : (
              <Button size="xs" variant="light" onClick={() => context.onReview(card.interruptId ?? 0)}>
                {interrupt?.draft && interrupt.draft.rows.length > 0 ? 'Continue the review' : 'Review the proposals'}
              </Button>
            )
          ) : null}
          {actions.map((action, at) => (
            <CardAction
              key={action.label}
              action={action}
              primary={at === 0 && !reviewable && !result}
              context={context}
            />
          ))}
          {result && own ? (
            <Button size="xs" variant="default" aria-expanded={open} onClick={toggle}>
              {open ? 'Hide the evidence' : 'Show the evidence'}
            </Button>
          ) : null}
          {result && context.analysis && !own ? (
            <span className="soft small">A newer analysis replaced this one.</span>
          ) : null}
          {result && own ? <Link to={`/workspace?agent=${own.userAgentId}&tab=workspace`}>Full result</Link> : null}
        </div>
      ) : null}
    </div>
  );
}

function CardAction({ action, primary, context }: { action: Action; primary: boolean; context: MessageContext }) {
  const variant = primary ? 'filled' : 'default';
  const button = (run: () => void) => (
    <Button size="xs" variant={variant} onClick={run}>
      {action.label}
    </Button>
  );
  switch (action.action) {
    case 'send':
      return <SayButton label={action.label} words={action.value ?? action.label} primary={primary} />;
    case 'upload':
      return button(context.onUpload);
    case 'sample':
      return button(context.onSample);
    default:
      return null;
  }
}

/** What stands behind the figures, the worst first. */
function Evidence({ analysis }: { analysis: HazardAnalysis }) {
  const worst = [...analysis.findings].sort((one, other) => rank(one.level) - rank(other.level)).slice(0, 6);
  const metadata = analysis.analysisMetadata;
  return (
    <div className={classes.evidence}>
      {worst.length > 0 ? (
        <>
          <h4>{worst.length < analysis.findings.length ? 'First findings' : 'Findings'}</h4>
          <ul>
            {worst.map((finding) => (
              <li key={finding.id}>
                <span className="mono">{placesText(finding.places, 2)}</span>
                <span>
                  {finding.hazardId && !finding.title.startsWith(finding.hazardId) ? (
                    <strong>{finding.hazardId} </strong>
                  ) : null}
                  {finding.title}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="soft">No rule of the list found a fault in this log.</p>
      )}
      {metadata ? (
        <>
          <h4>Coverage</h4>
          <CoverageBar coverage={metadata.coverage} analysed={metadata.jiraAnalysis.ticketsAnalyzed} />
        </>
      ) : null}
      {analysis.newHazards.length > 0 ? (
        <>
          <h4>{count(analysis.newHazards.length, 'proposed hazard')}</h4>
          <ul>
            {analysis.newHazards.slice(0, 5).map((hazard) => (
              <li key={hazard.id}>
                <span className="mono">{hazard.proposedId}</span>
                <span>
                  {hazard.values.name}
                  <span className="soft"> · {hazard.evidence.map((it) => it.ticketKey).join(', ')}</span>
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

function rank(level: 'fix' | 'check' | 'note'): number {
  return { fix: 0, check: 1, note: 2 }[level];
}
