import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { existingHazard, finding, logMatrix } from './hazards.ts';

export const runSample = endpoint({
  method: 'post',
  path: '/api/hazard-analysis/sample',
  summary: 'Analyse the built-in sample for a visitor: figures, first findings and the risk matrix; nothing is stored',
  policy: 'public',
  rate: 'sample',
  answer: z.object({
    logFileName: z.string(),
    ticketsFileName: z.string(),
    /** As on the card of an analysis. */
    figures: z.array(z.object({ label: z.string(), value: z.string() })),
    /** The first findings to fix. */
    findings: z.array(finding.pick({ id: true, title: true, hazardId: true, places: true })),
    /** Findings in all. */
    findingCount: z.number().int(),
    hazards: z.array(existingHazard.pick({ id: true, name: true, initial: true, residual: true, rows: true })),
    matrix: logMatrix,
  }),
});
