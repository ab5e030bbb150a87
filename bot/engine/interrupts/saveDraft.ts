import { AppError } from '../../../models/contracts/errors.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { requireMayAnswer } from '../../../models/policies/interrupt.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changing } from '../../../models/store/revisions.ts';
import { kindOf, rowsOf } from '../questions/kinds/index.ts';
import { unfit } from '../questions/kinds/kind.ts';
import { decidersOf } from './deciders.ts';
import { canonicalJson } from './digest.ts';

/**
 * Saves the row decisions made so far: a reload loses nothing, and other reviewers see them.
 * @param chosen options chosen for undecided rows, by row id; omitted, they stay as they are
 * @param version the draft version that the page read
 * @param more the surface, and the decisions that one step made for all undecided rows
 * @throws AppError not_found, not_allowed, conflict where somebody saved in between, bad_request for a row that is not
 *   part of the review or is decided twice
 */
export async function saveDraft(
  who: Who,
  interruptId: number,
  rows: RowDecision[],
  version: number,
  chosen?: Record<string, string>,
  { via = 'inbox', rest }: { via?: Surface; rest?: RowDecision[] } = {},
): Promise<InterruptRow> {
  const row = await Interrupt.findOne({ _id: interruptId, accountId: who.accountId }).lean();
  if (!row || !kindOf(row.interruptType).hasDraft) throw new AppError('not_found');
  requireMayAnswer(who, row);
  requireRowsOf(row, rows);
  const at = new Date();
  const saved = await changing(who.accountId, ['interrupts'], () =>
    Interrupt.findOneAndUpdate(
      { _id: interruptId, status: 'pending', 'draft.version': version },
      {
        $set: {
          'draft.rows': rows,
          'draft.version': version + 1,
          'draft.savedAt': at,
          'draft.savedBy': who.name,
          // A signature holds for the decisions that were signed.
          ...(row.firstSignature ? { firstSignature: null } : {}),
          decidedBy: decidersOf(row, rows, { userId: who.userId, name: who.name, via, at }),
          ...(chosen ? { 'draft.chosen': chosen } : {}),
          ...(rest ? { 'draft.rest': rest } : {}),
          ...(row.draft?.kept ? { 'draft.kept': untouched(row.draft, rows) } : {}),
        },
      },
      { returnDocument: 'after' },
    ).lean(),
  );
  if (!saved) throw new AppError('conflict');
  return saved;
}

/** @throws AppError bad_request: such a draft could never be sent, and its counts would be wrong */
function requireRowsOf(row: InterruptRow, decided: readonly RowDecision[]): void {
  if (row.status !== 'pending') return;
  const left = new Set(rowsOf(row).map(({ id }) => id));
  if (!decided.every(({ id }) => left.delete(id)))
    throw unfit('rows', 'A row is not part of this review, or was decided on twice. Reload and try again.');
}

/** Ids of carried-over rows whose decision is unchanged. */
function untouched({ rows, kept = [] }: NonNullable<InterruptRow['draft']>, next: readonly RowDecision[]): string[] {
  const of = (list: readonly RowDecision[], id: string) => canonicalJson(list.find((it) => it.id === id) ?? null);
  return kept.filter((id) => of(rows, id) === of(next, id));
}
