import { z } from 'zod';
import { endpoint, idParam } from '../endpoint.ts';

/** Characters of a report that is pasted as text. */
export const MAX_REPORT_CHARACTERS = 400_000;

const section = z.object({
  id: z.string(),
  name: z.string(),
  /** The clause of DCB0129 behind it; null where it is good practice. */
  clause: z.string().nullable(),
  /** empty: the heading is there, and nothing under it but what a template says or leaves open. */
  state: z.enum(['found', 'empty', 'missing']),
  /** The heading as written; null where it is missing. */
  heading: z.string().nullable(),
});

const check = z.object({
  id: z.enum(['hazard-count', 'log-version', 'log-digest', 'hazard-ids', 'unknown-ids', 'risks', 'transferred']),
  /** not-stated: one of the two does not say it, so nothing could be compared. */
  outcome: z.enum(['agrees', 'differs', 'not-stated']),
  title: z.string(),
});
export type ReportCheck = z.infer<typeof check>;

/** A safety case report as it was read, and compared with the newest analysis of the log. */
export const checkedReport = z.object({
  fileName: z.string(),
  /** False for any other document; then nothing else is judged. */
  isReport: z.boolean(),
  /** What another document seems to be; null where that is not known. */
  seems: z.string().nullable(),
  sections: z.array(section),
  facts: z.object({
    title: z.string().nullable(),
    product: z.string().nullable(),
    version: z.string().nullable(),
    status: z.string().nullable(),
    date: z.string().nullable(),
    officers: z.array(z.string()),
    hazardCount: z.number().int().nullable(),
    logVersion: z.string().nullable(),
    logDigest: z.string().nullable(),
    documents: z.array(z.string()),
  }),
  /** Places left open, up to 200, with the heading that each stands under. */
  placeholders: z.array(z.object({ text: z.string(), under: z.string().nullable() })),
  placeholderCount: z.number().int(),
  /** Name of the log that it was compared with; null where there is no analysis yet. */
  comparedWith: z.string().nullable(),
  checks: z.array(check),
});
export type CheckedReport = z.infer<typeof checkedReport>;

export const parseCscr = endpoint({
  method: 'post',
  path: '/api/clinical-safety-agent/:id/parse-cscr',
  summary:
    'Read a safety case report and compare it with the newest analysis of the log (multipart: report; or JSON: text, or the id of an uploaded file or document)',
  policy: 'signed-in',
  startsWork: true,
  rate: ['upload', 'uploadAccount'],
  upload: 'report',
  params: z.object({ id: idParam }),
  body: z.object({
    text: z.string().trim().min(1).max(MAX_REPORT_CHARACTERS).optional(),
    fileId: z
      .string()
      .regex(/^[0-9a-f]{24}$/, 'This is not the id of a file.')
      .optional(),
  }),
  answer: z.object({
    success: z.literal(true),
    response: z.string(),
    report: checkedReport,
    workspaceId: z.number().int(),
  }),
});
