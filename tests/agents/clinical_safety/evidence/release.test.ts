/** @environment store */
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { Types } from 'mongoose';
import { calls } from '../../../../bot/agents/clinical_safety/calls/index.ts';
import { makeRelease } from '../../../../bot/agents/clinical_safety/evidence/makeRelease.ts';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { readChainPart } from '../../../../bot/engine/audit/readChainPart.ts';
import { recordEvent } from '../../../../bot/engine/audit/recordEvent.ts';
import { verifyAudit } from '../../../../bot/engine/audit/verifyAudit.ts';
import type { FileAnswer } from '../../../../bot/engine/calls/call.ts';
import { inflateEntry, makeEntry, readZipDirectory, writeZip } from '../../../../bot/engine/files/zipArchive.ts';
import { AuditEvent } from '../../../../models/auditEvent.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { exportRelease } from '../../../../models/contracts/clinical_safety/release.ts';
import { LIMITS } from '../../../../models/contracts/limits.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { releaseFingerprint } from '../../../../models/releaseKey.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../../factories/account.ts';
import { makeFinding, makeHazard, makeProposal, makeResult } from '../../../factories/analysisResult.ts';
import { makeCaller } from '../../../factories/caller.ts';
import { addMember } from '../../../factories/members.ts';

