import { describe, expect, test } from '@jest/globals';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';

const read = async (...rows: string[]) => {
  const log = await readLog(new TextEncoder().encode(rows.join('\n')), 'export.csv');
  return log.hazards.map(({ id, causes, controls, notInPlace = [] }) => ({
    id,
    causes: causes.map(({ text }) => text),
    controls: controls.map(({ text }) => text),
    notInPlace: notInPlace.map(({ text }) => text),
  }));
};
const ids = async (...rows: string[]) => (await read(...rows)).map(({ id }) => id);

describe('the rows of a tracker’s export', () => {
  test('are hazards by their type, with causes and controls that are linked', async () => {
    const found = await read(
      'ID;Type;Title;Harm;Severity;Likelihood;Linked work items;Status',
      'V-1;riskRecord;Alarm is not passed on;Hypoxia;S5;P3;is caused by: V-4, is mitigated by: V-2, is mitigated by: V-3;open',
      'V-2;riskControl;Watchdog;;;;mitigates: V-1;verified',
      'V-3;riskControl;Second channel;;;;mitigates: V-1;draft',
      'V-4;Cause;Gateway hangs;;;;;open',
      'V-5;heading;Network;;;;;open',
    );
    expect(found).toEqual([
      { id: 'V-1', causes: ['Gateway hangs'], controls: ['Watchdog'], notInPlace: ['Second channel'] },
    ]);
  });

  test('of a type of their own stay hazards where they say what a hazard says', async () => {
    const head = 'ID;Type;Hazard;Cause;Severity;Likelihood';
    expect(await ids(head, 'H1;Clinical risk;Wrong dose;Units;4;3', 'H2;Usability;Late dose;Clock;3;2')).toEqual([
      'H1',
      'H2',
    ]);
  });

  test('that are actions or assessments of a risk are none', async () => {
    const head = 'Issue key;Issue Type;Hazard;Cause;Severity;Likelihood';
    const rows = [
      'H-1;Hazard;Wrong dose;Units;4;3',
      'H-2;Risk action;Ask the vendor;x;1;1',
      'H-3;Risk assessment;Review;x;1;1',
    ];
    expect(await ids(head, ...rows)).toEqual(['H-1']);
  });
});
