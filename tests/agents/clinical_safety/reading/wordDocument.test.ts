import { describe, expect, test } from '@jest/globals';
import { type Block, writeDocument } from '../../../../bot/agents/clinical_safety/evaluation/logs/writeDocument.ts';
import { mergeLog } from '../../../../bot/agents/clinical_safety/merge/mergeLog.ts';
import { openFile } from '../../../../bot/agents/clinical_safety/reading/openFile.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { describeUnread } from '../../../../bot/agents/clinical_safety/reading/unread.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import { inspect } from '../../../../bot/agents/clinical_safety/worker/inspect.ts';
import { makeEntry, readZipDirectory, writeZip } from '../../../../bot/engine/files/zipArchive.ts';

const HEAD = ['Hazard ID', 'Hazard', 'Cause', 'Effect', 'Severity', 'Likelihood', 'Risk', 'Controls'];
const TABLE: Block = {
  table: [
    HEAD,
    ['W1', 'Wrong dose', 'Units mixed up', 'Overdose', 'Major', 'Low', 3, 'Two people check'],
    ['W2', 'Late alert', 'Queue is full', 'Delay', 'Minor', 'Low', 1, ''],
  ],
};
const read = (blocks: readonly Block[], body?: string) => readLog(writeDocument(blocks, body), 'log.docx');
const unreadOf = (log: Awaited<ReturnType<typeof read>>) =>
  log.findUnread().map(({ what, label, note, place }) => [what, label, note, `${place.sheet} ${place.cell}`]);
const cell = (inner: string, properties = '') => `<w:tc>${properties}<w:p>${inner}</w:p></w:tc>`;
const said = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;

