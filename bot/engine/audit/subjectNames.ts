/** What an audit row was done to, as people call it, and the page that shows it. */
export type NamedSubject = { text: string; path: string | null };

/** Names subjects of one kind by their ids. Ids without a name, e.g. since it was deleted, are absent. */
export type SubjectReader = (accountId: number, ids: readonly string[]) => Promise<Map<string, NamedSubject>>;

const readers = new Map<string, SubjectReader>();

/** Registers how subjects of a kind are named: the chain holds ids only. */
export function registerSubjects(kind: string, reader: SubjectReader): void {
  readers.set(kind, reader);
}

/** The names of subjects, `kind:id`, by the subject. Absent: kinds that nobody names, and what has no name any more. */
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
