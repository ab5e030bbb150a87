/**
 * The entry of a table by a name that came from outside; undefined where the table itself has none, so that names of
 * every object, e.g. `constructor`, find nothing.
 */
export const ownEntry = <T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
