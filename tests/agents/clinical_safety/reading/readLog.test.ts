import { describe, expect, test } from '@jest/globals';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { makePackage, type SheetSpec } from '../../../factories/hazardLog.ts';

const read = (csv: string) => readLog(new Uint8Array(Buffer.from(csv)), 'log v1.2.csv');
const HEADINGS = ['Hazard ID', 'Hazard name', 'Cause', 'Effect'];
const sheet = (name: string, rows: number, more: Partial<SheetSpec> = {}): SheetSpec => ({
  name,
  rows: [HEADINGS, ...Array.from({ length: rows }, (_, at) => [`H${at}`, `Name ${at}`, 'c', 'e'])],
  ...more,
});
const workbook = (...sheets: SheetSpec[]) => readLog(makePackage({ sheets }), 'log.xlsx');
const NO_RATINGS = 'No ratings were read: no severity, likelihood or risk was found for any hazard.';
const NO_HAZARDS = 'The log has its headings but no hazards yet. Proposals from tickets can still be made.';

describe('a log', () => {
  test('gives each hazard the review date that it has, as written', async () => {
    const log = await read(
      'Hazard ID,Hazard name,Cause,Effect,Review date\nH1,A,c,e,1 June 2026\n,,d,,2 June 2026\nH2,B,c,e,\n',
    );
    expect(log.hazards.map(({ id, reviewDate }) => [id, reviewDate])).toEqual([
      ['H1', '1 June 2026'],
      ['H2', undefined],
    ]);
  });

  test('is recognised', async () => {
    const log = await read(
      'Title,,\n,,,,\nColour,Hazard ID,Hazard name,Cause,Risk,Residual risk\nred,H1,A,c,3,2\n,H2,B,d,2,1\n\nTotal\n',
    );
    expect(log).toMatchObject({ fileName: 'log v1.2.csv', dataRows: [4, 5] });
    expect(log.grids).toHaveLength(1);
    expect(log.hazards.map(({ id, rows }) => [id, rows])).toEqual([
      ['H1', { sheet: 'log v1.2.csv', first: 4, last: 4 }],
      ['H2', { sheet: 'log v1.2.csv', first: 5, last: 5 }],
    ]);
    expect(log.shape).toEqual({
      fileName: 'log v1.2.csv',
      format: 'csv',
      sheet: 'log v1.2.csv',
      headerRows: [3],
      firstDataRow: 4,
      lastDataRow: 5,
      layout: 'wide',
      columns: [
        { canonical: 'id', header: 'Hazard ID', column: 'B' },
        { canonical: 'name', header: 'Hazard name', column: 'C' },
        { canonical: 'cause', header: 'Cause', column: 'D' },
        { canonical: 'initial_risk', header: 'Risk', column: 'E' },
        { canonical: 'residual_risk', header: 'Residual risk', column: 'F' },
      ],
      unmatched: [{ header: 'Colour', column: 'A' }],
      rowCount: 2,
      matrix: log.matrix,
      versions: [{ source: 'file name', version: '1.2', place: null }],
      remarks: [],
    });
    expect(log.findUnread()).toEqual([
      expect.objectContaining({ what: 'column', label: 'Colour' }),
      expect.objectContaining({ what: 'rows', label: 'Title', note: 'row 1' }),
      expect.objectContaining({ what: 'rows', label: 'Total', note: 'row 7' }),
    ]);
  });

  test('is a long one if a hazard has several rows', async () => {
    const { shape } = await read(`${HEADINGS.join()}\nH1,A,c,e\nH2,B,c,e\nH2,B,d,e\n`);
    expect(shape).toMatchObject({ layout: 'long', rowCount: 3, firstDataRow: 2, lastDataRow: 4 });
  });

  test('without hazards ends at its headings, and says so', async () => {
    const { shape } = await read(`Title,x\n${HEADINGS.join()}\n`);
    expect(shape).toMatchObject({ layout: 'empty', firstDataRow: 3, lastDataRow: 2, remarks: [NO_HAZARDS] });
    const inTwoRows = await read(`,,,,Initial,\n${HEADINGS.join()},Severity,Likelihood\n`);
    expect(inTwoRows.shape).toMatchObject({ headerRows: [1, 2], firstDataRow: 3, lastDataRow: 2 });
  });

  test.each(['Severity', 'Likelihood', 'Risk', 'Residual severity', 'Residual likelihood', 'Residual risk'])(
    'has ratings if a hazard has a %s',
    async (heading) => {
      const remarks = async (rating: string) =>
        (await read(`${HEADINGS.join()},${heading}\nH1,A,c,e,\nH2,B,c,e,${rating}\n`)).shape.remarks;
      expect(await remarks('3')).toEqual([]);
      expect(await remarks('')).toEqual([NO_RATINGS]);
    },
  );

  test('has no ratings without a column for them', async () => {
    expect((await read(`${HEADINGS.join()}\nH1,A,c,e\n`)).shape.remarks).toEqual([NO_RATINGS]);
  });

  test('is reported with hidden sheets, and others that look like a log', async () => {
    const remarksOf = async (...sheets: SheetSpec[]) =>
      (await workbook(sheet('Hazard log', 2), ...sheets)).shape.remarks;
    const cover = (name: string, hidden: boolean) => ({ name, hidden, rows: [['x']] });
    expect(await remarksOf(cover('Cover', false))).toEqual([NO_RATINGS]);
    expect(await remarksOf(cover('Cover', true))).toEqual(['Hidden sheet: “Cover”.', NO_RATINGS]);
    expect(await remarksOf(cover('Cover', true), cover('Lists', true))).toEqual([
      'Hidden sheets: “Cover”, “Lists”.',
      NO_RATINGS,
    ]);
    expect(await remarksOf(sheet('Old', 1), sheet('Two', 1))).toEqual([
      'Other sheets look like hazard logs too and were not read: “Two”, “Old”.',
      NO_RATINGS,
    ]);
  });

  test('does not count its own ids as tickets', async () => {
    const { hazards } = await read(
      `${HEADINGS.join()},Notes\nHAZ-1,A,c,e,"See HAZ-2, HAZ-1 and EPS-3"\nHAZ-2,B,c,e,EPS-3 and HAZ-9\n`,
    );
    expect(hazards.map(({ ticketKeys }) => ticketKeys)).toEqual([['EPS-3'], ['EPS-3', 'HAZ-9']]);
  });

  test.each([
    ['severity', 'Severity,Likelihood', 'Nasty,Low', 'nhs'],
    ['severity and likelihood', 'Severity,Likelihood', 'Nasty,Often', 'none'],
    ['residual severity', 'Severity,Likelihood,Residual severity', 'Nasty,Often,Major', 'nhs'],
    ['residual likelihood', 'Severity,Likelihood,Residual likelihood', 'Nasty,Often,Very-Low', 'nhs'],
    ['nothing', 'Severity,Likelihood', ',', 'nhs'],
    ['numbers', 'Severity,Likelihood', '3,4', 'numeric'],
  ])('chooses its matrix by the words of %s', async (_what, headings, ratings, source) => {
    const { shape } = await read(`${HEADINGS.join()},${headings}\nH1,A,c,e,${ratings}\n`);
    expect(shape.matrix.source).toBe(source);
  });

  test('is refused if no sheet is a log', async () => {
    await expect(read('Fruit,Colour\nApple,red\n')).rejects.toMatchObject({
      code: 'not_a_hazard_log',
      message: expect.stringMatching(/^No hazard log was found in this file/),
    });
  });
});
