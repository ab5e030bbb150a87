import { AppError } from '../../../../models/contracts/errors.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { type FileRow, StoredFile } from '../../../../models/file.ts';

const KINDS: FileRow['kind'][] = ['hazard-log', 'tickets', 'safety-report'];

/** Bytes being stored, by account, so that concurrent uploads do not all count on the same free room. */
const pendingBytes = new Map<number, number>();

function addPending(accountId: number, bytes: number): void {
  const total = (pendingBytes.get(accountId) ?? 0) + bytes;
  if (total > 0) pendingBytes.set(accountId, total);
  else pendingBytes.delete(accountId);
}

/**
 * Stores a hazard log, a ticket export or a report if the account has room for it. A file that is already stored needs no room.
 * @throws AppError uploads_full, with the day on which the oldest expires
 */
export async function withUploadRoom<T>(
  { accountId, digest, bytes }: { accountId: number; digest: string; bytes: number },
  keep: () => Promise<T>,
): Promise<T> {
  addPending(accountId, bytes);
  try {
    const kept = await StoredFile.find(
      { accountId, kind: { $in: KINDS }, removed: false },
      { size: 1, digest: 1, expiresAt: 1 },
    )
      .sort({ createdAt: 1 })
      .lean();
    const size = kept.reduce((sum, file) => sum + file.size, pendingBytes.get(accountId) ?? 0);
    if (size > LIMITS.uploads.bytes && !kept.some((file) => file.digest === digest)) {
      throw new AppError('uploads_full', {
        megabytes: LIMITS.uploads.bytes / 2 ** 20,
        days: LIMITS.retentionDays,
        day:
          kept
            .find(({ expiresAt }) => expiresAt)
            ?.expiresAt?.toISOString()
            .slice(0, 10) ?? 'a later day',
      });
    }
    return await keep();
  } finally {
    addPending(accountId, -bytes);
  }
}
