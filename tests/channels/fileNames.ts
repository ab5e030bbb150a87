import { expect } from '@jest/globals';
import { hazardRow, MATRIX_SHEET, makePackage, WIDE_HEADERS } from '../factories/hazardLog.ts';

/** Words of a log's name that occur nowhere else. */
const WORDS = ['Wyverncroft', 'Quenby', 'v9-77'];
const NAME = `${WORDS.join(' ')}.xlsx`;

/** How a channel is driven through a log's whole life, and what it has sent by then. */
export type FileNameDriver = {
  drop(name: string, bytes: Uint8Array): Promise<void>;
  say(text: string): Promise<void>;
  /** Waits for a reply. */
  replied(words: RegExp): Promise<unknown>;
  /** Everything that was sent to the platform. */
  out(): string;
};

/**
 * Uploads, analyses, reviews and merges a log, and uploads an unreadable one: the name is sent only with full consent.
 */
export async function expectNamesNeedConsent(driver: FileNameDriver, leaves: boolean): Promise<void> {
  const { readSample } = await import('../../bot/agents/clinical_safety/sample/readSample.ts');
  const { log, tickets } = await readSample();
  await driver.drop(`${WORDS.join(' ')} broken.csv`, Buffer.from('city,people\nLeeds,800000\nYork,200000\n'));
  await driver.replied(leaves ? /column|hazard/i : /could not use that file/);
  await driver.drop(NAME, log.bytes);
  await driver.replied(/hazard log with 25/i);
  await driver.drop(`${WORDS.join(' ')} tickets.csv`, tickets.bytes);
  await driver.replied(/ticket export with/i);
  await driver.say('analyse');
  await driver.replied(/Analysis complete: 25 hazards/);
  await driver.replied(/Please review|Review the proposed/);
  await driver.say('accept all');
  await driver.replied(/Review recorded/);
  await driver.say('merge');
  await driver.replied(/Merge complete/);
  const out = driver.out();
  for (const word of WORDS) expect({ word, left: out.includes(word) }).toEqual({ word, left: leaves });
}

const SHEET = 'xl/worksheets/sheet1.xml';
const LAST_ROW = 1_048_576;
/** A row below the log, so that a merge has to move it down. */
const TOTAL = ['Total', null, { formula: 'COUNTA(A2:A3)', result: 2 }];

/** A log that can be analysed but not merged into: its sheet has a cell in the last row that Excel has. */
async function makeFullLog(sheet: string): Promise<Uint8Array> {
  const { makeEntry, readPart, readZipDirectory, writeZip } = await import('../../bot/engine/files/zipArchive.ts');
  const parts = readZipDirectory(
    makePackage({
      sheets: [
        { name: sheet, rows: [WIDE_HEADERS, hazardRow(), hazardRow({ id: 'HAZ02', name: 'Second' }), TOTAL] },
        MATRIX_SHEET,
      ],
    }),
  );
  const xml = String(readPart(parts, SHEET));
  const last = `<row r="${LAST_ROW}"><c r="A${LAST_ROW}"><v>1</v></c></row></sheetData>`;
  parts.set(SHEET, makeEntry(SHEET, xml.replace('</sheetData>', last)));
  return writeZip(parts.values());
}

/** A merge that is refused: the name of the log's sheet is sent only with full consent. */
export async function expectRefusalsNeedConsent(driver: FileNameDriver, leaves: boolean): Promise<void> {
  const { readSample } = await import('../../bot/agents/clinical_safety/sample/readSample.ts');
  await driver.drop('log.xlsx', await makeFullLog(WORDS.join(' ')));
  await driver.replied(/hazard log with 2/i);
  await driver.drop('tickets.csv', (await readSample()).tickets.bytes);
  await driver.replied(/ticket export with/i);
  await driver.say('analyse');
  await driver.replied(/Please review|Review the proposed/);
  await driver.say('accept all');
  await driver.replied(/Review recorded/);
  await driver.say('merge');
  await driver.replied(leaves ? /no room for new rows/ : /could not use that file/);
  const out = driver.out();
  for (const word of WORDS) expect({ word, left: out.includes(word) }).toEqual({ word, left: leaves });
}
