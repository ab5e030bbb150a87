/** @environment store */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { Types } from 'mongoose';
import { calls } from '../../../../bot/agents/clinical_safety/calls/index.ts';
import { checkPrintable } from '../../../../bot/agents/clinical_safety/evidence/checkPrintable.ts';
import { keepResult } from '../../../../bot/agents/clinical_safety/results/results.ts';
import { digestHazard } from '../../../../bot/agents/clinical_safety/tickets/matchEvidence.ts';
import type { FileAnswer, JsonText } from '../../../../bot/engine/calls/call.ts';
import { AuditEvent } from '../../../../models/auditEvent.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { TicketMatch } from '../../../../models/clinical_safety/ticketMatch.ts';
import * as contract from '../../../../models/contracts/clinical_safety/evidence.ts';
import { evidenceFigures, evidenceSummary } from '../../../../models/contracts/clinical_safety/evidenceParts.ts';
import { changeFinding, commentOnFinding } from '../../../../models/contracts/clinical_safety/findingLives.ts';
import type { Who } from '../../../../models/policies/who.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { codeOf, connectTestStore, makeWho, nextNumber } from '../../../factories/account.ts';
import {
  makeFinding,
  makeHazard,
  makePossible,
  makeProposal,
  makeResult,
  makeTicket,
} from '../../../factories/analysisResult.ts';
import { makeCaller } from '../../../factories/caller.ts';
import { addMember } from '../../../factories/members.ts';
import { pagesOf, textOf } from '../../../factories/pdf.ts';

connectTestStore();

let who: Who;
beforeEach(async () => {
  who = await addMember({ name: 'Ada Okafor', roles: ['clinical-safety-officer'], hasOfficer: true });
});
const makeCall = makeCaller(calls);
const inAccount = <T>(work: () => Promise<T>) => runInAccount(who.accountId, work);

const HAZARD = makeHazard({ name: '=1+1', owner: null });
const RESULT = makeResult({
  hazards: [HAZARD],
  findings: [
    makeFinding({ id: 'f1', title: 'A fault', hazardId: 'H1', places: [{ sheet: 'Log', cell: 'C2' }] }),
    makeFinding({ id: 'f2', level: 'check', title: 'A doubt' }),
  ],
  tickets: [
    makeTicket({ key: 't-1', summary: '=cmd|x', digest: 'd1', possible: [makePossible()] }),
    makeTicket({ key: 'T-2', digest: 'd2' }),
  ],
  newHazards: [makeProposal(), makeProposal({ id: 'p2', proposedId: 'H10' })],
});
const DECIDED = new Date(Date.UTC(2026, 0, 3, 10, 4, 5));

/** A reviewed analysis of the account: one proposal was accepted by Bo in Slack, the other by whoever sent the review. */
async function addAnalysis(more: object = {}) {
  const row = {
    _id: nextNumber(),
    accountId: who.accountId,
    userAgentId: 3,
    userId: who.userId,
    runId: new Types.ObjectId(),
    status: 'reviewed',
    logFileId: new Types.ObjectId(),
    logFileName: 'log.xlsx',
    logVersion: '1.7',
    ticketsFileName: 'tickets.csv',
    decisions: [
      { id: 'p1', outcome: 'edited', values: { name: '=2+2' } },
      { id: 'p2', outcome: 'rejected', reason: 'Known' },
    ],
    decidedBy: { name: 'Ada Okafor', at: DECIDED, via: 'inbox' },
    decidedRows: [{ id: 'p1', userId: 9, name: 'Bo Lind', at: DECIDED, via: 'slack' }],
    ...more,
  };
  const kept = await inAccount(() => keepResult(who.accountId, row.runId, RESULT));
  await inAccount(() => HazardAnalysis.create({ ...row, ...kept, ...more } as never));
  return row._id;
}

