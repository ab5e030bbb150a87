import type { Evidence } from '../../../../models/contracts/clinical_safety/evidence.ts';
import {
  evidenceFigures,
  evidenceFiles,
  evidenceParts,
  evidenceSummary,
} from '../../../../models/contracts/clinical_safety/evidenceParts.ts';
import { dateOf, timeOf } from '../../../data/words.ts';
import { CoverageBar } from '../result/CoverageBar.tsx';
import { hasRatings, RiskMatrix } from '../result/RiskMatrix.tsx';
import classes from './EvidenceDocument.module.css';
import { Fields, Part } from './Record.tsx';

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
export function EvidenceDocument(pack: Evidence) {
  const { content, seal } = pack;
  const { analysis, metadata, hazards, timeZone } = content;
  const moment = (iso: string) => `${dateOf(iso, timeZone)}, ${timeOf(iso, timeZone)}`;
  return (
    <div className={classes.document}>
      <style>{pageRule(analysis.id, seal.digest)}</style>
      <header className={classes.head}>
        <p className="soft">{content.company}</p>
        <h1>Evidence of the analysis of {analysis.logFileName}</h1>
      </header>
      <dl className={classes.figures}>
        {evidenceFigures(content).map(([value, label]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section className={classes.part}>
        <h2 className="hidden-label">Summary</h2>
        <Fields fields={evidenceSummary(pack, moment)} />
      </section>
      {hasRatings(hazards) ? (
        <section className={classes.whole}>
          <h2>Risk</h2>
          <RiskMatrix hazards={hazards} matrix={metadata.log.matrix} selected={null} onSelect={() => {}} />
        </section>
      ) : null}
      <section className={classes.whole}>
        <h2>Coverage</h2>
        <CoverageBar coverage={metadata.coverage} analysed={metadata.jiraAnalysis.ticketsAnalyzed} />
      </section>
      {evidenceParts(content, moment).map((part) => (
        <Part key={part.title} part={part} />
      ))}
      <section className={classes.part}>
        <h2>Files and audit</h2>
        <Fields fields={evidenceFiles(pack)} />
      </section>
    </div>
  );
}
