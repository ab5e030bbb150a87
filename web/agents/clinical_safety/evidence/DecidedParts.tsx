import {
  type EvidenceContent,
  type EvidenceMatch,
  type EvidenceProposal,
  surfaceName,
} from '../../../../models/contracts/clinical_safety/evidence.ts';
import { PROPOSED_FIELDS } from '../../../../models/contracts/clinical_safety/proposals.ts';
import { additionOf, titleOfAddition } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { ROW_OUTCOMES } from '../../../../models/contracts/questionRows.ts';
import { withMatch } from '../result/Proposals.tsx';
import { placeText } from '../result/placeText.ts';
import { EvidencePart, EvidenceRecord, type Field } from './Record.tsx';

type Moment = (iso: string) => string;

const decidedText = ({ by, at, via }: { by: string; at: string; via: string }, moment: Moment) =>
  `${by}, ${moment(at)}, in ${surfaceName(via)}`;

/** The proposals and the matches, each with who decided it, when and where. */
export function DecidedParts({ content, moment }: { content: EvidenceContent; moment: Moment }) {
  const { proposals, matches } = content;
  return (
    <>
      <EvidencePart title="Proposals" count={proposals.length} empty="Nothing was proposed.">
        {proposals.map((proposal) => {
          const { decision } = proposal;
          const addition = additionOf(proposal, decision?.choice);
          const label = addition ? titleOfAddition(addition) : proposal.proposedId;
          const name =
            decision?.values?.name ?? addition?.values.name ?? withMatch(proposal, decision?.choice).values.name;
          return (
            <EvidenceRecord
              key={proposal.id}
              title={`${label}: ${name}`}
              state={outcomeText(decision)}
              fields={proposalFields(proposal, moment)}
            />
          );
        })}
      </EvidencePart>
      <EvidencePart title="Matches" count={matches.length} empty="No ticket has a possible match.">
        {matches.map((match) => (
          <EvidenceRecord
            key={`${match.ticketKey} ${match.hazardId}`}
            title={`${match.ticketKey} and ${match.hazardId}`}
            state={matchState(match)}
            fields={matchFields(match, moment)}
          />
        ))}
      </EvidencePart>
    </>
  );
}

function outcomeText(decision: EvidenceProposal['decision']): string {
  if (!decision) return 'Not decided';
  return ROW_OUTCOMES.find(({ id }) => id === decision.outcome)?.done ?? decision.outcome;
}

function proposalFields(proposal: EvidenceProposal, moment: Moment): Field[] {
  const { decision } = proposal;
  const addition = additionOf(proposal, decision?.choice);
  const shown = withMatch(proposal, decision?.choice);
  const values = { ...(addition?.values ?? shown.values), ...decision?.values };
  return [
    ['Decided by', decision && decidedText(decision, moment)],
    ['Reason', decision?.reason],
    ['Choice', decision?.bestMatch ? 'Nobody chose: Arc took the closest match' : null],
    ...PROPOSED_FIELDS.filter(({ name }) => name !== 'name').map(({ name, label }): Field => [label, values[name]]),
    [
      'For discussion',
      addition
        ? null
        : `${shown.suggested.severity} × ${shown.suggested.likelihood}, risk ${shown.suggested.risk} before controls; not written into the log`,
    ],
    ['Knowledge base', shown.candidates.map(({ kbId, title }) => `${kbId} ${title}`).join('; ')],
    ...proposal.evidence.map(({ ticketKey, quote }): Field => [ticketKey, `“${quote}”`]),
  ];
}

function matchState({ decision }: EvidenceMatch): string {
  if (!decision) return 'Not decided';
  if (decision.takenBack) return 'Taken back';
  return decision.covers ? 'Covered' : 'Not covered';
}

const matchFields = ({ basis, decision }: EvidenceMatch, moment: Moment): Field[] => [
  ['Decided by', decision && decidedText(decision, moment)],
  [
    'Taken back',
    decision?.takenBack &&
      `${decision.takenBack.by}, ${moment(decision.takenBack.at)}; it was ${decision.covers ? 'covered' : 'not covered'}`,
  ],
  ['Remark', decision?.isStale ? 'The texts changed since, so it has to be decided again' : null],
  ['Hazard', basis?.hazardName],
  ['Ticket says', basis && `“${basis.ticketQuote}”`],
  ['Hazard says', basis && `“${basis.hazardQuote}” (${placeText(basis.place)})`],
];
