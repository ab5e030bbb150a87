/** Makes a value when it is first asked for, and keeps it: for tables that most processes never read. */
export function onFirstUse<T>(make: () => T): () => T {
  let kept: { value: T } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
}
