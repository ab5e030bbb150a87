import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { ChatMessage } from '../../../../models/contracts/chat.ts';
import { analysisPath } from '../../../../models/contracts/clinical_safety/analyses.ts';
import type { Finding } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { placesText } from '../../../../models/contracts/clinical_safety/placeText.ts';
import { additionOf, describeProposals } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import classes from '../../../parts/chat/ChatWindow.module.css';
import { Skeleton } from '../../../parts/Skeleton.tsx';
import { Tag } from '../../../parts/Tag.tsx';
import { useAnalysis } from '../analysis.ts';
import { CoverageBar } from '../result/CoverageBar.tsx';
import { FINDING_LEVELS } from '../result/findingLevels.ts';

/** Whether a message is the result of an analysis. */
export const isResult = ({ kind, card }: ChatMessage): boolean =>
  kind === 'analysis-complete' && card?.hazardAnalysisId !== undefined;

/** Toggles the evidence and links to the full result. */
export function ResultLinks({
  message,
  isOpen,
  onToggle,
}: {
  message: ChatMessage;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const id = message.card?.hazardAnalysisId;
  if (id === undefined) return null;
  return (
    <>
      <Button size="xs" variant="default" aria-expanded={isOpen} onClick={onToggle}>
        {isOpen ? 'Hide the evidence' : 'Show the evidence'}
      </Button>
      <Link to={analysisPath(id)}>Full result</Link>
    </>
  );
}

/** Findings, most severe first, then coverage and proposed hazards. */
export function Evidence({ message }: { message: ChatMessage }) {
  const { data: analysis, error } = useAnalysis(message.card?.hazardAnalysisId ?? null);
  if (!analysis) {
    return (
      <div className={classes.evidence}>
        {error ? (
          <p role="alert">The evidence could not be loaded. It is kept on the server.</p>
        ) : (
          <Skeleton lines={4} />
        )}
      </div>
    );
  }
  const orderOf = ({ level }: Finding) => FINDING_LEVELS[level].order;
  const worst = [...analysis.findings].sort((one, other) => orderOf(one) - orderOf(other)).slice(0, 6);
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
                  <Tag tone={FINDING_LEVELS[finding.level].tone}>{FINDING_LEVELS[finding.level].label}</Tag>{' '}
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
        <p className="soft">No rule found a fault in this log.</p>
      )}
      {metadata ? (
        <>
          <h4>Coverage</h4>
          <CoverageBar coverage={metadata.coverage} analysed={metadata.jiraAnalysis.ticketsAnalyzed} />
        </>
      ) : null}
      {analysis.newHazards.length > 0 ? (
        <>
          <h4>Proposed: {describeProposals(analysis.newHazards)}</h4>
          <ul>
            {analysis.newHazards.slice(0, 5).map((hazard) => (
              <li key={hazard.id}>
                <span className="mono">{additionOf(hazard)?.hazardId ?? hazard.proposedId}</span>
                <span>
                  {(additionOf(hazard)?.values ?? hazard.values).name}
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
