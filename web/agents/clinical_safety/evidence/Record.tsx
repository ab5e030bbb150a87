import type { ReactNode } from 'react';
import classes from './EvidenceDocument.module.css';

/** A field of a record; one without a value is left out. */
export type Field = readonly [label: string, value: ReactNode];

/** Label and value in stacked rows, which fit a sheet of paper and a phone. */
export function Fields({ fields }: { fields: readonly Field[] }) {
  const shown = fields.filter(([, value]) => value !== null && value !== '' && value !== undefined);
  return (
    <dl className={classes.fields}>
      {shown.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** One finding, hazard, match or proposal with its fields below each other. */
export function EvidenceRecord({
  title,
  state,
  fields,
}: {
  title: ReactNode;
  state?: string;
  fields: readonly Field[];
}) {
  return (
    <article className={classes.record}>
      <h3>
        <span>{title}</span>
        {state ? <span className={classes.state}>{state}</span> : null}
      </h3>
      <Fields fields={fields} />
    </article>
  );
}

/** A part of the document with its heading; `empty` stands where it has no records. */
export function EvidencePart({
  title,
  count,
  empty,
  children,
}: {
  title: string;
  count: number;
  empty: string;
  children: ReactNode;
}) {
  return (
    <section className={classes.part}>
      <h2>
        {title} <span className={classes.count}>{count.toLocaleString('en-GB')}</span>
      </h2>
      {count === 0 ? <p className="soft">{empty}</p> : children}
    </section>
  );
}
