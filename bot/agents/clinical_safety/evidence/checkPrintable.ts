import { type EvidenceContent, MAX_PRINTED_RECORDS } from '../../../../models/contracts/clinical_safety/evidence.ts';
import { AppError } from '../../../../models/contracts/errors.ts';

type Records = Pick<EvidenceContent, 'findings' | 'hazards' | 'tickets' | 'proposals' | 'matches'>;

/**
 * Refuses to print a pack with more records than a PDF may have.
 *
 * @throws AppError too_long_to_print
 */
export function checkPrintable({ findings, hazards, tickets, proposals, matches }: Records): void {
  const records = [findings, hazards, tickets, proposals, matches].reduce((sum, { length }) => sum + length, 0);
  if (records <= MAX_PRINTED_RECORDS) return;
  const [are, most] = [records, MAX_PRINTED_RECORDS].map((count) => count.toLocaleString('en-GB'));
  throw new AppError('too_long_to_print', { records: are ?? '', most: most ?? '' });
}
