import { z } from 'zod';

/** Kinds of message of this agent only. */
export const CLINICAL_SAFETY_MESSAGES = [
  'log-missing',
  'analysis-started',
  'analysis-complete',
  'review-complete',
  'matches-complete',
  'merge-complete',
] as const;

/** The kind of message that asks for a file. */
export const ASKS_FOR_FILE = 'log-missing' satisfies (typeof CLINICAL_SAFETY_MESSAGES)[number];

/** Fields of this agent's message cards. */
export const CLINICAL_SAFETY_CARD = { hazardAnalysisId: z.number().int().optional() };

/** The upload call for files of any agent; the specification named its path and field after the first agent's files. */
export const UPLOAD = {
  path: '/api/arc-chat/upload-hazard-log',
  field: 'hazardLogFile',
  summary: 'Upload a hazard log, a ticket export or a safety case report (multipart: hazardLogFile, sessionId)',
} as const;

/** Shown after a download that is refused as expired (docs/spec-coverage.md, S1 section 8). */
export const AFTER_EXPIRY = 'Please run the hazard analysis again to generate a new report.';
