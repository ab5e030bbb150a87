import { describe, expect, test } from '@jest/globals';
import ExcelJS from 'exceljs';
import { exportNewHazards } from '../../../bot/agents/clinical_safety/export/exportNewHazards.ts';
import { findKnowledge } from '../../../bot/agents/clinical_safety/knowledge/knowledge.ts';
import { mergeLog } from '../../../bot/agents/clinical_safety/merge/mergeLog.ts';
import { chosenProposal } from '../../../bot/agents/clinical_safety/tickets/chosenProposal.ts';
import { analyseLog } from '../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import { type AnalysisResult, analysisResult } from '../../../models/contracts/clinical_safety/hazards.ts';
import type { RowDecision } from '../../../models/contracts/questionRows.ts';
import { digestOf, makeWideLog } from '../../factories/hazardLog.ts';

const bytes = makeWideLog([{ id: 'HAZ01' }]);
const log = { bytes, fileName: 'log.xlsx', digest: digestOf(bytes) };
const analyse = () =>
  analyseLog({
    log,
    tickets: {
      records: ['EPS-5', 'EPS-6'].map((key) => ({
        key,
        summary: 'Clock change: doses on the administration chart are shown one hour off',
        description: '',
      })),
      source: 'Jira',
      digest: 'd',
    },
  });

async function analyseUnsure() {
  const result = await analyse();
  const [proposal] = result.newHazards;
  const other = proposal?.candidates[1];
  if (!proposal || !other) throw new Error('an unsure proposal is needed');
  return { result, proposal, other };
}

/** The first row of a table, by its headings. */
async function firstRow(from: Uint8Array, name: string, headerRow: number) {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(Buffer.from(from) as unknown as ArrayBuffer);
  const sheet = workbook.getWorksheet(name);
  const headers = sheet?.getRow(headerRow).values as string[];
  return (header: string) => String(sheet?.getRow(headerRow + 1).getCell(headers.indexOf(header)).value ?? '');
}

const exported = async (result: AnalysisResult, rows: RowDecision[]) =>
  firstRow((await exportNewHazards({ result, rows })).bytes, 'Proposals', 5);
const merged = async (result: AnalysisResult, rows: RowDecision[]) =>
  firstRow(
    (await mergeLog({ log, result, rows, review: { reviewer: 'A', decidedAt: '2026-11-20T09:30:00Z' } })).bytes,
    'Change log',
    4,
  );

describe('another candidate', () => {
  test('changes the proposal’s words, which every candidate carries', async () => {
    const { result, proposal } = await analyseUnsure();
    expect(analysisResult.parse(result)).toEqual(result);
    for (const { kbId, values, suggested } of proposal.candidates) {
      expect(values?.name).toBe(findKnowledge(kbId)?.title);
      expect(values?.cause).toContain('(EPS-5)');
      expect(suggested).toEqual(findKnowledge(kbId)?.suggested);
    }
    expect(proposal.candidates[0]?.values).toEqual(proposal.values);
  });

  test('gives the proposal its words, category and rating, and keeps evidence and ids', async () => {
    const { proposal, other } = await analyseUnsure();
    const chosen = chosenProposal(proposal, other.kbId);
    expect(chosen).toMatchObject({
      id: proposal.id,
      proposedId: proposal.proposedId,
      kbId: other.kbId,
      category: other.category,
      suggested: other.suggested,
      evidence: proposal.evidence,
    });
    expect(chosen.values).toEqual(other.values);
    expect(chosen.candidates.map(({ kbId }) => kbId)[0]).toBe(other.kbId);
    expect(chosen.candidates).toHaveLength(proposal.candidates.length);
  });

  test('in a result without the candidates’ words is drafted from the knowledge base', async () => {
    const { proposal, other } = await analyseUnsure();
    const bare = {
      ...proposal,
      candidates: proposal.candidates.map(({ values: _values, suggested: _suggested, ...rest }) => rest),
    };
    expect(chosenProposal(bare, other.kbId).values).toEqual(other.values);
  });

  test('with an unknown id, or the same one, changes nothing', async () => {
    const { proposal } = await analyseUnsure();
    expect(chosenProposal(proposal, 'XXX-99')).toBe(proposal);
    expect(chosenProposal(proposal, proposal.kbId)).toBe(proposal);
  });

  test('is named and rated as chosen, in the export and in the Change log alike', async () => {
    const { result, proposal, other } = await analyseUnsure();
    const rows: RowDecision[] = [{ id: proposal.id, outcome: 'accepted', choice: other.kbId }];
    for (const cell of [await exported(result, rows), await merged(result, rows)]) {
      expect(cell('Outcome')).toBe('accepted');
      expect(cell('Name')).toBe(other.title);
      expect(cell('Knowledge base')).toBe(
        `${other.kbId} ${other.title} (${other.category}), chosen instead of ${proposal.kbId} ${proposal.values.name}`,
      );
      expect(cell('Suggested for discussion')).toContain(
        `${other.suggested?.severity} / ${other.suggested?.likelihood}, risk ${other.suggested?.risk}`,
      );
    }
    expect((await exported(result, rows))('Candidates').startsWith(other.kbId)).toBe(true);
  });

  test.each<[string, Partial<RowDecision>, string]>([
    ['accepted, with own words', { outcome: 'accepted', values: { name: 'Mine' } }, 'edited'],
    ['edited, with nothing changed', { outcome: 'edited', values: {} }, 'accepted'],
  ])('is described in the same way everywhere: %s', async (_, answer, outcome) => {
    const { result, proposal } = await analyseUnsure();
    const rows = [{ id: proposal.id, outcome: 'accepted' as const, ...answer }];
    expect((await exported(result, rows))('Outcome')).toBe(outcome);
    expect((await merged(result, rows))('Outcome')).toBe(outcome);
  });
});
