import type { NewHazard } from '../../../../models/contracts/clinical_safety/proposals.ts';
import {
  additionOf,
  describeDrafter,
  describeSuggested,
  withMatch,
} from '../../../../models/contracts/clinical_safety/proposalText.ts';
import type { RowDecision } from '../../../../models/contracts/questionRows.ts';
import { usePrinting } from '../../../data/printing.ts';
import { count } from '../../../data/words.ts';
import { Tag, type TagTone } from '../../../parts/Tag.tsx';
import classes from './AnalysisResult.module.css';

const outcomes: Record<RowDecision['outcome'], { label: string; tone: TagTone }> = {
  accepted: { label: 'Accepted', tone: 'done' },
  edited: { label: 'Accepted with edits', tone: 'done' },
  rejected: { label: 'Rejected', tone: 'error' },
};

/** Proposed hazards: the tickets point to them and the log lacks them. Each shows its tickets with quotes. */
export function Proposals({
  hazards,
  decisions,
}: {
  hazards: readonly NewHazard[];
  decisions: readonly RowDecision[] | null;
}) {
  const printing = usePrinting();
  if (hazards.length === 0) {
    return <p className="soft">Nothing was proposed: no ticket points clearly enough to one that the log lacks.</p>;
  }
  return (
    <ul className={classes.proposals}>
      {hazards.map((proposed, at) => {
        const decision = decisions?.find((row) => row.id === proposed.id);
        const hazard = withMatch(proposed, decision?.choice);
        const addition = additionOf(proposed, decision?.choice);
        const drafter = describeDrafter(hazard);
        const suggested = describeSuggested(hazard);
        const chosen =
          decision?.choice && !addition ? hazard.candidates.filter(({ kbId }) => kbId === decision.choice) : null;
        const values: Partial<NewHazard['values']> = { ...(addition?.values ?? hazard.values), ...decision?.values };
        return (
          <li key={hazard.id} className="card">
            <details open={at === 0 || printing}>
              <summary className={classes.proposalHead}>
                {addition ? null : <span className="mono">{hazard.proposedId}</span>}
                <strong>{values.name}</strong>
                {addition ? <Tag tone="accent">{addition.as === 'cause' ? 'New cause' : 'New control'}</Tag> : null}
                <span className="soft small">{count(hazard.evidence.length, 'ticket')}</span>
                {decision ? (
                  <Tag tone={outcomes[decision.outcome].tone}>{outcomes[decision.outcome].label}</Tag>
                ) : (
                  <Tag tone="waiting">{hazard.status}</Tag>
                )}
              </summary>
              {values.description ? <p>{values.description}</p> : null}
              <dl>
                <dt>Cause</dt>
                <dd>{values.cause || '–'}</dd>
                {addition ? (
                  <>
                    <dt>Added to</dt>
                    <dd>
                      <span className="mono">{addition.hazardId}</span> {addition.hazardName}. Its ratings stay as they
                      are.
                    </dd>
                  </>
                ) : (
                  <>
                    <dt>Clinical impact</dt>
                    <dd>{values.clinicalImpact || '–'}</dd>
                    <dt>For discussion</dt>
                    <dd>{suggested ? `${suggested}. Not written into the log.` : 'No rating is suggested.'}</dd>
                  </>
                )}
                <dt>{drafter ? 'Basis' : hazard.sure || chosen || addition ? 'Knowledge base' : 'Choose between'}</dt>
                <dd>
                  {drafter}
                  {(chosen ?? hazard.candidates).map((candidate) => (
                    <span key={candidate.kbId} className={classes.candidate}>
                      <span className="mono">{candidate.kbId}</span> {candidate.title}
                    </span>
                  ))}
                </dd>
              </dl>
              {hazard.possibleHazardIds?.length ? (
                <p>
                  Check first: the log may already have it as{' '}
                  <span className="mono">{hazard.possibleHazardIds.join(', ')}</span>.
                </p>
              ) : null}
              {hazard.evidence.map((evidence) => (
                <blockquote key={evidence.ticketKey + evidence.quote}>
                  <span className="mono">{evidence.ticketKey}</span> {evidence.quote}
                </blockquote>
              ))}
            </details>
          </li>
        );
      })}
    </ul>
  );
}