const addMatch = (more: object = {}) =>
  inAccount(() =>
    TicketMatch.create({
      accountId: who.accountId,
      ticketKey: 'T-1',
      hazardKey: 'H1',
      hazardId: 'H1',
      covers: true,
      ticketDigest: 'd1',
      hazardDigest: digestHazard(HAZARD),
      by: { userId: who.userId, name: 'Cy Ruiz' },
      at: DECIDED,
      via: 'teams',
      interruptId: 4,
      ...more,
    } as never),
  );

const read = async (id: number, by = who): Promise<{ text: string; pack: contract.Evidence }> => {
  const { bytes } = await makeCall<JsonText>(by, contract.readEvidence, { params: { id } });
  return { text: String(bytes), pack: contract.evidence.parse(JSON.parse(String(bytes))) };
};

/** @shows GET /api/hazard-analysis/:id/evidence */
describe('the evidence of an analysis', () => {
  test('names its log, who started it, and who decided each proposal, when and where', async () => {
    const { content } = (await read(await addAnalysis())).pack;
    expect(content.analysis).toMatchObject({ logFileName: 'log.xlsx', logVersion: '1.7', by: 'Ada Okafor' });
    expect(content.proposals.map(({ decision }) => decision)).toEqual([
      { outcome: 'edited', values: { name: '=2+2' }, by: 'Bo Lind', at: DECIDED.toISOString(), via: 'slack' },
      { outcome: 'rejected', reason: 'Known', by: 'Ada Okafor', at: DECIDED.toISOString(), via: 'inbox' },
    ]);
    expect([content.findings.length, content.hazards.length, content.tickets.length]).toEqual([2, 1, 2]);
    expect(content.files).toEqual([{ use: 'Hazard log', fileName: 'log.xlsx', digest: 'a' }]);
  });

  test('names who signed the review, with registration, reason and time', async () => {
    const at = new Date(Date.UTC(2026, 0, 3, 11, 0, 0));
    const signatures = [
      { userId: 9, name: 'Bo Lind', registration: null, reason: 'Read by me', at: DECIDED },
      { userId: 8, name: 'Ada Okafor', registration: 'Nurse, NMC 12A3456', reason: 'Against the log', at },
    ];
    const { pack } = await read(await addAnalysis({ signatures }));
    const summary = evidenceSummary(pack, (iso) => iso.slice(11, 16));
    expect(new Map(summary as [string, string[]][]).get('Review signed')).toEqual([
      'Bo Lind, 10:04: “Read by me”',
      'Ada Okafor (Nurse, NMC 12A3456), 11:00: “Against the log”',
    ]);
    expect((await read(await addAnalysis())).pack.content.analysis.signatures).toEqual([]);
  });

  test('says that nobody decided while the review is open', async () => {
    const id = await addAnalysis({ decisions: null, decidedBy: null, decidedRows: [] });
    expect((await read(id)).pack.content.proposals.map(({ decision }) => decision)).toEqual([null, null]);
  });

  test('has each possible match with its decision, and decisions on hazards that were not near', async () => {
    const id = await addAnalysis();
    await addMatch();
    await addMatch({ ticketKey: 'T-2', ticketDigest: 'earlier', covers: false });
    await addMatch({ ticketKey: 'T-9' });
    const { matches } = (await read(id)).pack.content;
    const decision = { by: 'Cy Ruiz', at: DECIDED.toISOString(), via: 'teams', takenBack: null };
    expect(matches).toEqual([
      expect.objectContaining({
        ticketKey: 't-1',
        hazardId: 'H1',
        basis: expect.objectContaining({ ticketQuote: 'wrong dose' }),
        decision: { ...decision, covers: true, isStale: false },
      }),
      {
        ticketKey: 'T-2',
        hazardId: 'H1',
        basis: null,
        decision: { ...decision, covers: false, isStale: true },
      },
    ]);
  });

  test('says of a decision that it was taken back, and that the hazard has other texts since', async () => {
    const id = await addAnalysis();
    const takenBack = { userId: 1, name: 'Di Ames', at: DECIDED };
    await addMatch({ hazardId: 'h 1', hazardDigest: 'earlier', takenBack });
    const { matches } = (await read(id)).pack.content;
    // Once, although the id was written in another way.
    expect(matches).toHaveLength(1);
    expect(matches[0]?.decision).toMatchObject({
      isStale: true,
      takenBack: { by: 'Di Ames', at: DECIDED.toISOString() },
    });
  });

  test('has what people decided and said about each finding', async () => {
    const id = await addAnalysis();
    const params = { id };
    const accept = { findingId: 'f1', version: 0, change: { accept: 'Agreed' } };
    await makeCall(who, changeFinding, { params, body: accept });
    await makeCall(who, commentOnFinding, { params, body: { findingId: 'f2', text: 'See v1.8' } });
    const { findings } = (await read(id)).pack.content;
    expect(findings).toMatchObject([
      { id: 'f1', state: 'accepted', accepted: { reason: 'Agreed', by: 'Ada Okafor' }, comments: [] },
      { id: 'f2', state: 'open', accepted: null, comments: [{ by: 'Ada Okafor', text: 'See v1.8' }] },
    ]);
    // The figures count the accepted one apart.
    const figures = evidenceFigures((await read(id)).pack.content);
    expect(figures.slice(1, 3)).toEqual([
      ['0', 'to fix, 1 accepted'],
      ['1', 'to check'],
    ]);
  });

  test('has the digest of its own text, which changes with the content alone', async () => {
    const id = await addAnalysis();
    const [first, second] = [await read(id), await read(id)];
    const content = first.text.slice('{"content":'.length, first.text.indexOf(',"seal":'));
    expect(first.pack.seal.digest).toBe(createHash('sha256').update(content).digest('hex'));
    expect(second.pack.seal.digest).toBe(first.pack.seal.digest);
    const body = { findingId: 'f1', text: 'Once more' };
    await makeCall(who, commentOnFinding, { params: { id }, body });
    const third = (await read(id)).pack.seal;
    expect(third.digest).not.toBe(first.pack.seal.digest);
    const last = await inAccount(() => AuditEvent.findOne({ accountId: who.accountId }).sort({ seq: -1 }).lean());
    expect(third.chainHead).toEqual({ seq: last?.seq, hash: last?.hash });
  });

  test('is for every member of the company, and for nobody else', async () => {
    const id = await addAnalysis();
    const member = await addMember({ accountId: who.accountId, roles: ['member'] });
    expect((await read(id, member)).pack.content.analysis.id).toBe(id);
    for (const endpoint of [contract.readEvidence, contract.exportEvidence, contract.printEvidence])
      expect(await codeOf(makeCall(makeWho(), endpoint, { params: { id } }))).toBe('not_found');
  });

  test('is refused while the analysis has no result', async () => {
    const id = await addAnalysis({ resultFileId: null, status: 'running' });
    for (const endpoint of [contract.readEvidence, contract.exportEvidence, contract.printEvidence])
      expect(await codeOf(makeCall(who, endpoint, { params: { id } }))).toBe('no_result');
  });
});

