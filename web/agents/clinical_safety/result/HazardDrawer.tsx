import type { ExistingHazard, Finding, TicketVerdict } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { placeText } from '../../../../models/contracts/clinical_safety/placeText.ts';
import { NotLoaded } from '../../../parts/NotLoaded.tsx';
import { SideDrawer } from '../../../parts/SideDrawer.tsx';
import { useTickets } from '../analysis.ts';
import classes from '../findings/FindingDrawer.module.css';
import { HazardHistory } from './HazardHistory.tsx';
import { ratingText } from './ratingText.ts';

function List({ title, lines, none }: { title: string; lines: readonly string[]; none: string }) {
  return (
    <section className={classes.part}>
      <h3>
        {title} {lines.length > 0 ? lines.length : null}
      </h3>
      {lines.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <ul style={{ margin: 0, paddingLeft: 20 }}>
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a log may say the same twice
            <li key={at}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The tickets of a hazard, each with its deciding words. */
function Evidence({ title, none, tickets }: { title: string; none: string; tickets: readonly TicketVerdict[] }) {
  return (
    <section className={classes.part}>
      <h3>
        {title} {tickets.length > 0 ? tickets.length : null}
      </h3>
      {tickets.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <ul className={classes.comments}>
          {tickets.map(({ key, summary, quote }) => (
            <li key={key}>
              <span className="mono">{key}</span> {summary}
              {quote ? <blockquote className={classes.quote}>{quote}</blockquote> : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** One hazard of the log with everything that it has: fields, causes, controls, findings, tickets and its past. */
export function HazardDrawer({
  analysisId,
  hazard,
  findings,
  onClose,
}: {
  analysisId: number;
  hazard: ExistingHazard;
  findings: readonly Finding[];
  onClose: () => void;
}) {
  const tickets = useTickets(analysisId);
  const { rows } = hazard;
  const facts: [string, string | null | undefined][] = [
    ['Description', hazard.description],
    ['Type', hazard.type],
    ['Clinical impact', hazard.clinicalImpact],
    ['Initial risk', ratingText(hazard.initial)],
    ['Residual risk', ratingText(hazard.residual)],
    ['Rationale', hazard.rationale],
    ['Owner', hazard.owner],
    ['Status', hazard.status],
    ['Review date', hazard.reviewDate],
    ['Rows', `${rows.sheet}, ${rows.first === rows.last ? rows.first : `${rows.first} to ${rows.last}`}`],
  ];
  const own = findings.filter(({ hazardId }) => hazardId === hazard.id);
  const covered = (tickets.data ?? []).filter(
    ({ key, hazardIds }) => hazardIds.includes(hazard.id) || hazard.ticketKeys.includes(key),
  );
  const possible = (tickets.data ?? []).filter(
    (ticket) => ticket.possibleHazardIds?.includes(hazard.id) && !covered.includes(ticket),
  );
  return (
    <SideDrawer title={`${hazard.id} ${hazard.name}`} close="Close the hazard" onClose={onClose}>
      <dl className={classes.facts}>
        {facts.map(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      <List
        title="Cause entries"
        none="The log names no cause."
        lines={hazard.causes.map(({ text, place }) => `${text} (${placeText(place)})`)}
      />
      <List
        title="Control entries"
        none="The log names no control."
        lines={hazard.controls.map(
          ({ text, status, place }) => `${text}${status ? `, ${status}` : ''} (${placeText(place)})`,
        )}
      />
      <List
        title="Findings"
        none="No finding is about this hazard alone."
        lines={own.map(({ title, places }) => `${title}${places[0] ? ` (${placeText(places[0])})` : ''}`)}
      />
      {tickets.data ? (
        <>
          <Evidence title="Tickets" none="No ticket names this hazard or is covered by it." tickets={covered} />
          {possible.length > 0 ? (
            <Evidence title="Similar tickets, not counted as covered:" none="" tickets={possible} />
          ) : null}
        </>
      ) : (
        <NotLoaded failed={Boolean(tickets.error)} retry={tickets.mutate} />
      )}
      <HazardHistory analysisId={analysisId} hazard={hazard} />
    </SideDrawer>
  );
}
