import { describe, expect, test } from '@jest/globals';
import { findFindings } from '../../../../bot/agents/clinical_safety/findings/findFindings.ts';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';
import { describeUnread } from '../../../../bot/agents/clinical_safety/reading/unread.ts';
import { makePackage } from '../../../factories/hazardLog.ts';

const read = (text: string, fileName = 'log.md') => readLog(new TextEncoder().encode(text), fileName);
const table = (...rows: string[]) => {
  const [head = '', ...others] = rows;
  return [head, head.replace(/[^|]+/g, '---'), ...others].join('\n');
};
/** A hazard as one line: id, name, effect, causes, controls and ratings. */
const inShort = ({ hazards }: Awaited<ReturnType<typeof read>>) =>
  hazards.map(({ id, hasId, name, clinicalImpact, causes, controls, initial, residual }) => ({
    id: hasId ? id : null,
    name,
    effect: clinicalImpact,
    causes: causes.map(({ text }) => text),
    controls: controls.map(({ text }) => text),
    initial: [initial.severity, initial.likelihood, initial.risk],
    residual: [residual.severity, residual.likelihood, residual.risk],
  }));
const fixes = (log: Awaited<ReturnType<typeof read>>) =>
  findFindings({ log, asOf: null, report: null }).flatMap(({ level, rule }) => (level === 'fix' ? [rule] : []));

const card = (...pairs: [string, string][]) =>
  table('| Field | Value |', ...pairs.map(([one, two]) => `| **${one}** | ${two} |`));

