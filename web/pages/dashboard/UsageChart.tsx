import { dateOf, grouped } from '../../data/words.ts';
import classes from './UsageChart.module.css';

/** Credits used per day, as bars; the caption has the figures as text for screen readers. */
export function UsageChart({ usage }: { usage: readonly { day: string; used: number }[] }) {
  const most = Math.max(1, ...usage.map((it) => it.used));
  const total = usage.reduce((sum, it) => sum + it.used, 0);
  const first = usage[0]?.day;
  const last = usage.at(-1)?.day;
  return (
    <figure className={classes.chart}>
      <figcaption>
        <strong className="figures">{grouped(total)}</strong> credits used in the last {usage.length} days
        {total > 0 ? <span className="soft">, at most {grouped(most)} in one day</span> : null}
      </figcaption>
      <div className={classes.bars} aria-hidden>
        {usage.map((it) => (
          <div
            key={it.day}
            title={`${dateOf(it.day, 'UTC')}: ${grouped(it.used)}`}
            style={{ height: `${(it.used / most) * 100}%` }}
          />
        ))}
      </div>
      <div className={`soft small ${classes.axis}`} aria-hidden>
        <span>{first ? dateOf(first, 'UTC') : ''}</span>
        <span>{last ? dateOf(last, 'UTC') : ''}</span>
      </div>
    </figure>
  );
}
