import { fail } from '../errors.ts';

/** A namespace with its parts: the database and the collection's name. */
export function partsOf(ns: string): { ns: string; db: string; name: string } {
  const dot = ns.indexOf('.');
  return { ns, db: ns.slice(0, Math.max(0, dot)), name: ns.slice(dot + 1) };
}

/** Refuses names MongoDB does not allow (code 73). */
export function checkNamespace(ns: string): void {
  const { db, name } = partsOf(ns);
  const wrong =
    db === '' ||
    name === '' ||
    /^\.|\.$/.test(name) ||
    ns.includes('\0') ||
    /[/\\. "$*<>:|?]/.test(db) ||
    db.length > 63;
  if (wrong) fail('InvalidNamespace', `Invalid namespace specified '${ns}'`);
  if (name.includes('$')) fail('InvalidNamespace', `Invalid collection name: ${name}`);
  if (Buffer.byteLength(ns) > 255) fail('InvalidNamespace', `Fully qualified namespace is too long: ${ns}`);
}