// Layouts of hazard logs that teams keep in public; every word in them is our own.
describe('cards under headings', () => {
  test('have the id and the name of their heading, where the card gives none', async () => {
    const log = await read(
      [
        '# Hazards of the ward board',
        '### HZ-001: Bed state is stale',
        card(
          ['Hazardous situation', 'A bed is shown as free'],
          ['Harm', 'A patient waits'],
          ['Severity', 'Major'],
          ['Probability', 'Low'],
          ['Cause', 'The feed stops'],
          ['Current mitigation', 'A clock beside the bed'],
        ),
        '### HZ-002: Two patients on one line',
        card(
          ['Hazardous situation', 'Names run into each other'],
          ['Harm', 'Wrong patient moved'],
          ['Severity', 'Major'],
          ['Probability', 'Very low'],
          ['Cause', 'Long names'],
          ['Current mitigation', 'None'],
        ),
      ].join('\n\n'),
    );
    expect(inShort(log).map(({ id, name }) => [id, name])).toEqual([
      ['HZ-001', 'Bed state is stale'],
      ['HZ-002', 'Two patients on one line'],
    ]);
    expect(fixes(log)).not.toContain('missing-id');
  });

  test('keep their own id, and take a name from a heading with the same id alone', async () => {
    const parts = (id: string) =>
      card(
        ['Hazard ID', id],
        ['Description', 'Shown for the patient before'],
        ['Potential causes', 'The page is kept'],
        ['Initial severity', '4'],
        ['Initial likelihood', '3'],
        ['Initial risk', '12'],
      );
    const log = await read(
      ['## H-1 — Stale record', parts('H-1'), '## H-9 — Something else', parts('H-2')].join('\n\n'),
    );
    expect(inShort(log).map(({ id, name }) => [id, name])).toEqual([
      ['H-1', 'Stale record'],
      // The heading speaks of another hazard.
      ['H-2', 'Shown for the patient before'],
    ]);
  });

  test('are no hazards where they explain the scale', async () => {
    const log = await read(
      [
        '## 4. Risk scoring matrix',
        '### Severity (1–5)',
        table('| Score | Label |', '| 1 | Minor |', '| 5 | Catastrophic |'),
        '### Likelihood (1–5)',
        table('| Score | Label |', '| 1 | Rare |'),
        '### Risk acceptability',
        'A residual score of 12 or above blocks a release.',
        '## 5. Hazards',
        '### H-001 — Stale record',
        card(
          ['Hazard ID', 'H-001'],
          ['Description', 'Shown for the patient before'],
          ['Potential causes', 'The page is kept'],
          ['Initial severity', '4 (Major — a wrong record)'],
          ['Initial likelihood', '3'],
          ['Initial risk', '12'],
        ),
      ].join('\n\n'),
    );
    expect(inShort(log).map(({ id }) => id)).toEqual(['H-001']);
    expect(fixes(log)).toEqual([]);
  });

  test('share a heading that two of them write differently, and no rating moves behind controls', async () => {
    const log = await read(
      [
        '### H-1: First',
        '- **Cause:** one',
        '- **Potential harm:** a delay',
        '- **Severity (engineering estimate):** Moderate',
        '- **Current mitigation:** a check',
        '- **Residual risk / what is open:** the label',
        '### H-2: Second',
        '- **Cause:** two',
        '- **Potential harm:** a delay',
        '- **Severity:** Low',
        '- **Current mitigation:** a check',
      ].join('\n'),
    );
    expect(inShort(log).map(({ initial, residual }) => [initial[0], residual[0]])).toEqual([
      ['Moderate', null],
      ['Low', null],
    ]);
  });

  test('begin at each “Hazard H001” of a section, and give what is in brackets to no rating', async () => {
    const entry = (id: string, name: string, risk: string) =>
      [
        `**Hazard ${id}**: ${name}`,
        '- **Potential Harm**: A late diagnosis',
        '- **Severity**: 3 (Moderate)',
        '- **Probability**: 2 (Unlikely)',
        `- **Risk Score**: ${risk}`,
        '- **Risk Control Measures**:',
        '  - The session is restored',
        '  - Copies are kept',
        '- **Residual Risk**: 2 (Very low probability with controls)',
      ].join('\n');
    const log = await read(
      [
        '# Risk file',
        '#### Hazard Category 1: Software',
        entry('H001', 'The viewer stops', '6'),
        '',
        entry('H002', 'The image is turned', '6'),
        '#### Hazard Category 2: Use',
        entry('H003', 'A length is wrong', '6'),
      ].join('\n'),
    );
    expect(inShort(log).map(({ id, name }) => [id, name])).toEqual([
      ['H001', 'The viewer stops'],
      ['H002', 'The image is turned'],
      ['H003', 'A length is wrong'],
    ]);
    for (const { controls, initial, residual } of inShort(log)) {
      expect(controls).toEqual(['The session is restored\nCopies are kept']);
      expect(initial).toEqual(['3 (Moderate)', '2 (Unlikely)', 6]);
      expect(residual).toEqual([null, null, 2]);
    }
  });

  test('have the number of a rating that a list gives as a word too', async () => {
    const entry = (number: number) =>
      [
        `### Risk ${number}: RISK_000${number}`,
        '**Hazard**: An alarm is not raised',
        '**Cause**: The limit is wrong',
        '**Effect**: A late response',
        '**Initial Risk Assessment**:',
        '- Severity: Serious',
        '- Probability: Low',
        '- Risk Level: Undesirable',
        '- Risk Score: 6',
        '**Risk Control Measures**:',
        'Limits are checked.',
        '**Residual Risk Assessment**:',
        '- Residual Severity: Minor',
        '- Residual Probability: Low',
        '- Residual Risk Level: Acceptable',
        '- Residual Risk Score: 2',
      ].join('\n\n');
    const log = await read(`# Report\n\n${entry(1)}\n\n${entry(2)}\n`);
    const shared = {
      name: 'An alarm is not raised',
      effect: 'A late response',
      causes: ['The limit is wrong'],
      controls: ['Limits are checked.'],
      initial: ['Serious', 'Low', 6],
      residual: ['Minor', 'Low', 2],
    };
    expect(inShort(log)).toEqual([
      { id: 'RISK_0001', ...shared },
      { id: 'RISK_0002', ...shared },
    ]);
  });

  test('that stand below one title keep their own ids', async () => {
    const entry = (id: string, name: string) =>
      [
        `**Hazard id:** ${id}`,
        `**Hazard name:** ${name}`,
        '**Description:** What is shown is not what is stored.',
        '**Causes:**',
        '- The page is drawn late',
        '**Effect:**',
        'The wrong name is read.',
        '**Hazard controls:**',
        '- A test of quick changes',
      ].join('\n\n');
    const log = await read(['# Hazard', entry('Hz-1', 'Wrong name'), '---', entry('Hz-2', 'Old list')].join('\n\n'));
    expect(inShort(log).map(({ id, name }) => [id, name])).toEqual([
      ['Hz-1', 'Wrong name'],
      ['Hz-2', 'Old list'],
    ]);
  });

  test('have the headings below “Mitigations” as controls, and no line of code', async () => {
    const log = await read(
      [
        '## H-1: Wrong record',
        '### Description',
        'Another record is shown.',
        '### Initial risk assessment',
        '- **Likelihood:** 3 (Possible)',
        '- **Severity:** 5 (Catastrophic)',
        '- **Initial risk score:** **15 (CRITICAL)**',
        '### Mitigations implemented',
        '#### 1. The session is checked',
        '```php',
        'if (severity: 1) { risk: 2; }',
        '```',
        '#### 2. Each look is logged',
        'Kept for seven years.',
        '### Residual risk assessment',
        '- **Likelihood:** 1 (Rare)',
        '- **Severity:** 5 (Catastrophic)',
        '- **Residual risk score:** 5',
      ].join('\n'),
    );
    expect(inShort(log)).toEqual([
      {
        id: 'H-1',
        name: 'Wrong record',
        effect: '',
        causes: [],
        controls: ['The session is checked\nEach look is logged'],
        initial: ['5 (Catastrophic)', '3 (Possible)', 15],
        residual: ['5 (Catastrophic)', '1 (Rare)', 5],
      },
    ]);
    // What stands below a control is listed as not read.
    expect(describeUnread(log.findUnread()).join('\n')).toContain('Kept for seven years.');
  });
});

