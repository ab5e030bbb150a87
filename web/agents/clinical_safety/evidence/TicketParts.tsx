import type { TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import classes from './EvidenceDocument.module.css';
import { EvidencePart, EvidenceRecord, type Field } from './Record.tsx';

const COVERED_BY: Record<NonNullable<TicketVerdict['coveredBy']>, string> = {
  link: 'a link in the log or the ticket',
  match: 'similar words (earlier method)',
  person: 'a person’s decision',
};

/** The verdict on every ticket; those that are not relevant take a line each. */
export function TicketParts({ tickets }: { tickets: readonly TicketVerdict[] }) {
  const judged = tickets.filter(({ relevance }) => relevance !== 'not');
  const others = tickets.filter(({ relevance }) => relevance === 'not');
  return (
    <>
      <EvidencePart title="Tickets" count={judged.length} empty="No ticket is relevant to safety.">
        {judged.map((ticket) => (
          <EvidenceRecord
            key={ticket.key}
            title={
              <>
                <span className="mono">{ticket.key}</span> {ticket.summary}
              </>
            }
            state={stateOf(ticket)}
            fields={fieldsOf(ticket)}
          />
        ))}
      </EvidencePart>
      {others.length > 0 ? (
        <EvidencePart title="Tickets that are not relevant to safety" count={others.length} empty="">
          <ul className={classes.lines}>
            {others.map(({ key, summary }) => (
              <li key={key}>
                <span className="mono">{key}</span> {summary}
              </li>
            ))}
          </ul>
        </EvidencePart>
      ) : null}
    </>
  );
}

function stateOf({ relevance, coveredBy, possibleHazardIds = [] }: TicketVerdict): string {
  if (relevance === 'unsure') return 'Unsure, not counted';
  if (coveredBy) return 'Covered';
  return possibleHazardIds.length > 0 ? 'Possible match, not counted' : 'No hazard';
}

const fieldsOf = ({ hazardIds, coveredBy, possibleHazardIds = [], kbIds, quote }: TicketVerdict): Field[] => [
  ['Hazards', coveredBy ? `${hazardIds.join(', ')}, by ${COVERED_BY[coveredBy]}` : null],
  ['Possible', possibleHazardIds.join(', ')],
  ['Quote', quote && `“${quote}”`],
  ['Knowledge base', kbIds.join(', ') || 'No kind of hazard'],
];
