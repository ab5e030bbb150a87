import { describe, expect, test } from '@jest/globals';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';

const read = async (rows: readonly string[]) => {
  const log = await readLog(new TextEncoder().encode(rows.join('\n')), 'log.csv');
  return {
    controls: log.hazards.map(({ controls }) => controls.map(({ text }) => text)),
    remarks: log.shape.remarks.filter((remark) => remark.startsWith('Not counted')),
  };
};
const HEAD = 'ID;Hazard;Cause;Harm;Severity;Likelihood;Controls';

describe('a control that is not in place', () => {
  test.each(['Planned', 'proposed', 'Rejected', 'Not started', 'Planerad', 'geplant', 'Prévue'])(
    'is “%s” by its status, and is named apart',
    async (status) => {
      const { controls, remarks } = await read([
        `${HEAD};Control status`,
        `H1;Wrong dose;Units;Overdose;4;3;Hard stop;${status}`,
        'H2;Late dose;Clock;Delay;3;2;Reminder;In place',
      ]);
      expect(controls).toEqual([[], ['Reminder']]);
      expect(remarks).toEqual([
        `Not counted as controls, because their status says that they are not in place: “Hard stop” of H1 (${status}).`,
      ]);
    },
  );

  test.each(['In place', 'Open', 'In progress', 'Done', ''])('is not said by “%s”', async (status) => {
    const { controls } = await read([`${HEAD};Control status`, `H1;Wrong dose;Units;Overdose;4;3;Hard stop;${status}`]);
    expect(controls).toEqual([['Hard stop']]);
  });

  test('is quoted with an ellipsis where it is long', async () => {
    const row = (text: string) => `H1;Wrong dose;Units;Overdose;4;3;${text};Planned`;
    const said = async (text: string) => (await read([`${HEAD};Control status`, row(text)])).remarks[0];
    expect(await said('a'.repeat(120))).toContain(`“${'a'.repeat(120)}” of H1`);
    expect(await said('a'.repeat(121))).toContain(`“${'a'.repeat(119)}…” of H1`);
  });

  test('the status of an action says nothing of the controls beside it', async () => {
    const { controls } = await read([
      `${HEAD};Action;Action status`,
      'H1;Wrong dose;Units;Overdose;4;3;Hard stop;Add a report;Planned',
    ]);
    expect(controls).toEqual([['Hard stop']]);
  });

  test('is not ticked in a list of tasks, or says itself that it is planned', async () => {
    const { controls, remarks } = await read([
      HEAD,
      'H1;Wrong dose;Units;Overdose;4;3;"[x] Hard stop\n[ ] Report to pharmacy"',
      'H2;Late dose;Clock;Delay;3;2;"Reminder\nText to the driver (PLANNED, Q2)"',
    ]);
    expect(controls).toEqual([['Hard stop'], ['Reminder']]);
    expect(remarks[0]).toContain(
      '“Report to pharmacy” of H1 (not ticked), “Text to the driver (PLANNED, Q2)” of H2 (planned)',
    );
  });

  test('is said by the column right behind it: the health of each barrier', async () => {
    const { controls } = await read([
      'ID;Top event;Threat;Harm;Severity;Likelihood;Prevention barrier;Barrier health;Recovery barrier;Barrier health',
      'H1;Wrong dose;Units;Overdose;4;3;Hard stop;Effective;Call-back robot;Not built',
    ]);
    expect(controls).toEqual([['Hard stop']]);
  });
});