describe('sections of one hazard', () => {
  const file = (id: string, hazard: string) =>
    [
      `# Risk file: ${id}`,
      '## Risk information',
      `- **Risk ID**: ${id}`,
      `- **Hazard**: ${hazard}`,
      '- **Cause**: A wrong entry',
      '- **Effect**: A wrong dose',
      '## Risk analysis',
      '- **Severity**: 4 (Major)',
      '- **Probability**: 2',
      '- **Initial Risk**: 8',
      '- **Existing Controls**: A second reading',
      '- **Residual Risk**: 3',
      '## Ownership',
      '- **Owner**: The ward',
    ].join('\n');

  test('are one, where one of them alone has its id', async () => {
    const log = await read(`# All risks\n\n${file('R001', 'Area is wrong')}\n\n${file('R002', 'Weight is wrong')}\n`);
    expect(inShort(log)).toMatchObject([
      { id: 'R001', name: 'Area is wrong', initial: ['4 (Major)', '2', 8], residual: [null, null, 3] },
      { id: 'R002', name: 'Weight is wrong', controls: ['A second reading'] },
    ]);
    expect(log.hazards.map(({ owner }) => owner)).toEqual(['The ward', 'The ward']);
  });

  test('give to a rating what stands in its line, and no word of the next', async () => {
    const entry = (id: string) =>
      [
        `### ${id} — Text is not hidden`,
        '- **Cause:** an overlay',
        '- **Effect:** it is read',
        '- **Controls:** it is removed',
        '- **Residual:** Severity 4, Likelihood 2 → tolerable with a reader;',
        '  measured at each release',
      ].join('\n');
    const log = await read(`# Case\n\n${entry('H1')}\n\n${entry('H2')}\n`);
    for (const { residual } of inShort(log)) expect(residual).toEqual(['4', '2', null]);
    expect(describeUnread(log.findUnread()).join('\n')).toContain('measured at each release');
  });

  test('that say how a log is kept are no hazard', async () => {
    const guide = [
      '## How to fill in the table',
      '### **Hazard ID**',
      '- Give each hazard an id of its own, such as H001',
      '### **Hazard Description**',
      '- Say what can go wrong',
      '### **Potential Harm**',
      '- Say what it does to the patient',
      '### **Severity (1-5)**',
      '- Rate how bad it is',
      '### **Risk Control Measures**',
      '- List what is done about it',
    ].join('\n');
    await expect(read(guide)).rejects.toMatchObject({ code: 'not_a_hazard_log' });
  });
});

