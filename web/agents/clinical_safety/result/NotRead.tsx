import type { AnalysisResult, Unread } from '../../../../models/contracts/clinical_safety/hazards.ts';
import classes from './NotRead.module.css';

type LogShape = AnalysisResult['analysisMetadata']['log'];

const KINDS: [kind: Unread['what'], title: string][] = [
  ['sheet', 'Sheets'],
  ['column', 'Columns'],
  ['rows', 'Rows'],
  ['id', 'Ids without a hazard'],
];

/** Older results only list unmatched columns. */
const columnsOf = ({ unmatched, sheet }: LogShape): Unread[] =>
  unmatched.map(({ header, column }) => ({
    what: 'column',
    label: header,
    note: `column ${column}`,
    place: { sheet, cell: column },
  }));

/** Sheets, columns, rows and ids that no hazard was read from, each with its place. */
export function NotRead({ log }: { log: LogShape }) {
  const unread = log.unread ?? columnsOf(log);
  if (unread.length === 0) return null;
  return (
    <section aria-label="Not read" className={classes.unread}>
      <h4>Not read</h4>
      {KINDS.map(([kind, title]) => {
        const of = unread.filter(({ what }) => what === kind);
        return of.length === 0 ? null : (
          <div key={kind} className={classes.kind}>
            <h5>{title}</h5>
            <ul>
              {of.map(({ label, note, place }) => (
                <li key={`${label} ${place.sheet} ${place.cell}`}>
                  {label} <span className="soft">{kind === 'id' ? `${note}, ${place.sheet} ${place.cell}` : note}</span>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}
