import { describe, expect, test } from '@jest/globals';
import { ENGINE_VERSION, STANDARD } from '../../../../bot/agents/clinical_safety/engineVersion.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { AnalyseInput, Progress } from '../../../../bot/agents/clinical_safety/worker/jobs.ts';
import type { ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeDecision } from '../../../factories/tickets.ts';

const file = (csv: string, fileName: string, digest: string) => ({
  bytes: new Uint8Array(Buffer.from(csv)),
  fileName,
  digest,
});
const LOG = [
  'Hazard ID,Hazard name,Cause,Effect,Severity,Likelihood,Risk,Residual severity,Residual likelihood,Residual risk,Owner,Status,Review date',
  'H1,Wrong dose is shown,Unit lost,Overdose,Major,Low,3,Major,Very low,2,Ada,Open,01/02/2024',
  'H2,Backup is corrupt,Disk,Loss,Minor,Low,1,Minor,Very low,1,Ada,Open,03/03/2025',
  ',,,,,,,,,,,,',
].join('\n');
const log = (csv = LOG) => file(csv, 'log v1.csv', 'log digest');
const analyse = (more: Partial<AnalyseInput> = {}) => analyseLog({ log: log(), tickets: null, ...more });

describe('an analysis', () => {
  test('without tickets says so, with its basis', async () => {
    const { analysisMetadata, tickets, newHazards } = await analyse();
    expect({ tickets, newHazards }).toEqual({ tickets: [], newHazards: [] });
    expect(analysisMetadata).toMatchObject({
      coverageScore: null,
      jiraAnalysis: { ticketsAnalyzed: 0, duplicates: 0, empty: 0, source: null },
      modelUsed: false,
      standard: STANDARD,
      engineVersion: ENGINE_VERSION,
      logDigest: 'log digest',
      ticketsDigest: null,
      log: { fileName: 'log v1.csv', rowCount: 2 },
    });
  });

  const ROWS = 'EPS-1,The wrong dose is shown,\nEPS-1,Again,\nEPS-2,,\nEPS-3,Colours,\nEPS-4,Fonts,\n';
  const counts = { ticketsAnalyzed: 3, duplicates: 1, empty: 1 };

  test('reads tickets from a file', async () => {
    const tickets = file(`Key,Summary,Description\n${ROWS}`, 'tickets.csv', 'tickets digest');
    const { analysisMetadata } = await analyse({ tickets });
    expect(analysisMetadata).toMatchObject({
      jiraAnalysis: { ...counts, source: 'tickets.csv' },
      ticketsDigest: 'tickets digest',
    });
  });

  test('accepts tickets that a connector fetched', async () => {
    const records = ROWS.trim()
      .split('\n')
      .map((row) => row.split(','))
      .map(([key = '', summary = '']) => ({ key, summary, description: '' }));
    const { analysisMetadata, tickets } = await analyse({
      tickets: { records, source: 'Jira, project EPS', digest: 'fetched' },
    });
    expect(analysisMetadata).toMatchObject({
      jiraAnalysis: { ...counts, source: 'Jira, project EPS' },
      ticketsDigest: 'fetched',
    });
    expect(tickets.map(({ key }) => key)).toEqual(['EPS-1', 'EPS-3', 'EPS-4']);
  });

  test('returns each hazard with the nearest entries of the knowledge base, without details of the reading', async () => {
    const { existingHazards } = await analyse();
    expect(existingHazards.map(({ id }) => id)).toEqual(['H1', 'H2']);
    for (const hazard of existingHazards) {
      expect(hazard).not.toHaveProperty('rowNumbers');
      expect(hazard).not.toHaveProperty('hasId');
      expect(hazard).not.toHaveProperty('textPlaces');
      expect(hazard.kbIds.length).toBeGreaterThan(0);
    }
    expect(existingHazards[0]?.kbIds[0]).toMatch(/^MED-/);
    expect(existingHazards[0]?.kbIds).not.toEqual(existingHazards[1]?.kbIds);
  });

  const isOverdue = async (more: Partial<AnalyseInput>) =>
    (await analyse(more)).findings.filter(({ rule }) => rule === OVERDUE).map(({ hazardId }) => hazardId ?? 'all');
  const OVERDUE = 'review-older-than-a-year';

  test('compares reviews with the given date, or else with the latest date in the log', async () => {
    expect(await isOverdue({})).toEqual(['H1']);
    expect(await isOverdue({ asOf: '2024-03-01' })).toEqual([]);
    expect(await isOverdue({ asOf: '2026-05-01' })).toEqual(['all']);
    // A hazard without a date has none.
    expect(await isOverdue({ log: log(`${LOG}\nH3,Late,Cause,Harm,Minor,Low,1,Minor,Low,1,Ada,Open,soon\n`) })).toEqual(
      ['H1'],
    );
    // The latest date, wherever it is.
    const [head, first, second] = LOG.split('\n');
    expect(await isOverdue({ log: log([head, second, first].join('\n')) })).toEqual(['H1']);
    expect(await isOverdue({ log: log(LOG.replaceAll(/\d\d\/\d\d\/\d{4}/g, '')) })).toEqual([]);
  });

  test('counts a person’s decisions', async () => {
    const ticket = { key: 'EPS-1', summary: 'The wrong dose is shown', description: '' };
    const given = { tickets: { records: [ticket], source: 's', digest: 'd' } };
    const before = await analyse(given);
    expect(before.tickets[0]).toMatchObject({ coveredBy: null, hazardIds: [] });
    const hazard = before.existingHazards.find(({ id }) => id === 'H2') as ExistingHazard;
    const decided = await analyse({ ...given, decisions: [makeDecision(ticket, hazard)] });
    expect(decided.tickets[0]).toMatchObject({ coveredBy: 'person', hazardIds: ['H2'] });
    expect(decided.analysisMetadata.coverageScore).toBe(100);
  });

  test('compares the safety case report if there is one', async () => {
    const text = 'The hazard log v9.9 holds 7 hazards.';
    const without = (await analyse()).findings.length;
    const compared = (await analyse({ report: { fileName: 'report.md', text } })).findings;
    expect(compared.length).toBeGreaterThan(without);
    expect(compared.some(({ message }) => message.includes('report.md'))).toBe(true);
  });

  test('reports its steps in order', async () => {
    const steps: Progress[] = [];
    const records = [1, 2].map((at) => ({ key: `EPS-${at}`, summary: 'The wrong dose is shown', description: '' }));
    await analyseLog({ log: log(), tickets: { records, source: 's', digest: 'd' } }, (progress) =>
      steps.push(progress),
    );
    expect(steps.filter(({ step }) => step !== 'checking' && step !== 'matching')).toEqual([
      { step: 'reading-log', label: 'Reading log v1.csv', done: 0, total: 1 },
      { step: 'reading-tickets', label: 'Reading the tickets', done: 0, total: 1 },
      { step: 'scoring', label: 'Scoring 2 tickets', done: 0, total: 2 },
      { step: 'scoring', label: 'Scoring 2 tickets', done: 1, total: 2 },
      { step: 'proposing', label: 'Proposing hazards that the log does not have', done: 0, total: 1 },
      { step: 'proposing', label: 'Done', done: 1, total: 1 },
    ]);
    const [checking, ...comparing] = steps.filter(({ step }) => step === 'checking');
    expect(checking).toEqual({ step: 'checking', label: 'Checking 2 hazards against the rules', done: 0, total: 2 });
    expect(comparing.length).toBeGreaterThan(0);
    for (const { label, total } of comparing)
      expect([label, total]).toEqual(['Comparing 2 hazards with the knowledge base', 2]);
    const matching = steps.filter(({ step }) => step === 'matching');
    expect(matching.length).toBeGreaterThan(0);
    for (const { label, total } of matching) expect([label, total]).toEqual(['Matching 2 tickets with 2 hazards', 2]);
    const none: string[] = [];
    await analyseLog({ log: log(), tickets: null }, ({ label }) => none.push(label));
    expect(none).toContain('No tickets added');
  });
});