describe('a register with its details elsewhere', () => {
  const register = table(
    '| ID | Feature | Hazard | Sev. | Lik. | Owner |',
    '| HZ-01 | Inbox | A result is missed | Major | Low | Ada |',
    '| HZ-02 | Chart | An allergy is not shown | Catastrophic | Low | Ben |',
  );
  const details = (id: string, title: string) =>
    [
      `### ${id} · ${title}`,
      '- **Feature:** as above',
      '- **Cause:**',
      '  - **The guard never fires on a new chart.** Opening one fills it.',
      `- **Effect:** harm of ${id}`,
      '- **Existing controls:** a list on top',
      '- **Needs:** a decision',
    ].join('\n');

  test('takes causes, effects and controls from the sections of the same ids, and says so', async () => {
    const log = await read(
      [
        register,
        '## In detail',
        details('HZ-02', 'An allergy is not shown'),
        details('HZ-01', 'A result is missed'),
      ].join('\n\n'),
    );
    expect(inShort(log)).toMatchObject([
      { id: 'HZ-01', effect: 'harm of HZ-01', controls: ['a list on top'], initial: ['Major', 'Low', null] },
      { id: 'HZ-02', effect: 'harm of HZ-02', controls: ['a list on top'], initial: ['Catastrophic', 'Low', null] },
    ]);
    expect(log.hazards[0]?.causes[0]?.text).toBe('The guard never fires on a new chart. Opening one fills it.');
    // Each text stands where it was read.
    expect(log.hazards[0]?.textPlaces.clinicalImpact?.cell).toMatch(/^A\d+$/);
    expect(log.hazards[0]?.textPlaces.name).toEqual({ sheet: 'log.md', cell: 'C2' });
    expect(log.shape.remarks.join('\n')).toContain('by the ids of the hazards: “Cause”, “Effect”, “Existing controls”');
    const unread = describeUnread(log.findUnread()).join('\n');
    expect(unread).toContain('Needs');
    expect(unread).not.toContain('harm of');
  });

  test('takes nothing from sections of other hazards, or of the same ids under other names', async () => {
    for (const other of [
      [details('HZ-07', 'A result is missed'), details('HZ-08', 'An allergy is not shown')],
      [details('HZ-01', 'Printing fails'), details('HZ-02', 'Battery empty')],
    ]) {
      const log = await read([register, '## In detail', ...other].join('\n\n'));
      expect(inShort(log).map(({ effect, controls }) => [effect, controls.length])).toEqual([
        ['', 0],
        ['', 0],
      ]);
    }
  });

  test('takes what one table lacks from another of the same hazards', async () => {
    const log = await read(
      [
        '## Hazards',
        table(
          '| HAZ-ID | Hazard | Potential cause | Impact |',
          '| INF-001 | Outage | Power fails | Records not reached |',
          '| INF-002 | Breach | Password stolen | Data disclosed |',
        ),
        '## Assessment',
        table(
          '| HAZ-ID | Hazard | S | P | Initial Risk | Controls | Residual S | Residual P | Final Risk |',
          '| INF-001 | Outage | 4 | 3 | 12 | Two sites | 3 | 2 | 6 |',
          '| INF-002 | Breach | 5 | 2 | 10 | Encryption | 4 | 1 | 4 |',
        ),
      ].join('\n\n'),
    );
    expect(inShort(log)[1]).toEqual({
      id: 'INF-002',
      name: 'Breach',
      effect: 'Data disclosed',
      causes: ['Password stolen'],
      controls: ['Encryption'],
      initial: ['5', '2', 10],
      residual: ['4', '1', 4],
    });
  });

  test('reads the cards, the controls and the residual risk of each section, whose summary is a table', async () => {
    const section = (id: string, name: string, control: string) =>
      [
        `### ${id}: ${name}`,
        table(
          '| Attribute | Value |',
          `| **Hazard ID** | ${id} |`,
          `| **Hazard Description** | ${name} |`,
          '| **Potential Harm** | A wrong dose |',
          '| **Severity** | 4 (Major) |',
          '| **Initial Probability** | 2 (Unlikely) |',
          '| **Initial Risk** | Medium |',
        ),
        '**Risk Control Measures:**',
        table('| Control ID | Control Measure | Type |', `| RC-${id} | ${control} | Protective |`),
        '**Residual Risk:**\n- Severity: 4 | Probability: 1 | Risk Level: **Medium (Acceptable)**',
      ].join('\n\n');
    const log = await read(
      [
        section('HAZ-001', 'Count is wrong', 'Count twice'),
        section('HAZ-002', 'Wrong patient', 'Read the band'),
        '## Summary',
        table(
          '| Hazard ID | Description | Initial Risk | Residual Risk | Status |',
          '| HAZ-001 | Count is wrong | Medium | Medium | ALARP |',
          '| HAZ-002 | Wrong patient | Medium | Low | Acceptable |',
        ),
      ].join('\n\n'),
    );
    expect(inShort(log)).toMatchObject([
      {
        id: 'HAZ-001',
        effect: 'A wrong dose',
        controls: ['Count twice'],
        initial: ['4 (Major)', '2 (Unlikely)', null],
      },
      { id: 'HAZ-002', controls: ['Read the band'], residual: ['4', '1', null] },
    ]);
    expect(log.hazards.map(({ status }) => status)).toEqual(['ALARP', 'Acceptable']);
  });
});

