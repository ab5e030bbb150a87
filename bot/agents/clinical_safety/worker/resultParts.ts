import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { HazardJobName, HazardJobs, ResultPart } from './jobs.ts';

/** How many items of a list are sent in one message. */
export const PART_ITEMS = 300;

function* inParts<Item>(items: Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += PART_ITEMS) yield items.slice(at, at + PART_ITEMS);
}

/** Splits the long lists of a result into the parts that are sent. */
export function* partsOf({ existingHazards, tickets, findings }: AnalysisResult): Generator<ResultPart> {
  for (const items of inParts(existingHazards)) yield { field: 'existingHazards', items };
  for (const items of inParts(tickets)) yield { field: 'tickets', items };
  for (const items of inParts(findings)) yield { field: 'findings', items };
}

/**
 * A result without its long lists except those given, because sending ten thousand unused hazards would block the main
 * thread.
 */
export function withoutLists(
  result: AnalysisResult,
  keep: Partial<Pick<AnalysisResult, 'existingHazards' | 'tickets'>> = {},
): AnalysisResult {
  return { ...result, existingHazards: [], tickets: [], findings: [], ...keep };
}

/** Puts the parts that were sent ahead back into an output, in order. */
export function joinParts(
  output: HazardJobs[HazardJobName]['output'],
  parts: ResultPart[],
): HazardJobs[HazardJobName]['output'] {
  if (!('existingHazards' in output)) return output;
  for (const part of parts) {
    if (part.field === 'existingHazards') output.existingHazards.push(...part.items);
    else if (part.field === 'tickets') output.tickets.push(...part.items);
    else output.findings.push(...part.items);
  }
  return output;
}
