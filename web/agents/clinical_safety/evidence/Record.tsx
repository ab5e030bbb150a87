import type { ReactNode } from 'react';
import {
  type EvidenceField,
  type EvidencePart,
  type EvidenceRecord,
  filledFields,
} from '../../../../models/contracts/clinical_safety/evidenceParts.ts';
import classes from './EvidenceDocument.module.css';

/** Label and value in stacked rows, which fit a sheet of paper and a phone. */
export function Fields({ fields }: { fields: readonly EvidenceField[] }) {
  return (
    <dl className={classes.fields}>
      {filledFields(fields).map(([label, value, digest]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {typeof value === 'string' ? value : <Lines lines={value ?? []} />}
            {digest ? (
              <>
                <br />
                <span className={classes.digest}>SHA-256 {digest}</span>
              </>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Lines({ lines }: { lines: readonly ReactNode[] }) {
  return (
    <ul className={classes.lines}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a printed list never changes
        <li key={at}>{line}</li>
      ))}
    </ul>
  );
}

const titleOf = ({ code, title }: EvidenceRecord) =>
  code === null ? (
    title
  ) : (
    <>
      <span className="mono">{code}</span> {title}
    </>
  );

/** One part of the document: a record each, or a list of those without fields. */
export function Part({ part: { title, empty, records } }: { part: EvidencePart }) {
  const isList = records.every(({ fields }) => fields.length === 0);
  return (
    <section className={classes.part}>
      <h2>
        {title} <span className={classes.count}>{records.length.toLocaleString('en-GB')}</span>
      </h2>
      {records.length === 0 ? (
        <p className="soft">{empty}</p>
      ) : isList ? (
        <Lines lines={records.map(titleOf)} />
      ) : (
        records.map((record) => (
          <article key={record.key} className={classes.record}>
            <h3>
              <span>{titleOf(record)}</span>
              {record.state ? <span className={classes.state}>{record.state}</span> : null}
            </h3>
            <Fields fields={record.fields} />
          </article>
        ))
      )}
    </section>
  );
}