describe('headings and cells', () => {
  test('“SxP” over “5x3=15” is three ratings, and ids under “Risk Controls” are read as the controls they name', async () => {
    const log = await read(
      [
        '## Baseline',
        table(
          '| Hazard ID | Hazardous Situation | Foreseeable Cause | Harm | Initial SxP | Residual SxP | Risk Controls |',
          '| HZ-1 | Delivered while blocked | Signal ignored | An injury | 5x3=15 | 5x1=5 | RC-001, RC-002 |',
          '| HZ-2 | Delivered too early | State skipped | An injury | 4x3=12 | 4x1=4 | RC-002 |',
        ),
        '## Risk Controls',
        table(
          '| Control ID | Control | Control Type |',
          '| RC-001 | One gate | design |',
          '| RC-002 | A block | design |',
        ),
      ].join('\n\n'),
    );
    expect(inShort(log).map(({ controls, initial, residual }) => ({ controls, initial, residual }))).toEqual([
      { controls: ['One gate', 'A block'], initial: ['5', '3', 15], residual: ['5', '1', 5] },
      { controls: ['A block'], initial: ['4', '3', 12], residual: ['4', '1', 4] },
    ]);
  });

  test('“New S” and “New Level” are ratings behind controls', async () => {
    const log = await read(
      table(
        '| Risk ID | Hazard / Failure Mode | Cause of Failure | S | P | Risk Level | Risk Control Measure | New S | New P | New Level |',
        '| R-1 | Wrong slide | Two alike | 4 | 3 | 12 (Med) | A scan | 4 | 1 | 4 (Low) |',
        '| R-2 | Lost slide | No record | 4 | 3 | 12 (Med) | A list | 4 | 1 | 4 (Low) |',
      ),
    );
    for (const { initial, residual } of inShort(log)) {
      expect(initial).toEqual(['4', '3', 12]);
      expect(residual).toEqual(['4', '1', 4]);
    }
  });

  test('in another script are read by their translation in brackets', async () => {
    const log = await read(
      table('| ID | 発生事象 (Hazard Event) | 原因 (Cause) | 対策 (Mitigation) |', '| H01 | 負の年齢 | 日付 | 警告 |'),
    );
    expect(inShort(log)).toMatchObject([{ id: 'H01', name: '負の年齢', causes: ['日付'], controls: ['警告'] }]);
  });

  test('“Controls / evidence” are controls, and a dash is no rating', async () => {
    const log = await read(
      table(
        '| ID | Hazard | Cause | Severity | Likelihood | Controls / evidence |',
        '| H-1 | Wrong unit | Two scales | Major | — | One scale, test 4 |',
        '| H-2 | Late result | Queue | Major | - | A clock, test 5 |',
      ),
    );
    expect(inShort(log).map(({ controls, initial }) => [controls, initial])).toEqual([
      [['One scale, test 4'], ['Major', null, null]],
      [['A clock, test 5'], ['Major', null, null]],
    ]);
  });
});

