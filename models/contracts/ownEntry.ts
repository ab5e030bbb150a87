/**
 * A table's own entry for an untrusted name; undefined for anything else, so that inherited properties such as
 * `constructor` are never found.
 */
export const ownEntry = <T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
