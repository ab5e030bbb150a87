import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import type { HazardJobName, HazardJobs, ResultPart } from './jobs.ts';

/** How many items of a list go in one message. */
export const PART_ITEMS = 300;

function* inParts<Item>(items: Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += PART_ITEMS) yield items.slice(at, at + PART_ITEMS);
}

/** The long lists of a result, in the parts in which they are sent. */
export function* partsOf({ existingHazards, tickets, findings }: AnalysisResult): Generator<ResultPart> {
  for (const items of inParts(existingHazards)) yield { field: 'existingHazards', items };
  for (const items of inParts(tickets)) yield { field: 'tickets', items };
  for (const items of inParts(findings)) yield { field: 'findings', items };
}

/** A result without its long lists, but for those that are to be kept: sending ten thousand hazards that nobody looks at would hold up the main thread. */
export function withoutLists(
  result: AnalysisResult,
  keep: Partial<Pick<AnalysisResult, 'existingHazards' | 'tickets'>> = {},
): AnalysisResult {
  return { ...result, existingHazards: [], tickets: [], findings: [], ...keep };
}

/** Puts the parts that came ahead back into an output, in the order in which they came. */
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
