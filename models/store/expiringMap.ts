/** What is kept for a while in memory, by key. */
type ExpiringMap<Value> = {
  /** The value; undefined where there is none, or none any more. */
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  deleteWhere(is: (value: Value) => boolean): void;
  clear(): void;
};

/**
 * Keeps what can be had again.
 * @param milliseconds how long each is believed; Infinity for what does not change
 * @param most how many are kept: with one more all go, so that it never grows without end
 */
export function makeExpiringMap<Value>(milliseconds: number, most = 10_000): ExpiringMap<Value> {
  const kept = new Map<string, { value: Value; until: number }>();
  return {
    get(key) {
      const one = kept.get(key);
      return one && one.until > Date.now() ? one.value : undefined;
    },
    set(key, value) {
      if (kept.size >= most && !kept.has(key)) kept.clear();
      kept.set(key, { value, until: Date.now() + milliseconds });
    },
    delete(key) {
      kept.delete(key);
    },
    deleteWhere(is) {
      for (const [key, { value }] of kept) if (is(value)) kept.delete(key);
    },
    clear: () => kept.clear(),
  };
}
