import { type OpenedPackage, relationsNameOf } from './openedPackage.ts';
import { everyElement } from './xmlTree.ts';

/** The end of the content type that a relation's target must have. */
const TYPE_ENDS = new Map([
  ['worksheet', '.worksheet+xml'],
  ['styles', '.styles+xml'],
  ['sharedStrings', '.sharedStrings+xml'],
  ['table', '.table+xml'],
  ['comments', '.comments+xml'],
  ['drawing', 'drawing+xml'],
  ['vmlDrawing', 'vmlDrawing'],
  ['calcChain', '.calcChain+xml'],
  ['chart', '.chart+xml'],
  ['threadedComment', 'threadedcomments+xml'],
  ['pivotTable', '.pivotTable+xml'],
  ['pivotCacheDefinition', '.pivotCacheDefinition+xml'],
]);

function readTypes(opened: OpenedPackage): Map<string, string> {
  const [defaults, overrides] = [new Map<string, string>(), new Map<string, string>()];
  for (const { name, attributes } of opened.root('[Content_Types].xml')?.children ?? []) {
    const type = attributes.get('ContentType') ?? '';
    if (name === 'Default') defaults.set((attributes.get('Extension') ?? '').toLowerCase(), type);
    const part = (attributes.get('PartName') ?? '').replace(/^\//, '');
    if (name !== 'Override') continue;
    if (overrides.has(part)) opened.faults.push(`[Content_Types].xml: ${part} has two types`);
    if (!opened.names.has(part)) opened.faults.push(`[Content_Types].xml: ${part} is not in the package`);
    overrides.set(part, type);
  }
  const types = new Map<string, string>();
  for (const part of opened.names) {
    if (part === '[Content_Types].xml') continue;
    const type = overrides.get(part) ?? defaults.get(part.split('.').at(-1)?.toLowerCase() ?? '');
    if (type) types.set(part, type);
    else opened.faults.push(`${part}: no content type`);
  }
  return types;
}

/** Content types, relations, and the ids by which parts refer to their relations. */
export function checkParts(opened: OpenedPackage): void {
  const { faults, names } = opened;
  const types = readTypes(opened);
  const lower = [...names].map((name) => name.toLowerCase());
  if (new Set(lower).size < lower.length) faults.push('two parts have the same name');
  for (const name of names) {
    const source = /^(.*?)_rels\/([^/]*)\.rels$/.exec(name);
    if (source) {
      const part = `${source[1]}${source[2]}`;
      if (part && !names.has(part)) faults.push(`${name}: its part is not in the package`);
      checkRelations(opened, part, types);
    }
    checkIds(opened, name);
  }
}

function checkRelations({ faults, names, relations }: OpenedPackage, part: string, types: Map<string, string>): void {
  const seen = new Set<string>();
  for (const { id, type, target, external } of relations(part)) {
    const where = relationsNameOf(part);
    if (!id || seen.has(id)) faults.push(`${where}: the id “${id}” is missing or not unique`);
    seen.add(id);
    if (external) continue;
    if (!names.has(target)) faults.push(`${where}: ${id} leads to ${target}, which is not in the package`);
    else if (!(types.get(target) ?? '').endsWith(TYPE_ENDS.get(type) ?? ''))
      faults.push(`${where}: ${target} is a ${type} and has the content type ${types.get(target)}`);
  }
}

/** Every r:id, r:embed and so on names a relation of its part. */
function checkIds({ root, relations, faults }: OpenedPackage, part: string): void {
  const tree = root(part);
  if (!tree || part.endsWith('.rels')) return;
  const known = new Set(relations(part).map(({ id }) => id));
  for (const { name, attributes } of everyElement(tree))
    for (const [key, value] of attributes)
      if (/^r\d*:|^o:relid$/.test(key) && value && !known.has(value))
        faults.push(`${part}: <${name}> refers to ${value}, which is no relation of the part`);
}
