/** Whether a write failed because a unique index holds the same key already (MongoDB's error 11000). */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  const it = error as { code?: number; keyPattern?: Record<string, unknown> } | null;
  if (it?.code !== 11_000) return false;
  return field === undefined || (it.keyPattern !== undefined && field in it.keyPattern);
}

/**
 * Does a write whose effect is keyed: when it has been done before, that is fine.
 * @returns true when this call did it.
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
