import { describe, expect, test } from '@jest/globals';
import type { ChoiceFact, DeviceFacts } from '../../../bot/agents/mdr/facts/facts.ts';
import { classify } from '../../../bot/agents/mdr/rules/classify.ts';
import { describeReasoning } from '../../../bot/agents/mdr/rules/describe.ts';

/** Facts of a device that informs nothing, monitors nothing and drives nothing, with changes; null takes one away. */
function factsWith(change: Partial<Record<ChoiceFact, string | null>> = {}): DeviceFacts {
  const values = {
    medical: 'yes',
    processing: 'more',
    individual: 'yes',
    decisions: 'no',
    monitoring: 'no',
    driven: 'no',
    market: 'both',
    ...change,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([fact, value]) => (value === null ? [] : [[fact, { value, words: null }]])),
  );
}

describe('Rule 11', () => {
  test.each([
    ['death gives III', { decisions: 'therapy', harm: 'death' }, 'III'],
    ['surgery or serious deterioration gives IIb', { decisions: 'diagnosis', harm: 'serious' }, 'IIb'],
    ['less gives IIa', { decisions: 'both', harm: 'less' }, 'IIa'],
    ['an unknown consequence settles nothing', { decisions: 'both' }, null],
    ['monitoring gives IIa', { monitoring: 'other' }, 'IIa'],
    ['monitoring of vital processes gives IIa', { monitoring: 'vital' }, 'IIa'],
    ['monitoring with immediate danger gives IIb', { monitoring: 'danger' }, 'IIb'],
    ['the higher part goes first', { monitoring: 'danger', decisions: 'therapy', harm: 'less' }, 'IIb'],
    ['the class of a driven device', { driven: 'IIb' }, 'IIb'],
    ['the higher of rule and driven device', { driven: 'I', decisions: 'therapy', harm: 'serious' }, 'IIb'],
    ['nothing of it gives I', {}, 'I'],
    ['an unknown fact settles nothing', { monitoring: null }, null],
    [
      'III stays III, whatever is unknown',
      { decisions: 'therapy', harm: 'death', monitoring: null, driven: null },
      'III',
    ],
  ])('%s', (_, change, found) => expect(classify(factsWith(change)).eu?.class).toBe(found));

  test('says what is known at least, while a fact is missing', () => {
    expect(classify(factsWith({ decisions: 'both' })).eu).toMatchObject({ class: null, atLeast: 'IIa' });
    expect(classify(factsWith({ monitoring: 'danger', driven: null })).eu).toMatchObject({
      class: null,
      atLeast: 'IIb',
    });
    expect(classify(factsWith({ driven: null })).eu).toMatchObject({ class: null, atLeast: null });
  });

  test('shows what another fact would give', () => {
    const { eu } = classify(factsWith({ decisions: 'therapy', harm: 'serious' }));
    expect(eu?.alternatives).toContainEqual({
      fact: 'harm',
      option: 'Death or irreversible deterioration',
      class: 'III',
    });
    expect(eu?.alternatives).toContainEqual({ fact: 'harm', option: 'Less than that', class: 'IIa' });
    expect(eu?.alternatives.every(({ class: then }) => then !== 'IIb')).toBe(true);
  });

  test.each([
    ['diagnose', 'critical', 'III'],
    ['diagnose', 'serious', 'IIb'],
    ['drive', 'critical', 'IIb'],
    ['drive', 'serious', 'IIa'],
    ['inform', 'critical', 'IIa'],
  ])('stands beside the table of the guidance: %s, %s gives %s', (significance, condition, table) =>
    expect(classify(factsWith({ decisions: 'both', harm: 'less', significance, condition })).eu?.table).toBe(table),
  );
});

