import { type Evidence, evidenceFileName } from '../../../../models/contracts/clinical_safety/evidence.ts';
import {
  evidenceFigures,
  evidenceFiles,
  evidenceParts,
  evidenceSummary,
  filledFields,
} from '../../../../models/contracts/clinical_safety/evidenceParts.ts';
import type { Coverage } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { openPdf } from '../../../engine/files/pdfFlow.ts';
import { tableOfMatrix } from '../reports/matrixTable.ts';
import type { Stage } from '../reports/reportFigures.ts';
import type { ExportOutput } from '../worker/jobs.ts';

const STAGES: Record<Stage, string> = { initial: 'Before controls', residual: 'After controls' };

/** An evidence pack as a PDF: figures first, then every record, its fields below each other. */
export async function printEvidence(pack: Evidence): Promise<ExportOutput> {
  const { content, seal } = pack;
  const { analysis, metadata, hazards } = content;
  const moment = momentIn(content.timeZone);
  const title = `Evidence of the analysis of ${analysis.logFileName}`;
  const pdf = openPdf({
    title,
    foot: `Arc, analysis ${analysis.id}. SHA-256 ${seal.digest}`,
    madeAt: new Date(seal.madeAt),
  });
  pdf.paragraph(content.company);
  pdf.heading(title, 1);
  pdf.figures(evidenceFigures(content));
  pdf.fields(filledFields(evidenceSummary(pack, moment)));
  for (const stage of ['initial', 'residual'] as const) {
    const drawn = tableOfMatrix(hazards, stage, metadata.log.matrix, STAGES[stage]);
    if (!drawn || drawn.unplaced.length === hazards.length) continue;
    if (stage === 'initial') pdf.heading('Risk', 2);
    pdf.table(drawn.table);
    if (drawn.unplaced.length > 0)
      pdf.paragraph(`Without a place in the matrix: ${drawn.unplaced.map(({ id }) => id).join(', ')}.`);
  }
  pdf.heading('Coverage', 2);
  pdf.fields(filledFields(coverageFields(metadata.coverage, metadata.jiraAnalysis.ticketsAnalyzed)));
  for (const { title: part, empty, records } of evidenceParts(content, moment)) {
    pdf.heading(part, 2, records.length);
    if (records.length === 0) pdf.paragraph(empty);
    if (records.every(({ fields }) => fields.length === 0))
      pdf.list(records.map(({ code, title: text }) => `${code}  ${text}`));
    else for (const record of records) pdf.record({ ...record, fields: filledFields(record.fields) });
  }
  pdf.heading('Files and audit', 2);
  pdf.fields(evidenceFiles(pack));
  return {
    bytes: await pdf.end(),
    fileName: evidenceFileName(analysis.id, 'pdf'),
    contentType: 'application/pdf',
  };
}

function coverageFields({ relevant, covered, possible, none, unsure }: Coverage, analysed: number) {
  if (analysed === 0) return [['Tickets', 'No tickets were analysed, so coverage is not measured.'] as const];
  const count = (value: number | undefined) => value?.toLocaleString('en-GB') ?? null;
  return [
    ['Relevant tickets', count(relevant)],
    ['Covered', count(covered)],
    ['Possible', possible === undefined ? null : `${count(possible)}, not counted as covered`],
    ['No hazard', count(none)],
    ['Unsure', `${count(unsure)}, not counted as relevant`],
  ] as const;
}

/** "5 Jun 2026, 14:02" in a time zone. */
/** Times as people read them, in a time zone. */
export function momentIn(timeZone: string): (iso: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  });
  return (iso) => format.format(new Date(iso));
}
