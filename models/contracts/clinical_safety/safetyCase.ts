import { z } from 'zod';
import { attachment, startedWork } from '../chat.ts';
import { endpoint, idParam, isoDate } from '../endpoint.ts';

export const writeCaseReport = endpoint({
  method: 'post',
  path: '/api/clinical-safety-agent/:id/safety-case-report',
  summary: 'Write a draft of the safety case report as a Word document, from the newest analysis of the log',
  policy: 'signed-in',
  startsWork: true,
  rate: ['chat', 'chatAccount'],
  params: z.object({ id: idParam }),
  answer: startedWork,
});

export const writeComplianceSheet = endpoint({
  method: 'post',
  path: '/api/clinical-safety-agent/:id/compliance-sheet',
  summary: 'Write a DCB0129 compliance sheet as a workbook, clause by clause, from the newest analysis of the log',
  policy: 'signed-in',
  startsWork: true,
  rate: ['chat', 'chatAccount'],
  params: z.object({ id: idParam }),
  answer: startedWork,
});

/** The newest drafts are listed, up to this many. */
export const MAX_REPORTS_LISTED = 20;

export const listCaseReports = endpoint({
  method: 'get',
  path: '/api/clinical-safety-agent/:id/safety-case-reports',
  summary: `The drafts of the safety case report and compliance sheets that are kept, the newest first, up to ${MAX_REPORTS_LISTED}`,
  policy: 'signed-in',
  scopes: ['analyses:read'],
  params: z.object({ id: idParam }),
  answer: z.array(attachment.extend({ createdAt: isoDate })),
});
