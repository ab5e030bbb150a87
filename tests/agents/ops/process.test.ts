import { describe, expect, test } from '@jest/globals';
import { asksFor, readIntent } from '../../../bot/agents/ops/intents.ts';
import { readActor, tellsAction } from '../../../bot/agents/ops/process/actors.ts';
import { readProcess, rolesOf } from '../../../bot/agents/ops/process/readProcess.ts';
import { readSentences, splitSentences, titleOf } from '../../../bot/agents/ops/process/sentences.ts';
import { findRisks } from '../../../bot/agents/ops/risks/findRisks.ts';

describe('who does a step', () => {
  test.each([
    ['The ward nurse checks it.', 'ward nurse'],
    ['Each team lead orders paper.', 'team lead'],
    ['Only the pharmacist opens the safe.', 'pharmacist'],
    ['The nurse on duty calls.', 'nurse on duty'],
    ['Nurses check it.', 'Nurses'],
    ['The sales manager signs.', 'sales manager'],
    ['The attendant measures it.', 'attendant'],
    ['If it rains, the porter waits.', 'porter'],
    ['Then the clerk files it.', 'clerk'],
    ['The form is signed by the owner.', 'owner'],
    ['Buyer: writes the order.', 'Buyer'],
    ['The CSO signs.', 'CSO'],
    ['Dr. Osei must approve.', 'Dr. Osei'],
    ['Jane Doe keeps the list.', 'Jane Doe'],
    ['The lead, e.g. Ann, calls.', 'lead'],
    ['The manager leads the meeting.', 'manager'],
    ['The operator enters it.', 'operator'],
  ])('is named: %s', (sentence, role) => {
    expect(readActor(sentence)).toEqual({ role });
  });

  test.each([
    ['Enter the code.', 'who does this'],
    ['Tell the nurse.', 'who does this'],
    ['Ask the manager to sign.', 'who does this'],
    ['The ward is cleaned.', 'who does this'],
    ['The printer prints it.', 'who does this'],
    ['The form reminds staff daily.', 'who does this'],
    ['We check it.', 'who is “we”'],
    ['Then somebody signs.', 'who is “somebody”'],
  ])('is not named: %s', (sentence, unclear) => {
    expect(readActor(sentence)).toEqual({ unclear });
  });

  test.each([
    ['The nurse checks it.', true],
    ['The floor is then washed.', true],
    ['Please sign it.', true],
    ['Never open it.', true],
    ['Tickets are red or green.', false],
    ['It is important.', false],
    ['The office is in York.', false],
  ])('is asked of what tells of an action: %s', (sentence, isAction) => {
    expect(tellsAction(sentence)).toBe(isAction);
  });
});

describe('sentences', () => {
  test('end at points, but not behind short forms', () => {
    expect(splitSentences('Ask Dr. Osei, e.g. Ann. Then go. It is 2.5 m. 3 people do it.')).toEqual([
      'Ask Dr. Osei, e.g. Ann.',
      'Then go.',
      'It is 2.5 m.',
      '3 people do it.',
    ]);
  });

  test('know their section and their line; headings, rules and blank lines are none', () => {
    expect(readSentences('# A\n\nOne.\n\n## Steps\n---\n1. Two.\n  - Three.')).toEqual([
      { text: 'One.', section: '', isItem: false, line: 3 },
      { text: 'Two.', section: 'steps', isItem: true, line: 7 },
      { text: 'Three.', section: 'steps', isItem: true, line: 8 },
    ]);
  });

  test.each([
    ['# Night round\n\nText.', 'Night round'],
    ['NIGHT ROUND\nText here.', 'NIGHT ROUND'],
    ['PURPOSE\nText here.', null],
    ['The nurse walks.', null],
    ['NIGHT ROUND', null],
  ])('have a title or none: %j', (text, title) => {
    expect(titleOf(text)).toBe(title);
  });
});

