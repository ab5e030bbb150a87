import type { HazardAnalysis } from '../../../../models/contracts/clinical_safety/hazardAnalysis.ts';
import classes from './AnalysisResult.module.css';
import { NotRead } from './NotRead.tsx';
import { ReadAs } from './ReadAs.tsx';

/** Which sheet and columns were matched to which fields, so that a person can check. */
export function HowItWasRead({ analysis, open }: { analysis: HazardAnalysis; open: boolean }) {
  const log = analysis.analysisMetadata?.log;
  if (!log) return null;
  return (
    <details className={classes.details} open={open}>
      <summary>
        How the log was read
        {log.unread?.length ? <span className="soft">, {log.unread.length} not read</span> : null}
      </summary>
      <p>
        Sheet <strong>{log.sheet}</strong>, header in {log.headerRows.length === 1 ? 'row' : 'rows'}{' '}
        {log.headerRows.join(' and ')}, rows {log.firstDataRow} to {log.lastDataRow}.
      </p>
      <p>
        {log.columns.map((column) => (
          <span key={column.column} className={classes.column}>
            <span className="mono">{column.column}</span> {column.header}
            <span className="soft"> as {column.canonical.replaceAll('_', ' ')}</span>
          </span>
        ))}
      </p>
      <ReadAs analysis={analysis} />
      <NotRead log={log} />
      {log.remarks.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
      <p className="soft small">
        SHA-256 of the log <span className="mono">{analysis.analysisMetadata?.logDigest}</span>
      </p>
    </details>
  );
}
