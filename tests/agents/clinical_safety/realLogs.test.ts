import { expect, test } from '@jest/globals';
import { findFindings } from '../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLog } from '../../../bot/agents/clinical_safety/reading/readLog.ts';
import { analyseLog } from '../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import { describeReal, realFile } from './realFiles.ts';

describeReal('published hazard logs', () => {
  const read = async (path: string) => {
    const { bytes, fileName } = realFile(path);
    return readLog(bytes, fileName);
  };

  test.each([
    ['hazard-logs/nrl_hazard_log_v1.7.xlsx', 11, 11, 'wide', 'log'],
    ['hazard-logs/nrl_hazard_log_v1.6.xlsx', 0, 0, 'empty', 'log'],
    ['hazard-logs/cds_api_hazard_log_v1.0.xlsx', 4, 95, 'long', 'log'],
    ['hazard-logs/gpconnect_consumers_hazard_log_A.xlsx', 29, 29, 'wide', 'nhs'],
    ['hazard-logs/gpconnect_consumers_hazard_log_B.xlsx', 24, 24, 'wide', 'nhs'],
    ['hazard-logs/nhs_template_hazard_log_jcf54.xlsx', 0, 0, 'empty', 'log'],
    ['hazard-logs/gstt_hazard_log_template.xlsm', 0, 0, 'empty', 'nhs'],
    ['variants/nrl_legacy_biff8_header_row7.xls', 11, 11, 'wide', 'nhs'],
    ['variants/nrl_semicolon_cp1252.csv', 11, 11, 'wide', 'nhs'],
    ['variants/nrl_utf16le_comma.csv', 11, 11, 'wide', 'nhs'],
    ['variants/nrl_utf8bom_comma.csv', 11, 11, 'wide', 'nhs'],
    ['variants/nrl_html_disguised.xls', 5, 5, 'wide', 'nhs'],
    ['variants/numeric_5x5_multiply.csv', 11, 11, 'wide', 'numeric'],
    ['variants/formula_injection.csv', 3, 3, 'wide', 'nhs'],
  ])('%s: %i hazards in %i rows', async (path, hazards, rows, layout, matrix) => {
    const log = await read(path);
    expect(log.hazards).toHaveLength(hazards);
    expect(log.shape).toMatchObject({ rowCount: rows, layout, matrix: { source: matrix } });
  });

  test('the known faults of the record locator’s log are found', async () => {
    const findings = findFindings({
      log: await read('hazard-logs/nrl_hazard_log_v1.7.xlsx'),
      asOf: null,
      report: null,
    });
    const sheet = 'DCH NRL Hazard Log';
    expect(findings).toContainEqual(
      expect.objectContaining({
        rule: 'risk-differs-from-matrix',
        hazardId: 'NRL01',
        found: '2',
        expected: '3',
        places: [{ sheet, cell: 'I2' }],
      }),
    );
    const mixed = findings.find(({ rule }) => rule === 'formula-mixes-initial-and-residual');
    expect(mixed?.places.map(({ cell }) => cell)).toEqual(Array.from({ length: 11 }, (_, at) => `P${at + 2}`));
    expect(mixed?.message).toContain(
      'NRL01 shows 2 where the residual words give 1; NRL06 shows 3 where the residual words give 2',
    );
    expect(findings.find(({ rule }) => rule === 'version-differs')).toMatchObject({
      found: '1.6',
      expected: '1.7',
      places: expect.arrayContaining([{ sheet: 'Cover Page', cell: 'D12' }]),
    });
    for (const rule of ['missing-owner', 'missing-status'])
      expect(findings.find((finding) => finding.rule === rule)?.places).toHaveLength(11);
  });

  test('numbering slips and a bare control row in the decision support log are found', async () => {
    const findings = findFindings({
      log: await read('hazard-logs/cds_api_hazard_log_v1.0.xlsx'),
      asOf: null,
      report: null,
    });
    const found = (rule: string) =>
      findings
        .filter((finding) => finding.rule === rule)
        .map(({ hazardId, places }) => [hazardId, ...places.map(({ cell }) => Number(/\d+/.exec(cell)?.[0]))]);
    expect(found('cause-id-off-pattern')).toEqual([['H01', 7, 8]]);
    expect(found('control-id-of-another-cause')).toEqual([
      ['H01', 25],
      ['H02', 40, 80],
      ['H04', 93, 94, 95, 96],
    ]);
    expect(found('control-row-incomplete')).toEqual([
      ['H02', 53],
      ['H03', 88, 88, 88],
    ]);
    expect(found('no-status-column')).toEqual([[null, 1]]);
  });

  test('log and tickets give one result, complete and the same each time', async () => {
    const input = () => ({
      log: realFile('hazard-logs/nrl_hazard_log_v1.7.xlsx'),
      tickets: realFile('tickets/nrlf_NRL_tickets.csv'),
    });
    const [first, second] = [await analyseLog(input()), await analyseLog(input())];
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    expect(first.analysisMetadata.jiraAnalysis.ticketsAnalyzed).toBe(79);
    expect(first.newHazards[0]?.proposedId).toBe('NRL12');
  });
});
