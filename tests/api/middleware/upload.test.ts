/** @environment store */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { takeDocument, takeUpload, uploadedFile } from '../../../api/middleware/upload.ts';
import { SHEET_TYPES } from '../../../models/contracts/files.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { addMember, connectTestStore } from '../../factories/account.ts';
import { asUser, makeEdge } from '../../factories/edge.ts';

connectTestStore();

const edge = makeEdge((router) => {
  for (const [path, handlers] of [
    ['/log', takeUpload],
    ['/document', takeDocument],
  ] as const) {
    router.post(path, ...handlers, (request, response) => {
      const { fileName, bytes } = uploadedFile(request.file);
      response.json({ fileName, size: bytes.length, fields: request.body });
    });
  }
});
let session: object = {};
beforeAll(async () => {
  session = await addMember();
});
const send = (path: string, by = session) => edge.post(path).set(asUser(by));
const file = (size = 3) => Buffer.alloc(size, 'x');
const said = ({ status, body }: { status: number; body: { code?: string; fileName?: string } }) =>
  `${status} ${body.code ?? body.fileName}`;

describe('the type of an upload', () => {
  test.each([
    ['log.xlsx', '200 log.xlsx'],
    ['log.XLSM', '200 log.XLSM'],
    ['log.xls', '200 log.xls'],
    ['tickets.csv', '200 tickets.csv'],
    ['notes.md', '200 notes.md'],
    ['log.pdf', '415 invalid_file_type'],
    ['log.xlsx.exe', '415 invalid_file_type'],
    ['xlsx', '415 invalid_file_type'],
  ])('is recognised by name: %s is answered %s', async (filename, answer) => {
    const type = 'application/octet-stream';
    expect(said(await send('/log').attach('hazardLogFile', file(), { filename, contentType: type }))).toBe(answer);
  });

  test.each([
    [SHEET_TYPES.xlsx, '200 log'],
    ['application/vnd.ms-excel', '200 log'],
    ['text/csv', '200 log'],
    ['text/markdown', '200 log'],
    ['application/pdf', '415 invalid_file_type'],
  ])('or by its content type: %s is answered %s', async (contentType, answer) => {
    expect(said(await send('/log').attach('hazardLogFile', file(), { filename: 'log', contentType }))).toBe(answer);
  });

  test('is refused in words at its field if it is wrong', async () => {
    const { body } = await send('/log').attach('hazardLogFile', file(), 'log.pdf');
    expect(body.fields).toEqual({ hazardLogFile: 'Please select an Excel (.xlsx, .xls) or CSV file.' });
  });
});

test('the type of a document may be anything here, because its content is checked later', async () => {
  expect(said(await send('/document').attach('document', file(), 'plan.pdf'))).toBe('200 plan.pdf');
});

describe.each([
  ['/log', 'hazardLogFile'],
  ['/document', 'document'],
])('an upload to %s', (path, field) => {
  test('arrives with its bytes and the other fields', async () => {
    const { body } = await send(path).field('note', 'one').attach(field, file(7), 'log.csv');
    expect(body).toEqual({ fileName: 'log.csv', size: 7, fields: { note: 'one' } });
  });

  test('is not read from signed-out people', async () => {
    expect(said(await send(path, {}).attach(field, file(), 'log.csv'))).toBe('401 not_signed_in');
    expect(said(await send(path, {}).attach('other', file(), 'log.csv'))).toBe('401 not_signed_in');
  });

  test('is one file, in its own field', async () => {
    expect(said(await send(path).field('note', 'one'))).toBe('400 no_file');
    expect(said(await send(path).attach('other', file(), 'log.csv'))).toBe('400 several_files');
    const two = send(path).attach(field, file(), 'log.csv').attach(field, file(), 'log.csv');
    expect(said(await two)).toBe('400 several_files');
  });

  test('has no place for a second file, even one without a name', async () => {
    const part = (name: string, filename: string, type: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\nx\r\n`;
    const form = (...parts: string[]) =>
      send(path)
        .set('Content-Type', 'multipart/form-data; boundary=b')
        .send(`${parts.join('')}--b--\r\n`);
    const log = part(field, 'log.csv', 'text/csv');
    expect(said(await form(log))).toBe('200 log.csv');
    expect(said(await form(log, part('other', '', 'application/octet-stream')))).toBe('400 several_files');
  });

  test('is 10 MB at most', async () => {
    const whole = await send(path).attach(field, file(LIMITS.uploadBytes), 'log.csv');
    expect([whole.status, whole.body.size]).toEqual([200, LIMITS.uploadBytes]);
    expect(said(await send(path).attach(field, file(LIMITS.uploadBytes + 1), 'log.csv'))).toBe('413 too_large');
  });

  test('has at most ten other fields, of 1 kB each', async () => {
    const withFields = (count: number, size: number) => {
      const call = send(path);
      for (let at = 0; at < count; at += 1) call.field(`field${at}`, 'x'.repeat(size));
      return call.attach(field, file(), 'log.csv');
    };
    expect(said(await withFields(10, 1024))).toBe('200 log.csv');
    expect(said(await withFields(11, 1))).toBe('400 no_file');
    expect(said(await withFields(1, 1025))).toBe('400 no_file');
  });

  test('that breaks off is the sender’s error', async () => {
    const broken = await send(path)
      .set('Content-Type', 'multipart/form-data; boundary=b')
      .send(`--b\r\nContent-Disposition: form-data; name="${field}"; filename="log.csv"\r\n\r\nhalf of`);
    expect(said(broken)).toBe('400 broken_upload');
  });
});
