/** Display name of the subject of an audit row, and the path of its page; null without one. */
export type NamedSubject = { text: string; path: string | null };

/** Looks up the names of subjects of one kind by id. Ids without a name, e.g. of deleted rows, are absent. */
export type SubjectReader = (accountId: number, ids: readonly string[]) => Promise<Map<string, NamedSubject>>;

const readers = new Map<string, SubjectReader>();

/** Registers the reader that names subjects of a kind; the chain itself holds only ids. */
export function registerSubjects(kind: string, reader: SubjectReader): void {
  readers.set(kind, reader);
}

/** Names by subject (`kind:id`). Subjects without a registered reader or without a name are absent. */
export async function nameSubjects(accountId: number, subjects: readonly string[]): Promise<Map<string, NamedSubject>> {
  const named = await Promise.all(
    [...readers].map(async ([kind, reader]) => {
      const start = `${kind}:`;
      const ids = new Set(subjects.flatMap((it) => (it.startsWith(start) ? [it.slice(start.length)] : [])));
      const found = ids.size > 0 ? await reader(accountId, [...ids]) : [];
      return [...found].map(([id, name]) => [`${start}${id}`, name] as const);
    }),
  );
  return new Map(named.flat());
}