describe('ratings with words beside them', () => {
  const cards = (initial: string, residual: string, heading = 'L×S') =>
    ['H01', 'H02'].flatMap((id) => [
      `### ${id} — Exercise *instead of* rest ${id}`,
      '- **Cause:** One plan for all.',
      '- **Effect:** A fall.',
      `- **Initial ${heading}:** ${initial}`,
      '- **Existing controls:** A warning.',
      `- **Residual ${heading}:** ${residual}`,
      '',
    ]);

  test('are the figures before the words, in the order that the heading names', async () => {
    const log = await read(
      cards(
        '2 × 4 = 8',
        '1 × 4 = 4 (acceptable) — reduced from 2 × 4 = 8; to fall further, once videos are there',
      ).join('\n'),
    );
    expect(inShort(log)[0]).toMatchObject({
      name: 'Exercise instead of rest H01',
      initial: ['4', '2', 8],
      residual: ['4', '1', 4],
    });
    expect(fixes(log)).toEqual([]);
  });

  test('two figures under a heading of the risk alone are no risk, and their product is one where it stands there', async () => {
    const [first] = (await read(cards('2 × 4 — checked by two. Accepted', '1 × 4 = 4', 'risk').join('\n'))).hazards;
    expect([first?.initial.risk, first?.initial.riskWord]).toEqual([null, '2 × 4 — checked by two. Accepted']);
    expect(first?.residual.risk).toBe(4);
  });
});

test('what a template has where nobody has written yet is blank', async () => {
  const log = await read(
    table(
      '| ID | Hazard | Harm | Severity | Probability | Risk Level | Mitigation | Residual Risk |',
      '| H-1 | Finding is missed | Late care | Critical | [FILL: probability estimate] | [FILL: risk level] | Second reading | «INSERT: risk» |',
      '| H-2 | Finding is made up | Needless care | Serious | <TBD> | {enter risk} | Second reading | [TBC] |',
    ),
  );
  expect(inShort(log).map(({ initial, residual }) => [initial, residual])).toEqual([
    [
      ['Critical', null, null],
      [null, null, null],
    ],
    [
      ['Serious', null, null],
      [null, null, null],
    ],
  ]);
  expect(log.hazards.map(({ initial }) => initial.riskWord)).toEqual([undefined, undefined]);
  expect(fixes(log)).toEqual(expect.arrayContaining(['missing-likelihood', 'missing-risk']));
});

