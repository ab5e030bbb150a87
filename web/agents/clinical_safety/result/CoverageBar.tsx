import type { Coverage } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { usePrinting } from '../../../data/printing.ts';
import { count, grouped } from '../../../data/words.ts';
import classes from './CoverageBar.module.css';

/** How many of the relevant tickets the log covers: a bar with the unsure tickets at its end, and a legend. */
export function CoverageBar({
  coverage,
  analysed,
  chosen = null,
}: {
  coverage: Coverage;
  analysed: number;
  /** What a language model chose, in sentences; absent where none was asked, or it is said beside. */
  chosen?: string | null;
}) {
  const { covered, relevant, unsure, threshold, relevanceThreshold, unsureThreshold } = coverage;
  const printing = usePrinting();
  // Older results counted text matches as covered and have no figure for possible matches.
  const counted = coverage.possible !== undefined;
  const possible = coverage.possible ?? 0;
  const none = coverage.none ?? relevant - covered;
  if (analysed === 0) return <p className="soft">No tickets were analysed, so coverage is not measured.</p>;
  const total = Math.max(1, relevant + unsure);
  const share = (part: number) => `${(part / total) * 100}%`;
  const percent = relevant === 0 ? null : Math.round((covered / relevant) * 100);
  return (
    <div className={classes.coverage}>
      <p>
        <strong className="figures">
          {grouped(covered)} of {grouped(relevant)}
        </strong>{' '}
        relevant {relevant === 1 ? 'ticket is' : 'tickets are'} covered by a hazard
        {percent === null ? '' : ` (${percent} per cent)`}
      </p>
      <div className={classes.bar} aria-hidden>
        <div className={classes.covered} style={{ width: share(covered) }} />
        <div className={classes.possible} style={{ width: share(possible) }} />
        <div className={classes.open} style={{ width: share(none) }} />
        <div className={classes.unsure} style={{ width: share(unsure) }} />
      </div>
      <ul className={classes.legend}>
        <li>
          <span className={classes.covered} aria-hidden />
          {grouped(covered)} covered
        </li>
        <li>
          <span className={classes.possible} aria-hidden />
          {grouped(possible)} possible matches, not counted
        </li>
        <li>
          <span className={classes.open} aria-hidden />
          {grouped(none)} with no hazard
        </li>
        <li>
          <span className={classes.unsure} aria-hidden />
          {grouped(unsure)} unsure, listed and not counted
        </li>
      </ul>
      <p className="soft small">
        {count(analysed, 'ticket')} analysed.
        {counted
          ? ''
          : ` This analysis is from an earlier version, which counted text matches from a score of ${threshold} as covered. Run it again for a current figure.`}
      </p>
      {chosen ? <p className="soft small">{chosen}</p> : null}
      <details className={classes.method} open={printing}>
        <summary>How this is counted</summary>
        <p className="soft small">
          A ticket is relevant from a score of {relevanceThreshold}, and unsure from {unsureThreshold}.
          {counted
            ? ` It is covered if the log names the ticket, the ticket names the hazard, or a person confirmed it. A text match from a score of ${threshold} is only possible. A confirmed match counts until the ticket or the hazard changes; then it is asked about again.`
            : ''}
        </p>
      </details>
    </div>
  );
}
