/** Whether a write failed on a unique index (MongoDB's error 11000), optionally on one that contains `field`. */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  const it = error as { code?: number; keyPattern?: Record<string, unknown> } | null;
  if (it?.code !== 11_000) return false;
  return field === undefined || (it.keyPattern !== undefined && field in it.keyPattern);
}

/**
 * Performs an idempotent write: a duplicate key means that it was done before.
 * @returns whether this call performed it
 */
export async function onceByKey(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
