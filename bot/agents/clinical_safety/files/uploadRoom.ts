import { AppError } from '../../../../models/contracts/errors.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import { type FileRow, StoredFile } from '../../../../models/file.ts';

const KINDS: FileRow['kind'][] = ['hazard-log', 'tickets'];

/** Bytes on their way in, by account: several files sent at once must not each find the same room. */
const arriving = new Map<number, number>();

function arrive(accountId: number, bytes: number): void {
  const total = (arriving.get(accountId) ?? 0) + bytes;
  if (total > 0) arriving.set(accountId, total);
  else arriving.delete(accountId);
}

/**
 * Keeps a hazard log or a ticket export, where there is room for one more. A file that is here already takes none.
 * @throws AppError uploads_full, with the day on which the oldest goes by itself
 */
export async function withUploadRoom<T>(
  { accountId, digest, bytes }: { accountId: number; digest: string; bytes: number },
  keep: () => Promise<T>,
): Promise<T> {
  arrive(accountId, bytes);
  try {
    const kept = await StoredFile.find(
      { accountId, kind: { $in: KINDS }, removed: false },
      { size: 1, digest: 1, expiresAt: 1 },
    )
      .sort({ createdAt: 1 })
      .lean();
    const size = kept.reduce((sum, file) => sum + file.size, arriving.get(accountId) ?? 0);
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
    arrive(accountId, -bytes);
  }
}
