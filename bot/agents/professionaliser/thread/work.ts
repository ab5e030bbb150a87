import { FileError } from '../../../engine/files/fileError.ts';
import { checkCarried } from '../control/checkCarried.ts';
import { type Given, type Plan, planDocument } from '../control/plan.ts';
import { type Author, countToFill, writeControlled } from '../control/writeControlled.ts';
import type { Variant } from '../rules/terms.ts';
import { readSource } from '../source/readSource.ts';
import { openDocument } from '../word/openDocument.ts';

type Source = { name: string; bytes: Uint8Array };

/** A job for a thread: open a document, plan its changes, or write it. */
export type Request =
  | { job: 'open'; source: Source }
  | { job: 'plan' | 'write'; source: Source; given: Given; author?: Author };

/** A document that was written, and what was done to it. */
type Written = Pick<Plan, 'title' | 'control' | 'openPoints'> & {
  bytes: Uint8Array;
  counts: { changes: number; open: number; toFill: number };
};

/** What each job gives. */
export type Output = { variants: readonly Variant[]; written: Written | null };

function write(bytes: Uint8Array, plan: Plan, { chosen }: Given, author: Author): Written {
  const written = writeControlled(bytes, plan, author);
  const problems = checkCarried(bytes, written, plan, chosen);
  if (problems.length > 0)
    throw new FileError('not_carried', `The check of the facts failed: ${problems.slice(0, 3).join(' ')}`);
  const { title, control, openPoints } = plan;
  const counts = { changes: plan.changes.length, open: openPoints.length, toFill: countToFill(plan) };
  return { title, control, openPoints, bytes: written, counts };
}

/** Does one job. @throws FileError with what to do */
export function work(request: Request): Output {
  const { name } = request.source;
  const bytes = readSource(name, request.source.bytes);
  const opened = openDocument(bytes);
  if (request.job === 'open') return { variants: [], written: null };
  const plan = planDocument(opened, name, request.given);
  const { variants } = plan.terms;
  return { variants, written: request.author ? write(bytes, plan, request.given, request.author) : null };
}
