import { expect, test } from '@jest/globals';
import { analyseLog } from '../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import { makeEntry, readPart, readZipDirectory, writeZip } from '../../../bot/engine/files/zipArchive.ts';
import { makeProposal } from '../../factories/analysisResult.ts';
import { makeAnchoredLog } from '../../factories/anchoredLog.ts';
import { digestOf, hazardRow, makePackage, WIDE_HEADERS } from '../../factories/hazardLog.ts';
import { checkWorkbook } from '../../workbooks/checkWorkbook.ts';
import { mergeChecked } from './mergeChecked.ts';

const CAUSE = {
  id: 'cause:HAZ01',
  as: 'cause' as const,
  hazardId: 'HAZ01',
  hazardName: 'Medicine list is out of date',
  values: { name: 'New cause of HAZ01', cause: 'Sync fails at night (T-1)' },
  says: null,
};

/** Merges one proposal: a new hazard, or a cause of HAZ01. */
async function mergeOne(bytes: Uint8Array, choice?: string) {
  const log = { bytes, fileName: 'log.xlsx', digest: digestOf(bytes) };
  const proposal = makeProposal({ id: 'proposal-0123456789abcdef', proposedId: 'HAZ03', additions: [CAUSE] });
  const result = { ...(await analyseLog({ log, tickets: null })), newHazards: [proposal] };
  return mergeChecked({
    log,
    result,
    rows: [{ id: proposal.id, outcome: 'accepted', ...(choice ? { choice } : {}) }],
    review: { reviewer: 'A. Reviewer', decidedAt: '2026-11-20T09:30:00Z' },
  });
}

/** The workbook with one part rewritten. */
function rewritten(bytes: Uint8Array, part: string, rewrite: (xml: string) => string): Uint8Array {
  const parts = readZipDirectory(bytes);
  const xml = readPart(parts, part) ?? '';
  expect(rewrite(xml)).not.toBe(xml);
  parts.set(part, makeEntry(part, rewrite(xml)));
  const changed = writeZip(parts.values());
  expect(checkWorkbook(changed)).toEqual([]);
  return changed;
}

const [SHEET, SUMMARY, BOOK] = ['xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml', 'xl/workbook.xml'];
const partOf = (bytes: Uint8Array, name: string) => readPart(readZipDirectory(bytes), name) ?? '';

test('rows that leave out their numbers are compared where they stand', async () => {
  const log = makePackage({
    sheets: [
      {
        name: 'Hazard Log',
        rows: [
          WIDE_HEADERS,
          hazardRow({ id: 'HAZ01' }),
          hazardRow({ id: 'HAZ02', name: 'Second' }),
          ['Total', null, { formula: 'COUNTA(A2:A3)', result: 2 }],
        ],
      },
      { name: 'Summary', rows: [['Title'], ['Hazards', { formula: "'Hazard Log'!C4", result: 2 }]] },
    ],
  });
  const withoutNumbers = rewritten(log, SUMMARY, (xml) => xml.replace(/<row r="\d" [^>]*>/g, '<row>'));
  const { bytes, changes } = await mergeOne(withoutNumbers);
  expect(partOf(bytes, SUMMARY)).toContain("<f>'Hazard Log'!C5</f>");
  expect(changes.join(' ')).toContain('1 formula that refers to moved cells was adjusted, in “Summary”');
});

test('a cell whose type is in single quotes gets its further cause, and one type', async () => {
  const log = rewritten(makeAnchoredLog(), SHEET, (xml) => xml.replace('r="E2" s="2" t="s"', `r="E2" s="2" t='s'`));
  const { bytes, merged } = await mergeOne(log, CAUSE.id);
  expect(merged).toMatchObject([{ as: 'cause', row: 2 }]);
  expect(partOf(bytes, SHEET)).toContain('<c r="E2" s="2" t="inlineStr"><is>');
});

test.each([
  ['in single quotes', "<calcPr calcId='1' fullCalcOnLoad='0'/>", "<calcPr calcId='1' fullCalcOnLoad='1'/>"],
  ['in double quotes', '<calcPr fullCalcOnLoad="0"/>', '<calcPr fullCalcOnLoad="1"/>'],
  ['of another kind', '<calcPr calcId="1" />', '<calcPr calcId="1" fullCalcOnLoad="1"/>'],
])('the calculation on opening is set once, with a setting %s', async (_, settings, expected) => {
  const log = rewritten(makeAnchoredLog(), BOOK, (xml) => xml.replace('</workbook>', `${settings}</workbook>`));
  expect(partOf((await mergeOne(log)).bytes, BOOK)).toContain(expected);
});

test('a calculation chain that is removed is no link that was adjusted', async () => {
  const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const type = 'application/vnd.openxmlformats-officedocument';
  const log = makePackage({
    sheets: [
      {
        name: 'Hazard Log',
        rows: [
          WIDE_HEADERS,
          hazardRow({ id: 'HAZ01' }),
          hazardRow({ id: 'HAZ02', name: 'Second' }),
          [{ formula: 'IF(B4="","","HAZ03")', result: '' }],
        ],
      },
    ],
    parts: {
      'xl/calcChain.xml':
        '<calcChain xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><c r="A4" i="1"/></calcChain>',
      'xl/theme/theme1.xml': '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Office"/>',
    },
    contentTypes: `<Override PartName="/xl/calcChain.xml" ContentType="${type}.spreadsheetml.calcChain+xml"/><Override PartName="/xl/theme/theme1.xml" ContentType="${type}.theme+xml"/>`,
    // The chain is not the last relation, as in Excel's own files.
    workbookRelations: `<Relationship Id="rId90" Type="${OFFICE}/calcChain" Target="calcChain.xml"/><Relationship Id="rId91" Type="${OFFICE}/theme" Target="theme/theme1.xml"/>`,
  });
  const { bytes, changes } = await mergeOne(log);
  expect(readZipDirectory(bytes).has('xl/calcChain.xml')).toBe(false);
  expect(changes.join(' ')).toContain('1 formula filled in below the log gave way');
  expect(changes.join(' ')).not.toContain('link');
});
