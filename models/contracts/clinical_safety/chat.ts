import { z } from 'zod';

/** Kinds of message that this agent alone says. */
export const CLINICAL_SAFETY_MESSAGES = [
  'log-missing',
  'analysis-started',
  'analysis-complete',
  'review-complete',
  'merge-complete',
] as const;

/** What this agent's messages carry on their cards. */
export const CLINICAL_SAFETY_CARD = { hazardAnalysisId: z.number().int().optional() };

/** How files for any agent are uploaded: the specification named path and field after what the first agent takes. */
export const UPLOAD = {
  path: '/api/arc-chat/upload-hazard-log',
  field: 'hazardLogFile',
  summary: 'Upload a hazard log or a ticket export (multipart: hazardLogFile, sessionId)',
} as const;

/** Said after a download that is refused as expired (specification 1, section 8). */
export const AFTER_EXPIRY = 'Please run the hazard analysis again to generate a new report.';