/** @shows GET /api/hazard-analysis/:id/evidence.xlsx */
describe('the evidence as a workbook', () => {
  const download = async (id: number) => {
    const answer = await makeCall<FileAnswer>(who, contract.exportEvidence, { params: { id } });
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(Buffer.from(answer.bytes) as unknown as ArrayBuffer);
    return { answer, workbook };
  };
  /** The rows below the heading as objects. */
  const rowsOf = (workbook: ExcelJS.Workbook, name: string, headerRow = 1) => {
    const sheet = workbook.getWorksheet(name);
    const headers = ((sheet?.getRow(headerRow).values ?? []) as string[]).slice(1);
    return (sheet?.getRows(headerRow + 1, sheet.rowCount - headerRow) ?? []).map((row) =>
      Object.fromEntries(headers.map((header, at) => [header, row.getCell(at + 1).value])),
    );
  };

  test('has a sheet for each part, with who decided, when and where', async () => {
    const id = await addAnalysis();
    await addMatch();
    const { answer, workbook } = await download(id);
    expect(answer.fileName).toBe(`evidence-of-analysis-${id}.xlsx`);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual([
      'Summary',
      'Findings',
      'Hazards',
      'Tickets',
      'Matches',
      'Proposals',
      'Quotes',
      'Files and audit',
    ]);
    expect(rowsOf(workbook, 'Proposals').map((row) => [row.Outcome, row['Decided by'], row.Where])).toEqual([
      ['edited', 'Bo Lind', 'Slack'],
      ['rejected', 'Ada Okafor', 'the inbox'],
    ]);
    const [edited, rejected] = rowsOf(workbook, 'Proposals').map((row) => row['As proposed']);
    expect([edited, rejected || '']).toEqual([`Hazard: ${makeProposal().values.name}`, '']);
    expect(rowsOf(workbook, 'Matches')).toMatchObject([
      { Ticket: 't-1', Decision: 'covered', 'Decided by': 'Cy Ruiz', Where: 'Teams' },
    ]);
    expect(rowsOf(workbook, 'Matches')[0]?.['Decided at']).toBe('2026-01-03 10:04:05 UTC');
    expect(rowsOf(workbook, 'Findings')[0]).toMatchObject({ Finding: 'A fault', Cells: 'Log!C2', State: 'Open' });
    expect(rowsOf(workbook, 'Hazards')[0]).toMatchObject({ Id: 'H1', 'Initial risk': 3, 'Residual risk': 2 });
  });

  test('says its digest and the head of the audit chain, and its download is in the audit with that digest', async () => {
    const id = await addAnalysis();
    const body = { findingId: 'f1', text: 'Known' };
    await makeCall(who, commentOnFinding, { params: { id }, body });
    const accept = { findingId: 'f1', version: 0, change: { accept: 'Agreed' } };
    await makeCall(who, changeFinding, { params: { id }, body: accept });
    const { seal } = (await read(id)).pack;
    expect(seal.chainHead?.hash).toMatch(/^[0-9a-f]{64}$/);
    const { workbook } = await download(id);
    const summary = rowsOf(workbook, 'Summary', 3);
    const shownAs = (what: string) => summary.find((row) => row.What === what)?.Value;
    expect(shownAs('Digest of this content, SHA-256')).toBe(seal.digest);
    expect(shownAs('Head of the audit chain')).toBe(seal.chainHead?.hash);
    expect(
      ['to fix', 'to fix, accepted', 'to check', 'to check, accepted'].map((it) => shownAs(`Findings ${it}`)),
    ).toEqual([0, 1, 1, 0]);
    expect(rowsOf(workbook, 'Files and audit').map((row) => row['SHA-256'])).toEqual([
      'a',
      seal.digest,
      seal.chainHead?.hash,
    ]);
    const last = await inAccount(() => AuditEvent.findOne({ accountId: who.accountId }).sort({ seq: -1 }).lean());
    expect(last).toMatchObject({
      event: 'file.exported',
      userId: who.userId,
      subject: `analysis:${id}:evidence`,
      shownDigest: seal.digest,
    });
  });

  test('has no formula: what begins like one is text', async () => {
    const { workbook } = await download(await addAnalysis());
    const texts: unknown[] = [];
    for (const sheet of workbook.worksheets)
      sheet.eachRow((row) =>
        row.eachCell((cell) => {
          expect(cell.type).not.toBe(ExcelJS.ValueType.Formula);
          if (String(cell.value).startsWith('=')) texts.push(cell.value);
        }),
      );
    expect(texts).toEqual(['=1+1', '=cmd|x', '=2+2']);
  });
});

