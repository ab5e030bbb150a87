import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { findImplausible } from '../../../../bot/agents/clinical_safety/reading/implausible.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';

const read = (...lines: string[]) => readLog(new TextEncoder().encode(lines.join('\n')), 'log.md');
const table = (head: string, ...rows: string[]) => [head, head.replace(/[^|]+/g, '---'), ...rows].join('\n');
type Log = Awaited<ReturnType<typeof read>>;
const doubted = (log: Log) => findImplausible(log).flatMap(({ columns }) => columns);
const levels = (log: Log, rule: string) =>
  findFindings({ log, asOf: null, report: null }).flatMap((finding) => (finding.rule === rule ? finding.level : []));

const HEAD = '| ID | Hazard | Cause | Effect | Severity | Likelihood | Controls |';

// What was read is doubted by its own shape: every word in these logs is ours.
describe('what was read is to check where it looks like something else', () => {
  test('one id for most hazards is no id of theirs', async () => {
    const log = await read(
      table(
        HEAD,
        '| 4 | Chart of the wrong bed | Tap | Harm | Major | Low | Banner |',
        '| 4 | Weight in pounds | Form | Harm | Major | Low | Unit beside it |',
        '| 4 | Alarm muted | Key | Harm | Minor | Low | Light |',
        '| 4 | Clock is late | Drift | Harm | Minor | Low | Sync |',
      ),
    );
    expect(doubted(log)).toEqual(['id']);
    expect(levels(log, 'duplicate-id')).toEqual(['check']);
    expect(findImplausible(log).map(({ message }) => message)).toEqual(['4 hazards share 1 id.']);
  });

  test('a pair of hazards with one id stays a finding to fix', async () => {
    const log = await read(
      table(
        HEAD,
        '| H1 | Chart of the wrong bed | Tap | Harm | Major | Low | Banner |',
        '| H2 | Weight in pounds | Form | Harm | Major | Low | Unit beside it |',
        '| H2 | Alarm muted | Key | Harm | Minor | Low | Light |',
        '| H3 | Clock is late | Drift | Harm | Minor | Low | Sync |',
      ),
    );
    expect(doubted(log)).toEqual([]);
    expect(levels(log, 'duplicate-id')).toEqual(['fix']);
  });

  test('a column of hazards that was not read may hold the names', async () => {
    const log = await read(
      table(
        '| ID | Hazard and what it rests upon | Hazardous situation | Harm | Severity | Probability | Controls |',
        '| R1 | Lens is scratched | Blurred picture | Late finding | Major | Low | Check at start |',
        '| R2 | Fan stops | Device gets hot | Burn | Minor | Low | Cut-out |',
      ),
    );
    if (!log.table.columns.some(({ canonical }) => canonical === 'name')) expect(doubted(log)).toContain('name');
    expect(log.table.unmatched.map(({ header }) => header)).toEqual(['Hazard and what it rests upon']);
  });

  test('a rating that holds another is no rating, and one with its reason behind it is', async () => {
    const crowded = await read(
      table(
        HEAD,
        '| H1 | Chart of the wrong bed | Tap | Harm | Major | 3 / Score 4 | Banner |',
        '| H2 | Weight in pounds | Form | Harm | Major | 2 / Score 3 | Unit beside it |',
      ),
    );
    expect(doubted(crowded)).toEqual(['initial_likelihood', 'initial_risk']);
    const explained = await read(
      table(
        HEAD,
        '| H1 | Chart of the wrong bed | Tap | Harm | Major (a ward of thirty patients reads from it all night, without any other record) | Low | Banner |',
        '| H2 | Weight in pounds | Form | Harm | Major — nobody would notice before the pharmacist does on the next morning | Low | Unit |',
      ),
    );
    expect(doubted(explained)).toEqual([]);
  });
});