describe('a log in a Word document', () => {
  test('is read from its table, and what stands outside is listed with its paragraph', async () => {
    const log = await read([
      { heading: 'Hazard log' },
      { paragraph: 'Version 2 of the ward app.' },
      TABLE,
      { paragraph: 'Agreed with the ward. See W9.' },
    ]);
    expect(log.shape).toMatchObject({ format: 'docx', rowCount: 2 });
    expect(log.hazards.map(({ id, name, initial, controls }) => [id, name, initial.risk, controls.length])).toEqual([
      ['W1', 'Wrong dose', 3, 1],
      ['W2', 'Late alert', 1, 0],
    ]);
    expect(unreadOf(log)).toEqual([
      ['rows', 'Hazard log', 'paragraphs 1 to 2', 'log.docx (text) A1'],
      ['rows', 'Agreed with the ward. See W9.', 'paragraph 4', 'log.docx (text) A4'],
    ]);
  });

  test('is read from cards: a heading with headings and texts below it', async () => {
    const card = (id: string, name: string): Block[] => [
      { heading: `${id}: ${name}`, level: 2 },
      { paragraph: `Cause: ${id} is mixed up` },
      { paragraph: 'Effect: Overdose' },
      { paragraph: 'Severity: Major' },
      { paragraph: 'Likelihood: Low' },
      { paragraph: 'Controls:' },
      { item: 'Two people check' },
      { item: 'The page warns' },
    ];
    const log = await read([{ heading: 'Hazards' }, ...card('W1', 'Wrong dose'), ...card('W2', 'Late alert')]);
    expect(log.hazards.map(({ id, name, causes, controls }) => [id, name, causes[0]?.text, controls[0]?.text])).toEqual(
      [
        ['W1', 'Wrong dose', 'W1 is mixed up', '• Two people check\n• The page warns'],
        ['W2', 'Late alert', 'W2 is mixed up', '• Two people check\n• The page warns'],
      ],
    );
    expect(unreadOf(log)).toEqual([['rows', 'Hazards', 'paragraph 1', 'log.docx (text) A1']]);
  });

  test('is read from a table of fields for each hazard, named by the heading above it', async () => {
    const card = (title: string, cause: string): Block[] => [
      { heading: title, level: 2 },
      {
        table: [
          ['Cause', cause],
          ['Effect', 'Overdose'],
          ['Severity', 'Major'],
          ['Likelihood', 'Low'],
          ['Risk', 3],
        ],
      },
      { paragraph: `After ${title}` },
    ];
    const log = await read([...card('W1 Wrong dose', 'a'), ...card('W2 Late alert', 'b')]);
    expect(log.hazards.map(({ id, name, causes, initial }) => [id, name, causes[0]?.text, initial.risk])).toEqual([
      ['W1', 'Wrong dose', 'a', 3],
      ['W2', 'Late alert', 'b', 3],
    ]);
    expect(unreadOf(log).map(([, label]) => label)).toEqual(['After W1 Wrong dose', 'After W2 Late alert']);
  });

  test('has merged cells once, no deleted text, breaks and tabs as such, and a table in a cell by itself', async () => {
    const heads = HEAD.slice(0, 4)
      .map((head) => cell(said(head)))
      .join('');
    const rows = [
      `<w:tr>${cell(said('W1'), '<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>')}${cell(said('Wrong dose'), '<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>')}${cell('<w:del><w:r><w:t>Not this</w:t></w:r></w:del><w:ins><w:r><w:t>One</w:t><w:br/><w:t>line &amp; two</w:t></w:r></w:ins>')}${cell(said('Overdose'))}</w:tr>`,
      `<w:tr>${cell(said('W1'), '<w:tcPr><w:vMerge/></w:tcPr>')}${cell('', '<w:tcPr><w:vMerge/></w:tcPr>')}${cell(said('Second'))}<w:tc><w:p/><w:tbl><w:tr>${cell(said('Inner'))}</w:tr></w:tbl></w:tc></w:tr>`,
      `<w:tr>${cell(said('W2'))}${cell(said('Late alert'), '<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>')}${cell(said('Delay'))}</w:tr>`,
    ];
    const log = await read([], `<w:tbl><w:tr>${heads}</w:tr>${rows.join('')}</w:tbl>`);
    expect(
      log.hazards.map(({ id, name, causes, clinicalImpact }) => [
        id,
        name,
        causes.map(({ text }) => text),
        clinicalImpact,
      ]),
    ).toEqual([
      ['W1', 'Wrong dose', ['One\nline & two', 'Second'], 'Overdose'],
      ['W2', 'Late alert', [], 'Delay'],
    ]);
    expect(unreadOf(log).map(([what, , note]) => [what, note])).toEqual([['sheet', '1 row']]);
  });

  test('says that numbers which Word counts itself are not in the file', async () => {
    const counted = '<w:tc><w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:p></w:tc>';
    const row = ['Wrong dose', 'a', 'Overdose'].map((text) => cell(said(text))).join('');
    const heads = HEAD.slice(0, 4)
      .map((head) => cell(said(head)))
      .join('');
    const log = await read([], `<w:tbl><w:tr>${heads}</w:tr><w:tr>${counted}${row}</w:tr></w:tbl>`);
    expect(log.shape.remarks.join(' ')).toContain('1 cell has nothing but a number that Word counts itself');
  });

  test('is recognised by what it is, whatever it is called', async () => {
    expect(await inspect(writeDocument([TABLE]), 'log.xlsx')).toMatchObject({ kind: 'hazard-log', rowCount: 2 });
    await expect(inspect(writeDocument([{ paragraph: 'A letter.' }]), 'letter.docx')).rejects.toMatchObject({
      code: 'neither_log_nor_tickets',
    });
  });

  test('is refused by its directory where it would unpack to too much', async () => {
    const parts = readZipDirectory(writeDocument([TABLE]));
    parts.set('word/media/image1.bin', makeEntry('word/media/image1.bin', new Uint8Array(60 * 1024 * 1024)));
    const bytes = writeZip(parts.values());
    await expect(openFile(bytes, 'log.docx')).rejects.toMatchObject({ code: 'zip_bomb' });
  });

  test('is merged into a new workbook', async () => {
    const log = { bytes: writeDocument([TABLE]), fileName: 'log.docx', digest: 'a' };
    const text = 'Allergy of the wrong patient is shown after switching records';
    const records = ['T-1', 'T-2', 'T-3'].map((key) => ({
      key,
      summary: text,
      description: `${text}. Patient harmed.`,
    }));
    const result = await analyseLog({ log, tickets: { records, source: 'test', digest: '' } });
    const [proposal] = result.newHazards;
    expect(proposal?.proposedId).toBe('W3');
    const merged = await mergeLog({
      log,
      result,
      rows: [{ id: proposal?.id ?? '', outcome: 'accepted' }],
      review: { reviewer: 'Dr Lee', decidedAt: '2026-11-24T10:00:00.000Z' },
    });
    expect(merged.fileName).toBe('log-merged.xlsx');
    expect(readZipDirectory(merged.bytes).has('xl/workbook.xml')).toBe(true);
    const again = await readLog(merged.bytes, merged.fileName);
    expect(again.hazards.map(({ id }) => id)).toEqual(['W1', 'W2', 'W3']);
    expect(describeUnread(again.findUnread()).join(' ')).toContain('About this file');
  });
});
