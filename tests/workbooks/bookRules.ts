import type { OpenedPackage } from './openedPackage.ts';
import { faultsOfFormula } from './places.ts';
import { childOf, childrenOf, everyElement, type XmlElement } from './xmlTree.ts';

export type BookSheet = { name: string; part: string; id: string };
/** What the sheets of a workbook refer to. */
export type Book = {
  sheets: BookSheet[];
  /** The sheets' names in small letters. */
  sheetNames: ReadonlySet<string>;
  definedNames: ReadonlySet<string>;
  /** The ranges of the hidden names that every filter has, by the sheet's place. */
  filters: ReadonlyMap<number, string>;
  cellFormats: number;
  differentialFormats: number;
};

const BOOK_ORDER =
  'fileVersion fileSharing workbookPr AlternateContent revisionPtr workbookProtection bookViews sheets functionGroups externalReferences definedNames calcPr oleSize customWorkbookViews pivotCaches smartTagPr smartTagTypes webPublishing fileRecoveryPr webPublishObjects extLst'.split(
    ' ',
  );

/** The children of an element stand in the order of the schema. */
export function faultsOfOrder(element: XmlElement, order: readonly string[]): string[] {
  let last = -1;
  const faults: string[] = [];
  for (const { name } of element.children) {
    const at = order.indexOf(name);
    if (at < 0) faults.push(`<${name}> is not allowed in <${element.name}>`);
    else if (at < last) faults.push(`<${name}> stands after <${order[last]}>`);
    last = Math.max(last, at);
  }
  return faults;
}

/** A list says how many entries it has, and that is right. */
export function faultsOfCount(list: XmlElement | undefined, child: string, attribute = 'count'): string[] {
  const said = list?.attributes.get(attribute);
  const actual = childrenOf(list, child).length;
  return said === undefined || Number(said) === actual ? [] : [`<${list?.name}> counts ${said} of ${actual} ${child}`];
}

/** Checks the workbook, its names, strings and formats. @returns null where there is no workbook */
export function checkBook(opened: OpenedPackage): Book | null {
  const part = opened.related('', 'officeDocument');
  const root = part ? opened.root(part) : undefined;
  if (!part || !root) {
    opened.faults.push('the package has no workbook');
    return null;
  }
  const say = (message: string) => opened.faults.push(`${part}: ${message}`);
  for (const fault of faultsOfOrder(root, BOOK_ORDER)) say(fault);
  const list = childrenOf(childOf(root, 'sheets'), 'sheet');
  const targets = new Map(opened.relations(part).map(({ id, target }) => [id, target]));
  const ids = new Set<string>();
  const sheetNames = new Set<string>();
  const sheets = list.map(({ attributes }): BookSheet => {
    const [name = '', id = ''] = [attributes.get('name'), attributes.get('sheetId')];
    if (!/^[^\\/?*[\]:]{1,31}$/.test(name) || sheetNames.has(name.toLowerCase()))
      say(`the sheet’s name “${name}” is not allowed or not unique`);
    if (!/^[1-9]\d*$/.test(id) || ids.has(id)) say(`the sheetId ${id} is missing or not unique`);
    sheetNames.add(name.toLowerCase());
    ids.add(id);
    const relation = [...attributes].find(([key]) => key.endsWith(':id'))?.[1] ?? '';
    return { name, id, part: targets.get(relation) ?? '' };
  });
  if (sheets.length === 0) say('there is no sheet');
  if (new Set(sheets.map((sheet) => sheet.part)).size < sheets.length) say('two sheets have the same part');
  for (const { attributes } of childrenOf(childOf(root, 'bookViews'), 'workbookView'))
    if (Number(attributes.get('activeTab') ?? 0) >= sheets.length) say('the active sheet does not exist');
  const strings = opened.root(opened.related(part, 'sharedStrings') ?? '');
  for (const fault of faultsOfCount(strings, 'si', 'uniqueCount')) say(fault);
  const formats = checkFormats(opened, opened.related(part, 'styles'));
  return {
    sheets,
    sheetNames,
    definedNames: checkNames(root, sheets.length, sheetNames, say),
    filters: readFilters(root),
    ...formats,
  };
}

