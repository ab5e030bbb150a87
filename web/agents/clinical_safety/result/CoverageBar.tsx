import type { Coverage } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { count, grouped } from '../../../data/words.ts';
import classes from './CoverageBar.module.css';

/** How many of the relevant tickets the log covers, with the unsure band beside and every figure in words. */
export function CoverageBar({ coverage, analysed }: { coverage: Coverage; analysed: number }) {
  const { covered, relevant, unsure, threshold, relevanceThreshold, unsureThreshold } = coverage;
  // Results of before counted matches of words too; they have no figure of their own for what is possible.
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
          {grouped(possible)} possible by their words, not counted
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
        {count(analysed, 'ticket')} analysed.{' '}
        {counted
          ? `A ticket counts as covered where the log or the ticket names the other, or a person confirmed it. It is possible from a match of words of ${threshold}`
          : `This analysis is of an earlier version, which counted matches of words from ${threshold} as covered; run it again for today’s figure. A ticket counts`}
        , as relevant from {relevanceThreshold}; between {unsureThreshold} and that it is unsure.
      </p>
    </div>
  );
}
