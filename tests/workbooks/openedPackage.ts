import { inflateEntry, readZipDirectory } from '../../bot/engine/files/zipArchive.ts';
import { parseXml, type XmlElement } from './xmlTree.ts';

export type PartRelation = { id: string; type: string; target: string; external: boolean };

/** A package with its parts parsed. What is wrong with it is collected in `faults`, each with the part's name. */
export type OpenedPackage = {
  names: ReadonlySet<string>;
  faults: string[];
  /** The root of a part; undefined where the part is missing, not XML, or not well formed. */
  root(part: string): XmlElement | undefined;
  relations(part: string): PartRelation[];
  /** The target of a part's first relation of a kind, e.g. "styles". */
  related(part: string, kind: string): string | undefined;
};

export const relationsNameOf = (part: string) => part.replace(/([^/]*)$/, '_rels/$1.rels');

function resolve(part: string, target: string): string {
  const path = target.startsWith('/') ? [] : part.split('/').slice(0, -1);
  for (const step of target.split('/'))
    if (step === '..') path.pop();
    else if (step && step !== '.') path.push(step);
  return path.join('/');
}

/** Opens a package and parses each XML part once. */
export function openPackage(bytes: Uint8Array): OpenedPackage {
  const entries = readZipDirectory(bytes);
  const faults: string[] = [];
  const roots = new Map<string, XmlElement>();
  for (const [name, entry] of entries) {
    if (!/\.(?:xml|rels|vml)$/i.test(name)) continue;
    try {
      roots.set(name, parseXml(new TextDecoder('utf-8', { fatal: true }).decode(inflateEntry(entry))));
    } catch (error) {
      faults.push(`${name}: not well formed: ${(error as Error).message}`);
    }
  }
  const relations = (part: string): PartRelation[] =>
    (roots.get(relationsNameOf(part))?.children ?? []).map(({ attributes }) => {
      const external = attributes.get('TargetMode') === 'External';
      const target = attributes.get('Target') ?? '';
      return {
        id: attributes.get('Id') ?? '',
        type: attributes.get('Type')?.split('/').at(-1) ?? '',
        target: external ? target : resolve(part, target),
        external,
      };
    });
  return {
    names: new Set(entries.keys()),
    faults,
    root: (part) => roots.get(part),
    relations,
    related: (part, kind) => relations(part).find(({ type }) => type === kind)?.target,
  };
}
