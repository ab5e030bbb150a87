import { domainToASCII } from 'node:url';

/** Providers for which dots in the first part say nothing, with their one name. */
const DOTLESS: Record<string, string> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' };

const SHAPE = /^[^\s@"<>(),;:*]+@[^\s@"<>(),;:]+\.[^\s@"<>(),;:.]{2,}$/u;

/** A text as an address is written: of a common width, in lower case, without name, brackets, “mailto:” and spaces. */
function plainAddress(text: string): string {
  const wide = text.normalize('NFKC').trim();
  const inside = /<([^<>]*)>/.exec(wide)?.[1] ?? wide;
  return inside
    .replace(/^mailto:/i, '')
    .replace(/\?.*$/, '')
    .replace(/(?<![.,;!])[.,;!]+$/, '')
    .trim()
    .toLowerCase();
}

/** A domain in ASCII, without a point at its end; empty where it is none. */
const domainOf = (text: string): string => domainToASCII(text.replace(/\.$/, ''));

/** The address in a cell, to write to; null where it is none. */
export function readAddress(text: string): string | null {
  const plain = plainAddress(text);
  return SHAPE.test(plain) && domainOf(plain.slice(plain.indexOf('@') + 1)) !== '' ? plain : null;
}

/**
 * The person behind an address, for comparing: without what follows a plus sign and, for providers that ignore them,
 * without dots.
 */
export function personOf(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = domainOf(address.slice(at + 1));
  const local = address.slice(0, at).replace(/\+.*$/, '');
  const one = DOTLESS[domain];
  return one ? `${local.replaceAll('.', '')}@${one}` : `${local}@${domain}`;
}

/** What somebody opted out with: one person, or everybody of a domain and of the domains below it. */
export type OptOut = { kind: 'person' | 'domain'; value: string };

const DOMAIN = /^(?:\*?@|\*\.)?((?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}[\p{L}\d-]+)$/u;

/** The opt-out that a text stands for; null where it is neither an address nor a domain. */
export function readOptOut(text: string): OptOut | null {
  const domain = DOMAIN.exec(plainAddress(text))?.[1];
  if (domain) return { kind: 'domain', value: domainOf(domain) };
  const address = readAddress(text);
  return address ? { kind: 'person', value: personOf(address) } : null;
}

/** Tells who opted out. */
export function makeOptOutCheck(optOuts: readonly OptOut[]): (address: string) => boolean {
  const people = new Set(optOuts.filter(({ kind }) => kind === 'person').map(({ value }) => value));
  const domains = new Set(optOuts.filter(({ kind }) => kind === 'domain').map(({ value }) => value));
  return (address) => {
    const person = personOf(address);
    if (people.has(person)) return true;
    const parts = person.slice(person.lastIndexOf('@') + 1).split('.');
    return parts.some((_, at) => domains.has(parts.slice(at).join('.')));
  };
}
