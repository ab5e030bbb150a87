import { describe, expect, test } from '@jest/globals';
import { assess, describeAssessment } from '../../../../bot/agents/clinical_safety/assessment/assess.ts';
import { STEP_KINDS } from '../../../../bot/agents/clinical_safety/assessment/stepKinds.ts';
import { readIntent } from '../../../../bot/agents/clinical_safety/intents.ts';
import { KNOWLEDGE } from '../../../../bot/agents/clinical_safety/knowledge/knowledge.ts';

const WARD =
  'Nurses on a ward search for the patient, record blood pressure, pulse and temperature, and the app calculates an early warning score. It alerts the doctor when the score is high.';

describe('the steps of a workflow', () => {
  test('are found in the order and the words of the text; a list within a step is no step', () => {
    expect(assess(WARD).steps.map(({ quote, kind }) => [kind, quote])).toEqual([
      ['finding or choosing', 'Nurses on a ward search for the patient'],
      ['recording', 'record blood pressure, pulse and temperature'],
      ['deciding or calculating', 'the app calculates an early warning score.'],
      ['alerting', 'It alerts the doctor when the score is high.'],
    ]);
  });

  test('have the what-if questions of their kind', () => {
    const [first] = assess(WARD).steps;
    expect(first?.prompts).toContain('What if it picks the wrong patient or item?');
    for (const { kind, guidewords } of STEP_KINDS) expect([kind, guidewords.length >= 4]).toEqual([kind, true]);
  });

  test('are at most twelve', () => {
    const of = (count: number) => assess('The nurse records the pulse.\n'.repeat(count)).steps.length;
    expect([of(12), of(13)]).toEqual([12, 12]);
  });

  test('are none where the words name none, and then they are asked for', () => {
    const found = assess('Quillmere');
    expect(found).toMatchObject({ steps: [], hazards: [] });
    expect(found.questions.at(-1)).toMatch(/Which steps do people take/);
    expect(describeAssessment(found)).toContain('That says nothing about the product.');
  });
});

describe('the hazards to consider', () => {
  test('come from the knowledge base, each with the words that it was found by', () => {
    const text =
      'The screen shows the wrong patient record after switching tabs. Doctors prescribe the dose in the wrong unit.';
    const { hazards } = assess(text);
    expect(hazards.map(({ kbId }) => kbId)).toEqual(expect.arrayContaining(['PID-01', 'MED-02']));
    for (const { kbId, name, quotes } of hazards) {
      expect(KNOWLEDGE.find(({ id }) => id === kbId)?.title).toBe(name);
      for (const quote of quotes) expect(text).toContain(quote);
    }
  });

  test('are never rated', () => {
    const found = assess(`${WARD} Wrong dose, wrong patient, allergy not shown.`);
    expect(JSON.stringify(found)).not.toMatch(/"(?:severity|likelihood|risk|suggested)"/);
    const said = describeAssessment(found);
    expect(said).toMatch(/^This is a preliminary prompt list for people/);
    expect(said).toContain('It rates nothing and is not complete');
    expect(said).not.toMatch(/\b(?:Catastrophic|Considerable|Very low|is safe)\b/);
  });

  test('are the same each time', () => {
    expect(assess(WARD)).toEqual(assess(WARD));
  });
});

describe('what is asked next', () => {
  test('is what the text does not say', () => {
    const asked = (text: string) => assess(text).questions.join(' ');
    expect(asked('It shows results.')).toContain('Who uses it');
    expect(asked('Nurses use it. It shows results.')).not.toContain('Who uses it');
    expect(asked(WARD)).toContain('What do people do while it is unavailable?');
  });

  test('begins for a concern with whether a patient is at risk', () => {
    expect(assess('An incident was reported: the letter was sent to the wrong home.').questions[0]).toBe(
      'Has it reached a patient, and is anybody at risk now?',
    );
    expect(assess(WARD).questions.join(' ')).not.toContain('Has it reached a patient');
  });
});

test.each([
  ['Assess this product: nurses record vitals and never see the score later', 'assess'],
  ['Please assess our new app', 'assess'],
  ['@Clara assess a dose reminder for ward nurses', 'assess'],
  ['evaluate the new screen where pharmacists check doses', 'assess'],
  ['assess an alarm that tells families when a patient falls', 'assess'],
  ['assess the risk for HAZ-003', 'question'],
  ['evaluate the controls that lower it', 'question'],
  ['assess a dose reminder', 'question'],
  ['assess our evidence for DCB0129', 'question'],
  ['Do a preliminary hazard assessment of the letter feature', 'assess'],
  ['Assess our safety case report', 'check-report'],
  ['Check the safety case report', 'check-report'],
  ['Write the clinical safety case report', 'case-report'],
  ['Do not write the safety case report yet', 'question'],
  ['What is a safety case report?', 'question'],
  ['How would you assess this app?', 'question'],
])('“%s” is %s', (words, intent) => {
  expect(readIntent(words)).toBe(intent);
});
