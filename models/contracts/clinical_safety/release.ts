import { z } from 'zod';
import { endpoint, idParam } from '../endpoint.ts';

/** What a manifest calls its own form; docs/verify-release.mjs reads this one. */
export const RELEASE_FORMAT = 'arc-release/1';

/** The file name of the release file of an analysis. */
export const releaseFileName = (id: number): string => `release-of-analysis-${id}.zip`;

export const exportRelease = endpoint({
  method: 'get',
  path: '/api/hazard-analysis/:id/release.zip',
  summary:
    'The evidence of one analysis (JSON, XLSX, DOCX) with digests and rows of the audit chain, signed, for outsiders to verify',
  policy: 'owner',
  params: z.object({ id: idParam }),
  answerType: 'file',
});
