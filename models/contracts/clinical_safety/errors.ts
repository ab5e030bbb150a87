import type { ErrorEntry } from '../errorEntry.ts';

/** Errors of the clinical safety agent. */
export const CLINICAL_SAFETY_ERRORS = {
  no_log: {
    status: 422,
    text: 'There is no hazard log yet. Upload one (.xlsx, .xls or CSV), then ask for the analysis again.',
    saidAs: 'log-missing',
  },
  no_analysis: { status: 422, text: 'Please complete a hazard log analysis before merging.' },
  no_report: {
    status: 422,
    text: 'There is no safety case report yet. Drop it in as a Word document or Markdown, or paste its text on the panel.',
  },
  no_analysis_to_report: {
    status: 422,
    text: 'There is no analysis yet. Upload a hazard log and ask for its analysis; the report is written from that.',
  },
  too_many_comments: { status: 422, text: 'A finding has up to {count} comments.' },
  no_result: { status: 422, text: 'This analysis has no result yet. Please open it once it is complete.' },
  too_long_to_print: {
    status: 422,
    text: 'This evidence has {records} records, and a PDF takes up to {most}. Download it as Excel, which takes all of them.',
  },
  review_pending: {
    status: 422,
    text: 'The proposals are waiting for a review. Answer it in the inbox, then merge.',
  },
} as const satisfies Record<string, ErrorEntry>;
