import { readPart, type ZipEntry } from '../../../engine/files/zipArchive.ts';
import { HazardFileError } from '../errors.ts';
import type { ReadingBudget } from '../reading/readingBudget.ts';
import { type ScanContext, stringItemText, withoutPrefix } from './sheetScanner.ts';
import { attribute, elements, startTags, unescapeXml } from './xmlText.ts';

type SheetPart = { name: string; partName: string; hidden: boolean };
type WorkbookParts = {
  workbookPart: string;
  sheets: SheetPart[];
  macros: boolean;
  externalLinks: number;
  date1904: boolean;
};

/** Resolves a target: "worksheets/sheet1.xml" from "xl/workbook.xml" is "xl/worksheets/sheet1.xml". */
export function resolveTarget(fromPart: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const path = fromPart.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.') path.push(step);
  }
  return path.join('/');
}

/** The name of the part that holds a part's relations. */
export function relationsPart(partName: string): string {
  const cut = partName.lastIndexOf('/') + 1;
  return `${partName.slice(0, cut)}_rels/${partName.slice(cut)}.rels`;
}

type Relation = { id: string; type: string; target: string };

export function readRelations(entries: Map<string, ZipEntry>, partName: string): Relation[] {
  const xml = readPart(entries, relationsPart(partName));
  if (!xml) return [];
  return [...elements(xml, 'Relationship')]
    .filter(({ tag }) => attribute(tag, 'TargetMode') !== 'External')
    .map(({ tag }) => ({
      id: attribute(tag, 'Id') ?? '',
      type: attribute(tag, 'Type') ?? '',
      target: resolveTarget(partName, unescapeXml(attribute(tag, 'Target') ?? '')),
    }));
}

const NOT_A_WORKBOOK: [test: (entries: Map<string, ZipEntry>) => boolean, message: string][] = [
  [
    (entries) => entries.has('ppt/presentation.xml'),
    'This is a presentation. Save the hazard log as an Excel workbook (.xlsx) or CSV and try again.',
  ],
  [
    (entries) => entries.has('xl/workbook.bin'),
    'This is a binary workbook (.xlsb). Open it in Excel, save it as .xlsx and try again.',
  ],
  [(entries) => entries.has('content.xml'), 'This is an OpenDocument file. Save it as .xlsx and try again.'],
];

/** Finds the sheets of a workbook in their order. */
export function readWorkbookParts(entries: Map<string, ZipEntry>): WorkbookParts {
  const main = readRelations(entries, '').find(({ type }) => type.endsWith('/officeDocument'))?.target;
  const workbookPart = main && entries.has(main) ? main : 'xl/workbook.xml';
  const xml = entries.has(workbookPart) && !workbookPart.endsWith('.bin') ? readPart(entries, workbookPart) : null;
  const wrong = NOT_A_WORKBOOK.find(([test]) => test(entries));
  if (xml === null || !xml.includes('workbook') || (wrong && !entries.has('xl/workbook.xml')))
    throw new HazardFileError(
      'not_a_spreadsheet',
      wrong?.[1] ?? 'This archive is not an Excel workbook. Save the hazard log as .xlsx or CSV and try again.',
    );
  const relations = new Map(readRelations(entries, workbookPart).map((relation) => [relation.id, relation]));
  const sheets: SheetPart[] = [];
  const seen = new Set<string>();
  for (const { tag } of elements(xml, 'sheet')) {
    const relation = relations.get(/\s(?:\w+:)?id="([^"]*)"/.exec(tag.replace(/\ssheetId="[^"]*"/, ''))?.[1] ?? '');
    if (!relation?.type.endsWith('/worksheet') || !entries.has(relation.target)) continue;
    // Each part once, so that a list with a million entries for one sheet is not read a million times.
    if (seen.has(relation.target)) continue;
    seen.add(relation.target);
    const state = attribute(tag, 'state');
    sheets.push({
      name: unescapeXml(attribute(tag, 'name') ?? ''),
      partName: relation.target,
      hidden: state === 'hidden' || state === 'veryHidden',
    });
  }
  return {
    workbookPart,
    sheets,
    macros: [...entries.keys()].some((name) => /vbaProject\.bin$/i.test(name)),
    externalLinks: [...entries.keys()].filter((name) => /externalLinks\/externalLink\d+\.xml$/.test(name)).length,
    date1904: /date1904="(?:1|true)"/.test(xml),
  };
}

const BUILT_IN_DATE_FORMATS = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54, 55, 56,
  57, 58,
]);

/** Excel allows 255 characters; a longer format is cut. */
const MAX_FORMAT_LENGTH = 1000;

function readDateStyles(entries: Map<string, ZipEntry>, partName: string, budget: ReadingBudget): boolean[] {
  const source = readPart(entries, partName);
  if (!source) return [];
  const xml = withoutPrefix(source, 'styleSheet');
  const custom = new Map<number, boolean>();
  for (const { tag } of elements(xml, 'numFmt')) {
    budget.spendWork(5);
    const code = unescapeXml((attribute(tag, 'formatCode') ?? '').slice(0, MAX_FORMAT_LENGTH)).replace(
      /"[^"]*"|\\.|\[[^[\]]*\]/g,
      '',
    );
    custom.set(Number(attribute(tag, 'numFmtId')), /[ymdhs]/i.test(code) && !/general/i.test(code));
  }
  const formats = [...elements(xml, 'cellXfs')][0]?.inner ?? '';
  return [...startTags(formats, ['xf'])].map(({ tag }) => {
    budget.spendWork(1);
    const id = Number(attribute(tag, 'numFmtId'));
    return custom.get(id) ?? BUILT_IN_DATE_FORMATS.has(id);
  });
}

function readSharedStrings(entries: Map<string, ZipEntry>, partName: string, budget: ReadingBudget): string[] {
  const source = readPart(entries, partName);
  if (!source) return [];
  const xml = withoutPrefix(source, 'sst');
  const strings: string[] = [];
  for (const { inner } of elements(xml, 'si')) {
    budget.spendWork(1 + inner.length / 100);
    strings.push(stringItemText(inner));
  }
  return strings;
}

/** Reads the parts of a workbook that its sheets refer to: strings and date formats. */
export function readScanContext(
  entries: Map<string, ZipEntry>,
  parts: WorkbookParts,
  budget: ReadingBudget,
): ScanContext {
  const relations = readRelations(entries, parts.workbookPart);
  const target = (kind: string) => relations.find(({ type }) => type.endsWith(kind))?.target ?? '';
  return {
    sharedStrings: readSharedStrings(entries, target('/sharedStrings'), budget),
    dateStyles: readDateStyles(entries, target('/styles'), budget),
    date1904: parts.date1904,
    budget,
  };
}