function readFilters(root: XmlElement): Map<number, string> {
  const names = childrenOf(childOf(root, 'definedNames'), 'definedName');
  return new Map(
    names
      .filter(({ attributes }) => attributes.get('name') === '_xlnm._FilterDatabase')
      .map(({ attributes, text }) => [
        Number(attributes.get('localSheetId')),
        text.slice(text.lastIndexOf('!') + 1).replaceAll('$', ''),
      ]),
  );
}

function checkNames(
  root: XmlElement,
  sheetCount: number,
  sheetNames: ReadonlySet<string>,
  say: (message: string) => void,
): Set<string> {
  const seen = new Set<string>();
  const names = childrenOf(childOf(root, 'definedNames'), 'definedName');
  for (const { attributes, text } of names) {
    const [name = '', scope] = [attributes.get('name'), attributes.get('localSheetId')];
    const key = `${scope ?? ''}!${name.toLowerCase()}`;
    if (!name || seen.has(key)) say(`the name “${name}” is missing or defined twice`);
    seen.add(key);
    if (scope !== undefined && Number(scope) >= sheetCount) say(`the name ${name} belongs to no sheet`);
    for (const fault of faultsOfFormula(text, sheetNames)) say(`the name ${name}: ${fault}`);
  }
  return new Set(names.map(({ attributes }) => (attributes.get('name') ?? '').toLowerCase()));
}

const FORMAT_PARTS: [attribute: string, list: string, child: string][] = [
  ['fontId', 'fonts', 'font'],
  ['fillId', 'fills', 'fill'],
  ['borderId', 'borders', 'border'],
  ['xfId', 'cellStyleXfs', 'xf'],
];
const FIRST_OWN_NUMBER_FORMAT = 164;

function checkFormats(opened: OpenedPackage, part = '') {
  const root = opened.root(part);
  const say = (message: string) => opened.faults.push(`${part}: ${message}`);
  const formats = childrenOf(childOf(root, 'cellXfs'), 'xf');
  const sizes = new Map(FORMAT_PARTS.map(([, list, child]) => [list, childrenOf(childOf(root, list), child).length]));
  const own = new Set(
    childrenOf(childOf(root, 'numFmts'), 'numFmt').map(({ attributes }) => attributes.get('numFmtId')),
  );
  for (const [at, { attributes }] of formats.entries()) {
    for (const [attribute, list] of FORMAT_PARTS)
      if (Number(attributes.get(attribute) ?? 0) >= (sizes.get(list) ?? 0))
        say(`format ${at} has the ${attribute} ${attributes.get(attribute)} of ${sizes.get(list)}`);
    const number = attributes.get('numFmtId') ?? '0';
    if (Number(number) >= FIRST_OWN_NUMBER_FORMAT && !own.has(number))
      say(`format ${at} has no number format ${number}`);
  }
  for (const [, list, child] of FORMAT_PARTS) for (const fault of faultsOfCount(childOf(root, list), child)) say(fault);
  for (const fault of faultsOfCount(childOf(root, 'cellXfs'), 'xf')) say(fault);
  const differential = childOf(root, 'dxfs');
  for (const fault of faultsOfCount(differential, 'dxf')) say(fault);
  return {
    // Without a styles part, format 0 is the only one.
    cellFormats: root ? formats.length : 1,
    differentialFormats: childrenOf(differential, 'dxf').length,
  };
}

/** Every formula of charts and pivot caches leads to sheets that exist, inside their bounds. */
export function checkDistantFormulas(opened: OpenedPackage, { sheetNames }: Book): void {
  for (const part of opened.names) {
    const root = opened.root(part);
    if (!root || !/\/(?:charts|pivotCache)\//.test(`/${part}`)) continue;
    for (const element of everyElement(root)) {
      const { name, text, attributes } = element;
      const sheet = attributes.get('sheet') ?? '';
      if (name === 'worksheetSource' && sheet && !sheetNames.has(sheet.toLowerCase()))
        opened.faults.push(`${part}: its source is on the sheet “${sheet}”, which does not exist`);
      const formula = name === 'f' ? text : name === 'worksheetSource' ? (attributes.get('ref') ?? '') : '';
      for (const fault of faultsOfFormula(formula, sheetNames)) opened.faults.push(`${part}: ${fault}`);
    }
  }
}