describe('a process', () => {
  test('has every sentence in one place, word for word', () => {
    const text =
      'The purpose is order. This applies to the shop. The clerk counts the coins at 18:00. If one is missing, the clerk tells the owner. The sheet is kept for 2 years in the blue folder. The shop is small.';
    const process = readProcess(text);
    expect(process).toMatchObject({
      purpose: ['The purpose is order.'],
      scope: ['This applies to the shop.'],
      steps: [
        { number: 1, words: 'The clerk counts the coins at 18:00.', times: ['at 18:00'] },
        { number: 2, words: 'If one is missing, the clerk tells the owner.', times: [] },
      ],
      records: [{ step: null, where: 'blue folder', howLong: 'for 2 years' }],
      exceptions: [{ step: 2 }],
      other: ['The shop is small.'],
    });
    expect(rolesOf(process)).toEqual([{ role: 'Clerk', steps: [1, 2] }]);
  });

  test('takes a sentence for a record only where it says how long something is kept', () => {
    const { steps, records } = readProcess('The clerk reads the sheet for 2 weeks. The sheet is stored for 2 weeks.');
    expect([steps.length, records.map(({ words }) => words)]).toEqual([1, ['The sheet is stored for 2 weeks.']]);
  });

  test.each([
    ['within 2 working days', 'Do it within 2 working days.'],
    ['every 4 hours', 'Do it every 4 hours.'],
    ['by the end of the month', 'Do it by the end of the month.'],
    ['on Monday', 'Do it on Monday.'],
    ['daily', 'Do it daily.'],
  ])('names times as they stand: %s', (time, sentence) => {
    expect(readProcess(`1. Check it.\n2. ${sentence}`).steps[1]?.times).toEqual([time]);
  });

  test('takes all items of a list as steps where half of them tell of an action, and none of a list of things', () => {
    const words = (text: string) => readProcess(text).steps.map((step) => step.words);
    expect(words('- Check the lamp.\n- Hoover the hall.')).toEqual(['Check the lamp.', 'Hoover the hall.']);
    expect(words('- Check the lamp.\n- Gloves.\n- Masks.')).toEqual(['Check the lamp.']);
    expect(words('- Gloves.\n- Masks.')).toEqual([]);
  });
});

describe('risks', () => {
  const risks = (text: string) => findRisks(readProcess(text)).map(({ id, step, words }) => `${id} ${step} ${words}`);
  test('come from words of their step, at most three of a step, and from a step that nobody does', () => {
    expect(risks('The nurse labels the sample, weighs 5 g, types it and sends it.')).toEqual([
      'R1 1 labels',
      'R2 1 weighs',
      'R3 1 types',
    ]);
    expect(risks('Close the door.')).toEqual(['R1 1 null']);
    expect(risks('We close the door.')).toEqual(['R1 1 We']);
    expect(risks('The porter closes the door.')).toEqual([]);
  });

  test('name a check only where the step itself does', () => {
    const named = findRisks(readProcess('The nurse double-checks the dose. The nurse sends the list.')).map(
      (it) => it.named,
    );
    expect(named).toEqual(['double-checks', null]);
  });

  test('carry no rating', () => {
    for (const risk of findRisks(readProcess('The nurse sends the list within 2 hours.')))
      expect(Object.keys(risk).sort()).toEqual(['id', 'named', 'step', 'what', 'words']);
  });

  test('are not read into compounds: an on-call engineer is no call', () => {
    expect(risks('The on-call engineer waits.')).toEqual([]);
  });
});

test.each([
  ['Write an SOP from Vaccine delivery.docx', 'procedure'],
  ['please make a checklist for the night round', 'procedure'],
  ['Create a risk register', 'procedure'],
  ['Don’t write the SOP yet', null],
  ['Which procedures have you written?', 'procedures'],
  ['What is an SOP?', null],
  ['Thanks\nWrite an SOP', null],
  ['Make a controlled document of the procedure', null],
] as const)('“%s” is read as %s', (text, intent) => {
  expect(readIntent(text)).toBe(intent);
  expect(asksFor(text)).toBe(intent === 'procedure');
});

test('a word behind a long row of points is read at once', () => {
  const begun = performance.now();
  readProcess(`The guard calls${'.'.repeat(60_000)}x the nurse.`);
  expect(performance.now() - begun).toBeLessThan(1000);
});

test('a long row of short forms is read at once', () => {
  const begun = performance.now();
  splitSentences('The guard walks e.g. A '.repeat(20_000));
  expect(performance.now() - begun).toBeLessThan(1000);
});