describe('Great Britain', () => {
  test.each([
    ['direct diagnosis gives IIa', { decisions: 'diagnosis', harm: 'serious', significance: 'diagnose' }, 'IIa'],
    ['information for a diagnosis gives I', { decisions: 'diagnosis', harm: 'serious', significance: 'inform' }, 'I'],
    ['therapy gives I', { decisions: 'therapy', harm: 'death', significance: 'diagnose' }, 'I'],
    ['vital processes give IIa', { monitoring: 'vital' }, 'IIa'],
    ['other processes give I', { monitoring: 'other' }, 'I'],
    ['immediate danger gives IIb', { monitoring: 'danger' }, 'IIb'],
    ['the class of a driven device', { driven: 'III' }, 'III'],
    ['an unknown significance of a diagnosis settles nothing', { decisions: 'diagnosis', harm: 'less' }, null],
  ])('%s', (_, change, found) => expect(classify(factsWith(change)).uk?.class).toBe(found));

  test('is left out where it is not sold there', () => expect(classify(factsWith({ market: 'eu' })).uk).toBeNull());
});

describe('qualification', () => {
  test.each([
    ['storage alone is no device', { processing: 'store' }, 'no'],
    ['groups of people are no device', { individual: 'no' }, 'no'],
    ['no medical purpose is no device', { medical: 'no' }, 'no'],
    ['one step that fails decides, whatever is open', { medical: 'no', processing: null }, 'no'],
    ['an open step leaves it open', { processing: null }, 'open'],
    ['all steps passed', {}, 'yes'],
  ])('%s', (_, change, qualifies) => {
    const { qualification, eu } = classify(factsWith(change));
    expect(qualification.qualifies).toBe(qualifies);
    // No class is settled before it is known to be a device.
    expect(eu?.class ?? null).toBe(qualifies === 'yes' ? 'I' : null);
    expect(eu === null).toBe(qualifies === 'no');
  });
});

test.each([
  ['none', 'A', false],
  ['controlled', 'A', false],
  ['minor', 'B', false],
  ['serious', 'C', false],
  [null, 'C', true],
])('a failure that leads to %s gives safety class %s', (failure, found, isAssumed) =>
  expect(classify(factsWith({ failure })).software).toMatchObject({ class: found, isAssumed }),
);

describe('what decisions may cause, and what a failure leads to', () => {
  const said = (change: Parameters<typeof factsWith>[0]) => {
    const facts = factsWith({ decisions: 'therapy', ...change });
    return describeReasoning(facts, classify(facts))
      .flatMap(({ lines }) => lines)
      .filter((line) => line.startsWith('Check these facts together'));
  };
  test.each([
    ['death', 'none', 'death or irreversible harm', 'no injury'],
    ['death', 'minor', 'death or irreversible harm', 'a non-serious injury'],
    ['serious', 'none', 'serious harm', 'no injury'],
    ['serious', 'minor', 'serious harm', 'a non-serious injury'],
  ])('%s and %s contradict each other, and the draft says so', (harm, failure, grave, mild) =>
    expect(said({ harm, failure })).toEqual([
      `Check these facts together: decisions on its information may cause ${grave}, but a failure of the software is said to lead to ${mild}. One of the two is probably wrong, and with it a class.`,
    ]),
  );
  test.each([
    ['the same harm', { harm: 'death', failure: 'serious' }],
    ['less harm by decisions', { harm: 'less', failure: 'none' }],
    ['measures outside the software', { harm: 'death', failure: 'controlled' }],
    ['an unknown failure', { harm: 'death' }],
    ['an unknown harm', { failure: 'none' }],
    ['no decisions at all', { decisions: 'no', harm: 'death', failure: 'none' }],
  ])('%s is no contradiction', (_, change) => expect(said(change)).toEqual([]));
});

test('the reasoning names the editions, the pending changes as not in force, and who has to check it', () => {
  const facts = factsWith({ decisions: 'both', harm: 'death', significance: 'inform', condition: 'critical' });
  const text = describeReasoning(facts, classify(facts))
    .flatMap(({ heading, lines }) => [heading, ...lines])
    .join('\n');
  expect(text).toContain('European Union: class III');
  expect(text).toContain('Great Britain: class I');
  expect(text).toContain('Regulation (EU) 2017/745');
  expect(text).toContain('MDCG 2019-11 rev. 1');
  expect(text).toContain('The proposal is not law');
  expect(text).toContain('The table of the guidance (significance and state of the condition) gives IIa. It differs');
  expect(text).toContain('check it with your regulatory lead');
});