describe('layouts of a further round', () => {
  test('cards are the log, not the summary below them that has ids in its names', async () => {
    const one = (id: string, name: string, ...more: [string, string][]) => [
      `### ${id}: ${name}`,
      card(
        ['ID', id],
        ['Hazard', `${name} on the board`],
        ['Cause', `Cause of ${id}`],
        ['Effect', `Effect of ${id}`],
        ['Severity', '3 (Moderate)'],
        ['Likelihood', '2 (Unlikely)'],
        ['Initial Risk', '6 (Low)'],
        ...more,
      ),
    ];
    const log = await read(
      [
        '# Log of the ward board',
        ...one('H1', 'Bed is stale', ['Mitigation', 'A clock beside the bed'], ['Residual Risk', '6 (Low)']),
        ...one(
          'H2',
          'Two names on a line',
          ['Mitigations', '1. Rows are ruled'],
          [' ', '2. Names are cut'],
          [' ', '3. A photograph'],
          ['Residual Risk', '3 (Low)'],
        ).map((text) => text.replaceAll('** **', '')),
        '## Summary',
        table(
          '| Hazard | Initial Risk | Residual Risk | Status |',
          '| H1 — Bed is stale | Low (6) | Low (6) | Watched |',
          '| H2 — Names | Low (6) | Low (3) | Done |',
        ),
      ].join('\n\n'),
    );
    expect(inShort(log).map(({ id, name, causes, controls }) => [id, name, causes, controls])).toEqual([
      ['H1', 'Bed is stale on the board', ['Cause of H1'], ['A clock beside the bed']],
      [
        'H2',
        'Two names on a line on the board',
        ['Cause of H2'],
        ['1. Rows are ruled', '2. Names are cut', '3. A photograph'],
      ],
    ]);
  });

  test('ratings in one line stand between dots, with the risk last', async () => {
    const one = (id: string, initial: string, residual: string) => [
      `### ${id} — Draft of ${id} is sent`,
      `- **Cause:** cause of ${id}`,
      `- **Effect/harm:** effect of ${id}`,
      `- **Initial:** ${initial}`,
      `- **Controls:** a second reader for ${id}`,
      `- **Residual:** ${residual}`,
    ];
    const log = await read(
      [
        '# Hazards',
        ...one(
          'H1',
          'Severity 4 · Likelihood 3 · **Rating 4 (Unacceptable)**',
          'Severity 4 · Likelihood 1 · **Rating 3 (ALARP)** — rests on the reader.',
        ),
        ...one(
          'H2',
          'Severity 2 · Likelihood 3 · **Rating 2 (Acceptable)**',
          'Severity 2 · Likelihood 2 · **Rating 2 (Acceptable)**',
        ),
      ].join('\n'),
    );
    expect(inShort(log).map(({ initial, residual }) => [initial, residual])).toEqual([
      [
        ['4', '3', 4],
        ['4', '1', 3],
      ],
      [
        ['2', '3', 2],
        ['2', '2', 2],
      ],
    ]);
  });

  test('a hazard with its sequence of events is the name, and a risk in words stands behind two ratings', async () => {
    const log = await read(
      table(
        '| Risk ID | Hazard & Sequence of Events | Hazardous Situation | Harm | Initial Risk (S×P) | Risk Control Measure | Residual Risk (S×P) |',
        '| R1 | Lens is scratched | Blurred picture | Late finding | Serious × Probable (Medium) | Check at start | Serious × Remote (Acceptable) |',
        '| R2 | Fan stops | Device gets hot | Burn | Minor × Probable (Medium) | Cut-out | Minor × Remote (Acceptable) |',
      ),
    );
    expect(inShort(log).map(({ name, initial, residual }) => [name, initial, residual])).toEqual([
      ['Lens is scratched', ['Serious', 'Probable', null], ['Serious', 'Remote', null]],
      ['Fan stops', ['Minor', 'Probable', null], ['Minor', 'Remote', null]],
    ]);
    expect(log.hazards.map(({ initial, residual }) => [initial.riskWord, residual.riskWord])).toEqual([
      ['Medium', 'Acceptable'],
      ['Medium', 'Acceptable'],
    ]);
  });

  test('a control that two ways of reading find in one cell is one control', async () => {
    const log = await read(
      [
        table(
          '| ID | Hazard | Cause | Harm | Severity (S) | Probability (P) | Risk Score (SxP) |',
          '| Z-01 | Sum is wrong | Rounding | Wrong dose | 5 | 2 | 10 |',
          '| Z-02 | Page is stale | Cache | Late dose | 4 | 2 | 8 |',
        ),
        '## Measures',
        table(
          '| Risk ID | Control Measure | Control Type | New S | New P |',
          '| Z-01 | Sums are tested | Design | 5 | 1 |',
          '| Z-02 | Cache ends after a minute | Design | 4 | 1 |',
        ),
      ].join('\n\n'),
    );
    expect(log.hazards.map(({ controls }) => controls.map(({ text, kind }) => [text, kind]))).toEqual([
      [['Sums are tested', 'design']],
      [['Cache ends after a minute', 'design']],
    ]);
  });

  test('a risk after controls that multiplies is read in the order that another heading gives', async () => {
    const rows = [
      '| R1 | Lens is scratched | Wear | Late finding | Critical (4) x Remote (2) = **High** | Check at start | Minor (2) x Remote (2) = **Low** |',
      '| R2 | Fan stops | Dust | Burn | Minor (2) x Frequent (5) = **High** | Cut-out | Minor (2) x Remote (2) = **Low** |',
    ];
    const log = await read(
      table('| ID | Hazard | Cause | Effect | Initial Risk (S x P) | Risk Control Measure | Residual Risk |', ...rows),
    );
    expect(inShort(log).map(({ residual }) => residual.slice(0, 2))).toEqual([
      ['Minor (2)', 'Remote (2)'],
      ['Minor (2)', 'Remote (2)'],
    ]);
    expect(log.hazards.map(({ residual }) => residual.riskWord)).toEqual(['Low', 'Low']);
    // Without an order, a severity is no level of risk, and the column is listed.
    const open = await read(
      table('| ID | Hazard | Cause | Effect | Initial Risk | Risk Control Measure | Residual Risk |', ...rows),
    );
    expect(open.hazards.flatMap(({ residual }) => residual.riskWord ?? [])).toEqual([]);
    expect(open.findUnread().map(({ label }) => label)).toContain('Residual Risk (words without a number)');
  });

  test('what explains how the log is kept above its cards is no hazard', async () => {
    const one = (id: string) => [
      `### ${id}: Door of ${id} is open`,
      `- **Causes:** cause of ${id}`,
      `- **Harm:** harm of ${id}`,
      `- **Controls:** lock of ${id}`,
      '- **Status:** controlled',
    ];
    const log = await read(
      [
        '# Hazard log',
        'Each hazard has:',
        '- **Causes**: how it can arise;',
        '- **Harm**: what it leads to;',
        '- **Controls**: what is done about it;',
        '- **Status**: open or controlled.',
        '',
        'No hazard here carries a risk: it depends on the site.',
        ...one('H-01'),
        ...one('H-02'),
        ...one('H-03'),
      ].join('\n'),
    );
    expect(log.hazards.map(({ id }) => id)).toEqual(['H-01', 'H-02', 'H-03']);
    expect(fixes(log)).not.toContain('missing-id');
    expect(log.findUnread().map(({ label }) => label)).toContain('Hazard log');
  });

  test.each([
    ['lists of fields with ids', ['H-00', 'H-01', 'H-02']],
    ['lists of fields without ids', []],
  ])('%s below one title have their own names, and the title is none', async (_what, ids) => {
    const cards = ['Chart is lost', 'Door is open', 'Gate is open'].map((name, at) =>
      [
        ...(ids[at] ? [`- **ID:** ${ids[at]}`] : []),
        ...[`- **Hazard:** ${name}`, '- **Causes:** wind', '- **Harm:** a wait', `- **Controls:** lock ${at}`],
      ].join('\n'),
    );
    const log = await read(['# Ward board', ...cards].join('\n\n'));
    expect(log.hazards.map(({ id, hasId, name, controls }) => [hasId ? id : '', name, controls[0]?.text])).toEqual([
      [ids[0] ?? '', 'Chart is lost', 'lock 0'],
      [ids[1] ?? '', 'Door is open', 'lock 1'],
      [ids[2] ?? '', 'Gate is open', 'lock 2'],
    ]);
    expect(log.findUnread().map(({ label }) => label)).not.toContain('Hazard');
  });

  test('a form whose name sounds like a log is a hazard where others have no id either', async () => {
    const form = (name: string, id?: string) => ({
      name: name.slice(0, 20),
      rows: [
        ...(id ? [['Hazard ID', id]] : []),
        ...[
          ['Hazard name', name],
          ['Causes', 'wind'],
          ['Harm', 'a wait'],
          ['Controls', 'a lock'],
        ],
      ],
    });
    const namesOf = async (...sheets: ReturnType<typeof form>[]) =>
      (await readLog(makePackage({ sheets }), 'log.xlsx')).hazards.map(({ name }) => name);
    const [door, gate] = [form('Door is open', 'H-01'), form('Gate is open', 'H-02')];
    const register = 'Risk register is lost';
    expect(await namesOf(form(register), door, form('Gate is open'))).toEqual([
      register,
      'Door is open',
      'Gate is open',
    ]);
    // Where all others have one, it explains them.
    expect(await namesOf(form(register), door, gate)).toEqual(['Door is open', 'Gate is open']);
  });

  test('“None” with its reason is no control, and “plausible harm” is the effect', async () => {
    const log = await read(
      table(
        '| ID | Hazard | Cause | Plausible harm | Severity | Likelihood | Existing controls | Mitigation |',
        '| H1 | Key is lost | Slip | Records unreadable | Major | Low | None — no copy is kept today | Keep a copy |',
        '| H2 | Battery dies | Age | Missed task | Minor | Low | None beyond a simple screen. | Charger |',
      ),
    );
    expect(inShort(log).map(({ effect, controls }) => [effect, controls])).toEqual([
      ['Records unreadable', ['Keep a copy']],
      ['Missed task', ['Charger']],
    ]);
  });
});
