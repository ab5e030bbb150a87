import { grouped } from '../../data/words.ts';
import classes from './Admin.module.css';

/** Key figures above a table. */
export function Summary({ figures }: { figures: { value: number; label: string; note: string }[] }) {
  return (
    <dl className={classes.summary}>
      {figures.map((figure) => (
        <div key={figure.label}>
          <dt>{figure.label}</dt>
          <dd>{grouped(figure.value)}</dd>
          <dd className={classes.note}>{figure.note}</dd>
        </div>
      ))}
    </dl>
  );
}