connectTestStore();
const directory = mkdtempSync(join(tmpdir(), 'arc-release-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Files = Map<string, Buffer>;
let who: Who;
let id: number;
let released: Files;
const makeCall = makeCaller(calls);
const inAccount = <T>(work: () => Promise<T>) => runInAccount(who.accountId, work);
const filesOf = (zip: Uint8Array): Files =>
  new Map([...readZipDirectory(zip)].map(([name, entry]) => [name, Buffer.from(inflateEntry(entry))]));

beforeAll(async () => {
  who = await addMember({ name: 'Ada Okafor', roles: ['owner'] });
  const { accountId, userId } = who;
  await recordEvent(accountId, 'account.created', { userId, subject: `account:${accountId}`, outcome: 'created' });
  id = nextNumber();
  await recordEvent(accountId, 'analysis.started', {
    userId,
    subject: `analysis:${id}`,
    outcome: 'started',
    key: `${id}`,
  });
  await recordEvent(accountId, 'match.changed', { userId, subject: 'match:T-1', outcome: 'covers' });
  const result = makeResult({
    hazards: [makeHazard({ name: 'A hazard' })],
    findings: [makeFinding({ id: 'f1', title: 'A fault' })],
    newHazards: [makeProposal()],
  });
  const runId = new Types.ObjectId();
  const kept = await inAccount(() => keepResult(accountId, runId, result));
  const row = { _id: id, accountId, userAgentId: 3, userId, runId, status: 'reviewed', logFileName: 'log.xlsx' };
  await inAccount(() => HazardAnalysis.create({ ...row, logFileId: new Types.ObjectId(), ...kept } as never));
  const answer = await makeCall<FileAnswer>(who, exportRelease, { params: { id } });
  expect([answer.fileName, answer.contentType]).toEqual([`release-of-analysis-${id}.zip`, 'application/zip']);
  released = filesOf(answer.bytes);
});

/** Runs the script on these files, as an outsider does. */
function verify(files: Files, ...more: string[]): { code: number | null; text: string } {
  const path = join(directory, 'release.zip');
  writeFileSync(path, writeZip([...files].map(([name, bytes]) => makeEntry(name, bytes))));
  const { status, stdout } = spawnSync(process.execPath, ['docs/verify-release.mjs', path, ...more], {
    encoding: 'utf8',
  });
  return { code: status, text: stdout };
}
const faultsOf = (files: Files, ...more: string[]) => {
  const { code, text } = verify(files, ...more);
  expect(code).toBe(1);
  return text.split('\n').filter((line) => line.startsWith('FAULT'));
};
const changed = (name: string, change: (bytes: Buffer) => Buffer | string): Files =>
  new Map([...released].map(([own, bytes]) => [own, own === name ? Buffer.from(change(Buffer.from(bytes))) : bytes]));
const manifestOf = (files: Files) => JSON.parse(String(files.get('manifest.json')));

/** A forger's best: everything recomputed, signed with a key of their own. */
function resign(files: Files): Files {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const manifest = manifestOf(files);
  for (const file of manifest.files) {
    const bytes = files.get(file.name) as Buffer;
    Object.assign(file, { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  manifest.publicKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  const text = Buffer.from(JSON.stringify(manifest));
  const signature = Buffer.from(sign(null, text, privateKey).toString('base64'));
  return new Map([...files, ['manifest.json', text], ['manifest.sig', signature]]);
}

/** @shows GET /api/hazard-analysis/:id/release.zip */
describe('a release file', () => {
  test('is verified by the script alone, with the key that the company names', async () => {
    const fingerprint = await releaseFingerprint();
    const { code, text } = verify(released, '--key', fingerprint);
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining('Verified: nothing was altered.') });
    expect(text).not.toContain('FAULT');
    const head = await inAccount(() => verifyAudit(who.accountId));
    expect(text).toContain(`Head of the audit chain: row ${head.rows}, ${head.head}`);
    expect(verify(released).text).toContain(`NOTE   signed with the key ${fingerprint}`);
    expect(faultsOf(released, '--key', '0'.repeat(64))).toEqual([`FAULT  signed with another key: ${fingerprint}`]);
  });

  test('holds the evidence in three forms, and the chain from the analysis to the release', async () => {
    expect([...released.keys()].sort()).toEqual([
      'README.txt',
      'audit.jsonl',
      'evidence.docx',
      'evidence.json',
      'evidence.xlsx',
      'manifest.json',
      'manifest.sig',
    ]);
    expect(String(released.get('README.txt'))).toContain(`verify-release.mjs release-of-analysis-${id}.zip`);
    const { chain, evidenceDigest } = manifestOf(released);
    const rows = String(released.get('audit.jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ seq, event }) => [seq, event])).toEqual([
      [2, 'analysis.started'],
      [3, 'match.changed'],
      [4, 'release.made'],
    ]);
    expect([chain.from, chain.to, rows[2].shownDigest]).toEqual([2, 4, evidenceDigest]);
    expect(JSON.parse(String(released.get('evidence.json'))).analysis.logFileName).toBe('log.xlsx');
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(released.get('evidence.xlsx') as never);
    expect(workbook.getWorksheet('Hazards')?.getCell('B2').text).toBe('A hazard');
    const word = filesOf(released.get('evidence.docx') as Buffer)
      .get('word/document.xml')
      ?.toString();
    for (const text of ['Release record', 'A fault', 'A hazard', evidenceDigest]) expect(word).toContain(text);
  });

  test.each(['README.txt', 'evidence.json', 'evidence.xlsx', 'evidence.docx', 'audit.jsonl'])(
    'with a byte of %s altered is found',
    (name) => {
      const altered = changed(name, (bytes) => {
        const at = bytes.length >> 1;
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        return bytes;
      });
      expect(faultsOf(altered)).toContain(`FAULT  ${name} was altered`);
    },
  );

  test('with a byte of the manifest or its signature altered is found', () => {
    const manifest = changed('manifest.json', (bytes) => String(bytes).replace('log.xlsx', 'dog.xlsx'));
    expect(faultsOf(manifest)).toEqual(['FAULT  the signature of the manifest']);
    const signature = changed('manifest.sig', (bytes) =>
      String(bytes).replace(/^./, (own) => (own === 'A' ? 'B' : 'A')),
    );
    expect(faultsOf(signature)).toEqual(['FAULT  the signature of the manifest']);
  });

  test('with a row altered, removed or reordered is found, even where every digest was made anew', async () => {
    const lines = String(released.get('audit.jsonl')).trim().split('\n');
    const forge = (rows: string[]) => resign(changed('audit.jsonl', () => `${rows.join('\n')}\n`));
    const altered = lines.map((line) => line.replace('covers', 'denies'));
    expect(faultsOf(forge(altered))).toEqual(['FAULT  row 3 of the audit chain was altered']);
    expect(faultsOf(forge([lines[0], lines[2]] as string[]))).toEqual(['FAULT  row 4 of the audit chain was altered']);
    expect(faultsOf(forge([lines[1], lines[0], lines[2]] as string[])).length).toBe(1);
    expect(faultsOf(forge(lines.slice(0, 2)))).toEqual(['FAULT  the audit chain does not end at its head']);
    expect(faultsOf(resign(released), '--key', await releaseFingerprint())).toEqual([
      expect.stringMatching(/^FAULT {2}signed with another key/),
    ]);
  });

  test('with other evidence than the chain records is found', () => {
    const evidence = Buffer.from(String(released.get('evidence.json')).replace('A fault', 'No fault'));
    const files: Files = new Map([...released, ['evidence.json', evidence]]);
    const digest = createHash('sha256').update(evidence).digest('hex');
    const manifest = Buffer.from(JSON.stringify({ ...manifestOf(files), evidenceDigest: digest }));
    const forged = resign(new Map([...files, ['manifest.json', manifest]]));
    expect(faultsOf(forged)).toEqual(['FAULT  the audit chain records another evidence']);
  });

  test('with a file missing, added or of another kind is found', () => {
    const missing = new Map([...released].filter(([name]) => name !== 'evidence.docx'));
    expect(faultsOf(missing)).toEqual(['FAULT  evidence.docx is missing']);
    const added: Files = new Map([...released, ['letter.txt', Buffer.from('Dear')]]);
    expect(faultsOf(added)).toEqual(['FAULT  letter.txt is not in the manifest']);
    expect(faultsOf(new Map([['a.txt', Buffer.from('a')]]))).toEqual([expect.stringContaining('not a release file')]);
  });

  test('is the owner’s, of their own company, and is in the audit', async () => {
    const officer = makeWho({ ...who, roles: ['clinical-safety-officer'], hasOfficer: true });
    const row = await inAccount(() => HazardAnalysis.findOne({ _id: id }).lean());
    expect(await codeOf(inAccount(() => makeRelease(officer, row as never)))).toBe('not_allowed');
    const other = await addMember({ roles: ['owner'] });
    expect(await codeOf(makeCall(other, exportRelease, { params: { id } }))).toBe('not_found');
    const made = await inAccount(() => AuditEvent.find({ accountId: who.accountId, event: 'release.made' }).lean());
    expect(made).toMatchObject([{ userId: who.userId, subject: `analysis:${id}:release` }]);
  });
});

describe('a part of the chain', () => {
  const keys = { fromKey: `analysis.started:${0}`, toKey: '' };

  test('begins with the chain where its first row is unknown, and needs its last', async () => {
    const last = await inAccount(() => AuditEvent.findOne({ accountId: who.accountId, seq: 3 }).lean());
    const part = await inAccount(() => readChainPart(who.accountId, { ...keys, toKey: last?.key ?? '' }));
    expect([part.from, part.to, part.prevHash, part.head]).toEqual([1, 3, '0'.repeat(64), last?.hash]);
    expect(await codeOf(inAccount(() => readChainPart(who.accountId, { ...keys, toKey: 'none' })))).toBe('not_found');
  });

  test('has no more rows than a release file takes', async () => {
    const accountId = nextNumber();
    const row = (seq: number) => ({
      accountId,
      seq,
      key: `k${seq}`,
      event: 'e',
      hash: `${seq}`,
      prevHash: '',
      at: new Date(),
    });
    const most = LIMITS.releaseRows;
    await runInAccount(accountId, () => AuditEvent.insertMany([row(1), row(most), row(most + 1)]));
    const upTo = (seq: number) =>
      runInAccount(accountId, () => readChainPart(accountId, { ...keys, toKey: `k${seq}` }));
    expect((await upTo(most)).to).toBe(most);
    expect(await codeOf(upTo(most + 1))).toBe('not_available');
  });
});