/** @shows GET /api/hazard-analysis/:id/evidence.pdf */
describe('the evidence as a PDF', () => {
  const print = async (id: number) => {
    const answer = await makeCall<FileAnswer>(who, contract.printEvidence, { params: { id } });
    const bytes = Buffer.from(answer.bytes);
    return { answer, bytes, pages: pagesOf(bytes), text: textOf(bytes) };
  };

  test('has the figures, every record with who decided, and the page and the digest at each foot', async () => {
    const id = await addAnalysis();
    await addMatch();
    const { seal } = (await read(id)).pack;
    const { answer, pages, text } = await print(id);
    expect(answer).toMatchObject({ fileName: `evidence-of-analysis-${id}.pdf`, contentType: 'application/pdf' });
    expect(pages).toBeGreaterThan(1);
    // Read by a program that did not write it, where this machine has one (poppler-utils).
    for (const [at, page] of (text ?? []).entries()) {
      expect(page).toContain(`Arc, analysis ${id}. SHA-256 ${seal.digest}`);
      expect(page).toContain(`Page ${at + 1} of ${pages}`);
    }
    const words = text?.join('\n').replace(/\s+/g, ' ') ?? null;
    if (words !== null)
      for (const part of [
        'Evidence of the analysis of',
        'Fix: A fault Open',
        'H1 =1+1',
        'Bo Lind, 3 Jan 2026, 10:04, in Slack',
        `Hazard as proposed ${makeProposal().values.name}`,
        't-1 and H1 Covered',
        'Cy Ruiz',
        seal.digest,
      ])
        expect(words).toContain(part);
  });

  test('has its times in the company’s zone', async () => {
    const at = new Date(Date.UTC(2026, 6, 1, 23, 4, 5));
    const id = await addAnalysis({ decidedRows: [{ id: 'p1', userId: 9, name: 'Bo Lind', at, via: 'slack' }] });
    const { content } = (await read(id)).pack;
    expect(content.timeZone).toBe('Europe/London');
    const { text } = await print(id);
    if (text !== null) expect(text.join('\n').replace(/\s+/g, ' ')).toContain('Bo Lind, 2 Jul 2026, 00:04, in Slack');
  });

  test('may have ten thousand records, and not one more', () => {
    const row = <T>(count: number) => ({ length: count }) as T[];
    const withRecords = (matches: number) => () =>
      checkPrintable({ findings: row(2), hazards: row(3), tickets: row(4), proposals: row(1), matches: row(matches) });
    expect(withRecords(9990)).not.toThrow();
    expect(withRecords(9991)).toThrow(expect.objectContaining({ code: 'too_long_to_print' }));
  });

  test('is in the audit with its digest', async () => {
    const id = await addAnalysis();
    const { seal } = (await read(id)).pack;
    await print(id);
    const last = await inAccount(() => AuditEvent.findOne({ accountId: who.accountId }).sort({ seq: -1 }).lean());
    expect(last).toMatchObject({
      event: 'file.exported',
      subject: `analysis:${id}:evidence`,
      shownDigest: seal.digest,
    });
  });

  test('is refused, with what to do, from one record more than it may have', async () => {
    const { findings, tickets, newHazards } = RESULT;
    const others = findings.length + tickets.length + newHazards.length + 1;
    const few = { name: 'H', description: '', causes: [], controls: [] };
    const hazards = Array.from({ length: contract.MAX_PRINTED_RECORDS - others + 1 }, () => makeHazard(few));
    const runId = new Types.ObjectId();
    const kept = await inAccount(() => keepResult(who.accountId, runId, { ...RESULT, existingHazards: hazards }));
    const id = await addAnalysis({ ...kept, runId });
    const { content } = (await read(id)).pack;
    const records = [content.findings, content.hazards, content.tickets, content.proposals, content.matches];
    expect(records.reduce((sum, { length }) => sum + length, 0)).toBe(contract.MAX_PRINTED_RECORDS + 1);
    expect(await codeOf(makeCall(who, contract.printEvidence, { params: { id } }))).toBe('too_long_to_print');
  });
});
