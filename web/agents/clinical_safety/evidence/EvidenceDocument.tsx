import type { Evidence } from '../../../../models/contracts/clinical_safety/evidence.ts';
import { describeProposals } from '../../../../models/contracts/clinical_safety/proposalText.ts';
import { dateOf, grouped, timeOf } from '../../../data/words.ts';
import { ANALYSIS_STATUSES } from '../analyses/analyses.ts';
import { CoverageBar } from '../result/CoverageBar.tsx';
import { hasRatings, RiskMatrix } from '../result/RiskMatrix.tsx';
import { DecidedParts } from './DecidedParts.tsx';
import classes from './EvidenceDocument.module.css';
import { LogParts } from './LogParts.tsx';
import { type Field, Fields } from './Record.tsx';
import { TicketParts } from './TicketParts.tsx';

/** The foot of every printed page. Only digits and hexadecimal letters come from the data. */
const pageRule = (id: number, digest: string) => `@page {
  size: A4;
  margin: 16mm 14mm 18mm;
  @bottom-left {
    content: "Arc, analysis ${id}. SHA-256 ${digest.replace(/[^0-9a-f]/g, '')}";
    font: 6.5pt monospace;
  }
  @bottom-right {
    content: "Page " counter(page) " of " counter(pages);
    font: 8pt sans-serif;
  }
}`;

/** An evidence pack as a document: figures first, then every record, its fields below each other. */
export function EvidenceDocument({ content, seal }: Evidence) {
  const { analysis, metadata, findings, hazards, tickets, timeZone, files } = content;
  const moment = (iso: string) => `${dateOf(iso, timeZone)}, ${timeOf(iso, timeZone)}`;
  const { coverage, jiraAnalysis, log } = metadata;
  const count = (level: string) => findings.filter((finding) => finding.level === level).length;
  const figures: [value: string, label: string][] = [
    [grouped(hazards.length), hazards.length === 1 ? 'hazard' : 'hazards'],
    [grouped(count('fix')), 'to fix'],
    [grouped(count('check')), 'to check'],
    jiraAnalysis.ticketsAnalyzed > 0
      ? [`${grouped(coverage.covered)} of ${grouped(coverage.relevant)}`, 'relevant tickets covered']
      : ['0', 'tickets analysed'],
  ];
  const summary: Field[] = [
    ['Hazard log', `${analysis.logFileName}${analysis.logVersion ? `, version ${analysis.logVersion}` : ''}`],
    ['Tickets', analysis.ticketsFileName ?? jiraAnalysis.source ?? 'None'],
    ['Sample', analysis.isSample ? 'Yes: a sample log of Arc, not of the company' : null],
    ['Analysed', moment(analysis.createdAt)],
    ['Started by', analysis.by ?? 'A schedule, or a person who left'],
    ['Status', ANALYSIS_STATUSES[analysis.status].label],
    ['Proposed', describeProposals(content.proposals)],
    ['Engine', `${metadata.engineVersion}, ${metadata.standard}`],
    ['Language model', metadata.modelUsed === false ? 'None' : metadata.modelUsed],
    ['Risk matrix', log.matrix.name],
    ['Made', `${moment(seal.madeAt)}. All times are in ${timeZone}.`],
  ];
  return (
    <div className={classes.document}>
      <style>{pageRule(analysis.id, seal.digest)}</style>
      <header className={classes.head}>
        <p className="soft">{content.company}</p>
        <h1>Evidence of the analysis of {analysis.logFileName}</h1>
      </header>
      <dl className={classes.figures}>
        {figures.map(([value, label]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section className={classes.part}>
        <h2 className="hidden-label">Summary</h2>
        <Fields fields={summary} />
      </section>
      {hasRatings(hazards) ? (
        <section className={classes.whole}>
          <h2>Risk</h2>
          <RiskMatrix hazards={hazards} matrix={log.matrix} selected={null} onSelect={() => {}} />
        </section>
      ) : null}
      <section className={classes.whole}>
        <h2>Coverage</h2>
        <CoverageBar coverage={coverage} analysed={jiraAnalysis.ticketsAnalyzed} />
      </section>
      <LogParts content={content} moment={moment} />
      <DecidedParts content={content} moment={moment} />
      <TicketParts tickets={tickets} />
      <section className={classes.part}>
        <h2>Files and audit</h2>
        <Fields
          fields={[
            ...files.map(
              ({ use, fileName, digest }): Field => [
                use,
                <>
                  {fileName}
                  <br />
                  <span className={classes.digest}>SHA-256 {digest}</span>
                </>,
              ],
            ),
            [
              'This content',
              <>
                <span className={classes.digest}>SHA-256 {seal.digest}</span>
                <br />
                Every copy with this digest, printed or as a workbook, says the same.
              </>,
            ],
            [
              'Audit chain',
              seal.chainHead ? (
                <>
                  Head at row {grouped(seal.chainHead.seq)}
                  <br />
                  <span className={classes.digest}>SHA-256 {seal.chainHead.hash}</span>
                </>
              ) : (
                'No rows'
              ),
            ],
          ]}
        />
      </section>
    </div>
  );
}
