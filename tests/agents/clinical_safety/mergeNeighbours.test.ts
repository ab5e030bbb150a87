import { expect, test } from '@jest/globals';
import { grownNotes } from '../../../bot/agents/clinical_safety/merge/anchors.ts';
import type { Growth } from '../../../bot/agents/clinical_safety/merge/growth.ts';
import { growNeighbours } from '../../../bot/agents/clinical_safety/merge/neighbours.ts';
import { makeEntry, readPart, readZipDirectory } from '../../../bot/engine/files/zipArchive.ts';
import { makeRelations } from '../../factories/anchoredLog.ts';
import { makeWideLog } from '../../factories/hazardLog.ts';

/** Two rows under row 3; everything below moves. */
const moved: Growth = { sheet: 'Hazard Log', lastRow: 3, added: 2, shift: 2, columns: { first: 1, last: 19 } };

/** A part after the log's sheet has grown, which is related to a sheet in a way. */
function grown(name: string, xml: string, relations: Record<string, string> = {}, growth = moved): string {
  const parts = readZipDirectory(makeWideLog([{ id: 'HAZ01' }, { id: 'HAZ02', name: 'Second' }]));
  for (const [part, text] of Object.entries({ [name]: xml, ...relations })) parts.set(part, makeEntry(part, text));
  growNeighbours(parts, 'xl/worksheets/sheet1.xml', growth);
  return readPart(parts, name) ?? '';
}
const LOG = 'xl/worksheets/_rels/sheet1.xml.rels';
const OTHER = 'xl/worksheets/_rels/sheet2.xml.rels';

test('a pivot table moves if it stands on the log’s sheet', () => {
  const [name, xml] = [
    'xl/pivotTables/pivotTable1.xml',
    '<pivotTableDefinition><location ref="D4:E5"/></pivotTableDefinition>',
  ];
  const to = makeRelations(['pivotTable', '../pivotTables/pivotTable1.xml']);
  expect(grown(name, xml, { [LOG]: to })).toContain('ref="D6:E7"');
  expect(grown(name, xml, { [OTHER]: to })).toBe(xml);
});

test('the source of a pivot table moves if it is on the log’s sheet', () => {
  const source = (sheet: string, ref: string) =>
    grown(
      'xl/pivotCache/pivotCacheDefinition1.xml',
      `<pivotCacheDefinition><cacheSource><worksheetSource ref="${ref}" sheet="${sheet}"/></cacheSource></pivotCacheDefinition>`,
    );
  expect(source('Hazard Log', 'U8:V10')).toContain('ref="U10:V12"');
  // As in Excel, a source that ends with the log does not grow.
  expect(source('Hazard Log', 'A1:S3')).toContain('ref="A1:S3"');
  expect(source('Risk Matrix', 'U8:V10')).toContain('ref="U8:V10"');
});

test('a table’s formulas follow moved cells, on whatever sheet the table is', () => {
  const table = (formula: string, relation: string) =>
    grown(
      'xl/tables/table1.xml',
      `<table ref="X1:Y2"><tableColumn><calculatedColumnFormula>${formula}</calculatedColumnFormula></tableColumn></table>`,
      { [relation]: makeRelations(['table', '../tables/table1.xml']) },
    );
  expect(table("'Hazard Log'!B4", OTHER)).toContain(">'Hazard Log'!B6<");
  expect(table('B4', LOG)).toContain('>B6<');
  expect(table('B4', OTHER)).toContain('>B4<');
});

test('threads of comments move with their cells', () => {
  const xml = '<ThreadedComments><threadedComment ref="B3"/><threadedComment ref="B4"/></ThreadedComments>';
  const relations = { [LOG]: makeRelations(['threadedComment', '../threadedComments/threadedComment1.xml']) };
  expect(grown('xl/threadedComments/threadedComment1.xml', xml, relations)).toBe(xml.replace('B4', 'B6'));
});

test('nothing but what grows with the log changes if nothing moves', () => {
  const unmoved = { ...moved, shift: 0 };
  const relations = { [LOG]: makeRelations(['table', '../tables/table1.xml']) };
  expect(grown('xl/tables/table1.xml', '<table ref="A1:S3"/>', relations, unmoved)).toBe('<table ref="A1:S5"/>');
  const chart = "<chartSpace><f>'Hazard Log'!A4</f></chartSpace>";
  expect(grown('xl/charts/chart1.xml', chart, {}, unmoved)).toBe(chart);
  expect(grown('xl/charts/chart1.xml', chart)).toBe(chart.replace('A4', 'A6'));
});

test('the box of a comment moves with its cell, whole; another box with its first row', () => {
  const box = (anchor: string, row = '') => `<x:ClientData><x:Anchor>${anchor}</x:Anchor>${row}</x:ClientData>`;
  const of = (row: number) => `<x:Row>${row}</x:Row><x:Column>0</x:Column>`;
  // Rows count from 0: the comment of row 3 stays, although its box reaches below.
  expect(grownNotes(box('1, 0, 1, 0, 3, 0, 8, 0', of(2)), moved)).toBe(box('1, 0, 1, 0, 3, 0, 8, 0', of(2)));
  expect(grownNotes(box('1, 0, 2, 0, 3, 0, 8, 0', of(3)), moved)).toBe(box('1, 0, 4, 0, 3, 0, 10, 0', of(5)));
  expect(grownNotes(box('1, 0, 2, 0, 3, 0, 8, 0'), moved)).toBe(box('1, 0, 2, 0, 3, 0, 8, 0'));
  expect(grownNotes(box('1, 0, 3, 0, 3, 0, 8, 0'), moved)).toBe(box('1, 0, 5, 0, 3, 0, 10, 0'));
  expect(grownNotes('<x:ClientData><x:Row>x</x:Row></x:ClientData>', moved)).toContain('>x<');
});
