import { beforeAll, describe, expect, test } from '@jest/globals';
import { answerQuestion } from '../../../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import { type Answer, isFree } from '../../../../bot/agents/clinical_safety/answers/answerShape.ts';
import { idFinder } from '../../../../bot/agents/clinical_safety/answers/namedIds.ts';
import { saysNothing } from '../../../../bot/agents/clinical_safety/reading/saysNothing.ts';
import { readSample } from '../../../../bot/agents/clinical_safety/sample/readSample.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { digestOf, makeWideLog } from '../../../factories/hazardLog.ts';

let sample: AnalysisResult;
let second: AnalysisResult;
beforeAll(async () => {
  const { log, tickets } = await readSample();
  sample = await analyseLog({ log: { ...log, digest: 'a' }, tickets: { ...tickets, digest: 'b' } });
  const bytes = makeWideLog([
    {
      id: 'NRL01',
      name: 'Wrong patient',
      owner: 'Dr Ahmed',
      status: 'Open',
      severity: 'Major',
      likelihood: 'High',
      risk: 4,
      residualSeverity: 'Major',
      residualLikelihood: 'Low',
      residualRisk: 3,
    },
    {
      id: 'NRL02',
      name: 'Late alert',
      owner: '',
      status: 'Closed',
      severity: 'Minor',
      likelihood: 'Low',
      risk: 1,
      residualSeverity: 'Minor',
      residualLikelihood: 'Very Low',
      residualRisk: 1,
    },
    {
      id: 'NRL03',
      name: 'Lost message',
      owner: 'Pharmacy team',
      status: 'In progress',
      severity: 'Considerable',
      likelihood: 'Medium',
      risk: 3,
      residualSeverity: 'Considerable',
      residualLikelihood: 'Low',
      residualRisk: 2,
    },
    {
      id: 'NRL04',
      name: 'Duplicate record',
      owner: 'Dr Ahmed',
      status: 'Closed',
      severity: 'Major',
      likelihood: 'High',
      risk: 4,
      residualSeverity: 'Minor',
      residualLikelihood: 'Low',
      residualRisk: 1,
    },
  ]);
  second = await analyseLog({ log: { bytes, fileName: 'second.xlsx', digest: digestOf(bytes) }, tickets: null });
});

/** The ids that an answer lists, in order. */
const idsOf = (text: string) => [...text.matchAll(/^• ([A-Z]+-?\d+): /gm)].map(([, id = '']) => id);
const OPEN = ['QM-02', 'QM-03', 'QM-06', 'QM-14', 'QM-17'];
const WITH_RESIDUAL_3 = ['QM-02', 'QM-03', 'QM-14', 'QM-17'];

describe('facts of the sample: the count first, then exactly these', () => {
  test.each<[question: string, count: number, ids: string[] | null]>([
    ['Which hazards are not closed?', 5, OPEN],
    ['which hazards are open', 5, OPEN],
    ['Which hazards are still open?', 5, OPEN],
    ['list the open hazards', 5, OPEN],
    ["Which hazards aren't closed?", 5, OPEN],
    ['hazards with status open', 5, OPEN],
    ['How many hazards are closed?', 20, null],
    ['which hazards are closed', 20, null],
    ['Which hazards are not open?', 20, null],
    ['Which hazards are transferred?', 0, []],
    ['Which hazards have no owner?', 1, ['QM-07']],
    ['which hazards are missing an owner', 1, ['QM-07']],
    ['hazards without an owner', 1, ['QM-07']],
    ['Which hazards have an owner?', 24, null],
    ['Which hazards have no evidence for their controls?', 1, ['QM-20']],
    ['which hazards have no evidence', 1, ['QM-20']],
    ['Which hazards have evidence?', 24, null],
    ['Which hazards have no controls?', 0, []],
    ['Which hazards have a residual risk above 2?', 4, WITH_RESIDUAL_3],
    ['residual risk above 2?', 4, WITH_RESIDUAL_3],
    ['hazards with a residual risk of at least 3', 4, WITH_RESIDUAL_3],
    ['Which hazards have a residual risk of 3 or above?', 4, WITH_RESIDUAL_3],
    ['hazards with residual risk >= 3', 4, WITH_RESIDUAL_3],
    ['which hazards have a residual risk greater than 2', 4, WITH_RESIDUAL_3],
    ['which hazards have a residual risk of 3', 4, WITH_RESIDUAL_3],
    ['which hazards have a residual risk of 1', 5, null],
    ['which hazards have a residual risk below 2', 5, null],
    ['which hazards have a residual risk of 4', 0, []],
    ['Which hazards have an initial risk of 4?', 0, []],
    ['initial risk of 4?', 0, []],
    ['which hazards have an initial risk over 3', 0, []],
    ['Which hazards are owned by the Operations lead?', 4, ['QM-14', 'QM-23', 'QM-24', 'QM-12']],
    ['which hazards have no clinical impact', 0, []],
  ])('%s', (question, count, ids) => {
    const { kind, text } = answerQuestion(sample, question);
    expect([kind, text.split(' ')[0]]).toEqual(['fact', String(count)]);
    if (ids) expect(idsOf(text)).toEqual(ids);
  });
});

describe('facts of a second log', () => {
  test.each<[question: string, ids: string[]]>([
    ['Which hazards are not closed?', ['NRL01', 'NRL03']],
    ['Which hazards are in progress?', ['NRL03']],
    ['which hazards are not in progress', ['NRL01', 'NRL02', 'NRL04']],
    ['which hazards belong to nobody, without an owner', []],
    ['hazards without an owner', ['NRL02']],
    ['which hazards are owned by Dr Ahmed', ['NRL01', 'NRL04']],
    ['Which hazards are owned by the pharmacy team?', ['NRL03']],
    ['initial risk of 4?', ['NRL01', 'NRL04']],
    ['which hazards have an initial risk of 3 or more', ['NRL01', 'NRL03', 'NRL04']],
    ['residual risk above 2?', ['NRL01']],
    ['residual risk at most 1', ['NRL02', 'NRL04']],
    ['which hazards have a residual risk of 2 or below', ['NRL02', 'NRL03', 'NRL04']],
    ['which hazards do not have a residual risk of 1', ['NRL01', 'NRL03']],
  ])('%s', (question, ids) => {
    const { kind, text } = answerQuestion(second, question);
    if (question.includes('nobody')) expect(kind).toBe('refusal');
    else expect([kind, idsOf(text)]).toEqual(['fact', ids]);
  });

  test('a risk without a phase is answered for both', () => {
    expect(answerQuestion(second, 'Which hazards have a risk of 3?').text).toMatch(
      /^1 hazard of 4 has a recorded initial risk of 3:\n• NRL03.*\n1 hazard of 4 has a recorded residual risk of 3:\n• NRL01/,
    );
  });
});

describe('a log whose cells say that nothing is known yet', () => {
  const rows = [
    ['A1', 'TBC', 'Not closed'],
    ['A2', 'n/a', 'Re-opened'],
    ['A3', '-', 'closed'],
    ['A4', 'Unassigned', 'Closed (pending)'],
    ['A5', 'To be confirmed', 'Open'],
    ['A6', 'Dr Unwin', 'Open'],
  ] as const;
  let third: AnalysisResult;
  beforeAll(async () => {
    const hazards = rows.map(([id, owner, status]) => ({
      id,
      owner,
      status,
      name: `Hazard ${id}`,
      severity: 'Minor',
      likelihood: 'Low',
      risk: 1,
      residualSeverity: 'Minor',
      residualLikelihood: 'Low',
      residualRisk: 1,
    }));
    const bytes = makeWideLog(hazards);
    third = await analyseLog({ log: { bytes, fileName: 'third.xlsx', digest: digestOf(bytes) }, tickets: null });
  });

  test('counts an owner that names nobody as none, and the answer says which words count so', () => {
    const { kind, text } = answerQuestion(third, 'Which hazards have no owner?');
    expect([kind, idsOf(text)]).toEqual(['fact', ['A1', 'A2', 'A3', 'A4', 'A5']]);
    expect(text).toContain(
      'I read “TBC” (1), “n/a” (1), “-” (1), “Unassigned” (1), “To be confirmed” (1) as no owner.',
    );
    expect(idsOf(answerQuestion(third, 'Which hazards have an owner?').text)).toEqual(['A6']);
  });

  test.each([
    'Which hazards are open?',
    'Which hazards are closed?',
    'Which hazards are not closed?',
    'Which hazards are not open?',
  ])('does not interpret %s: the asker must use the log’s own words', (question) => {
    const { kind, text } = answerQuestion(third, question);
    expect(kind).toBe('refusal');
    for (const status of ['Not closed', 'Re-opened', 'Closed (pending)']) expect(text).toContain(`“${status}” (1)`);
  });

  test.each([
    ['To be confirmed', true],
    ['TBA', true],
    ['1) None 2) to be agreed', true],
    ['To be confirmed by the supplier', false],
    ['Alert on screen, text to be decided', false],
  ])('has the cell “%s” as a blank: %s', (text, nothing) => {
    expect(saysNothing(text)).toBe(nothing);
  });
});

describe('a question that is only partly understood is refused in words, never answered as a similar one', () => {
  test.each([
    'Which open hazards have a residual risk of 3 that nobody looked at?',
    'which hazards have a higher residual risk than initial risk',
    'Which hazards were closed before June?',
    'Which hazards are closed since the last release?',
    'which hazards have not changed since last month',
    'which hazards do not have no owner',
    'Which hazards have the same owner?',
    'which hazards are not about the pharmacy',
    'which hazards except QM-04 are open',
    'Which findings are not fixed?',
    'which findings are older than a week',
    'which tickets are covered by only one hazard',
    'How many hazards have a risk of 3 and a risk of 2?',
    'wich hazards are closd but not aproved',
    'which hazards have no second owner',
    'Is QM-04 not closed?',
    'what is the difference between QM-04 and QM-05 other than the owner',
    'Which hazards are unrated?',
    'How many hazards are there without QM-04?',
    'How many controls do the hazards have?',
    'Which hazards have a residual risk of -1?',
    'Which hazards have a residual risk of 2.5?',
    'Which hazards have a residual risk != 3?',
    'What is the total residual risk of all hazards?',
    'Which hazards are high risk?',
    'How many hazards are high risk?',
    'Which hazards have an acceptable risk?',
    'Which hazards are overdue?',
    'How many hazards are overdue?',
    'Which hazards were closed today?',
    'Which hazards were open?',
    'How many hazards were added this week?',
    'Which hazards have an ownr?',
    'Which hazards have an approval date?',
    'Show hazards assigned to Tom',
    'List all hazards in the ward',
    'Which hazards are linked to RX-1545?',
    'Which hazards are mine?',
    'Which of my hazards are open?',
    'Which hazards do not have all controls?',
    'Which hazards can be closed?',
    'Which hazards do we have to close?',
    'Which hazards have controls without evidence?',
    'Does no hazard have an owner?',
    'What is the status of the hazards?',
    'Which hazards are covered?',
    'What is our test coverage?',
    'Which clinical areas are covered?',
    'How many findings concern the owner?',
    'Which proposed hazards are high risk?',
    'How many proposals were accepted?',
    'What is the matrix of responsibilities?',
    'How many results do we have for the log in June?',
    'Did anybody sign the log?',
    'Is the log complete?',
    'When was QM-04 closed?',
    'Who approved QM-04?',
    'Who closed QM-04?',
    'Was QM-04 reviewed in May?',
    'Is QM-04 worse than QM-05?',
    'hazards like QM-04',
    'Which version fixed QM-04?',
  ])('%s', (question) => {
    const answer = answerQuestion(sample, question);
    expect([answer.kind, answer.text.split(':')[0]]).toEqual(['refusal', 'I can’t answer that reliably yet']);
    expect(answer.text).toContain('Look in the table');
    expect(isFree(answer)).toBe(true);
  });
});

describe('an incomplete log is never answered as if it were complete', () => {
  const bare = { status: '', owner: '', residualRisk: '', residualSeverity: '', residualLikelihood: '' };
  const analyse = (hazards: Parameters<typeof makeWideLog>[0]) => {
    const bytes = makeWideLog(hazards);
    return analyseLog({ log: { bytes, fileName: 'log.xlsx', digest: digestOf(bytes) }, tickets: null });
  };

  test.each([
    ['Which hazards are not closed?', /none of its hazards has a status/],
    ['which hazards are closed', /none of its hazards has a status/],
    ['Which hazards have a residual risk above 2?', /none of its hazards has a recorded residual risk/],
    ['which hazards do not have a residual risk of 3', /none of its hazards has a recorded residual risk/],
  ])('blank throughout: %s', async (question, why) => {
    const answer = answerQuestion(
      await analyse([
        { id: 'A1', ...bare },
        { id: 'A2', ...bare },
      ]),
      question,
    );
    expect([answer.kind, answer.text]).toEqual(['refusal', expect.stringMatching(why)]);
    expect(answer.text).toMatch(/^I can’t answer that from this log: .*\nWhat you can do next:/);
  });

  test.each([
    ['Which hazards are not closed?', ['A2'], '1 more hazard has no status, and is not counted here.'],
    ['Which hazards are closed?', ['A1'], '1 more hazard has no status, and is not counted here.'],
    ['Which hazards have a residual risk above 2?', ['A2'], '1 more hazard has no recorded residual risk'],
    ['which hazards do not have a residual risk of 3', ['A1'], '1 more hazard has no recorded residual risk'],
    ['which hazards are not owned by Dr Ahmed', ['A2'], '1 more hazard has no owner'],
  ])('partly blank: %s', async (question, ids, beside) => {
    const result = await analyse([
      { id: 'A1', status: 'Closed', owner: 'Dr Ahmed', residualRisk: 1 },
      { id: 'A2', status: 'Open', owner: 'Dr Who', residualRisk: 3 },
      { id: 'A3', ...bare },
    ]);
    const { kind, text } = answerQuestion(result, question);
    expect([kind, idsOf(text)]).toEqual(['fact', ids]);
    expect(text).toContain(beside);
  });

  test('unknown statuses are listed, not interpreted', async () => {
    const result = await analyse([
      { id: 'A1', status: 'Closed' },
      { id: 'A2', status: 'Closed – accepted by CSO' },
      { id: 'A3', status: 'Ongoing' },
    ]);
    for (const question of [
      'Which hazards are closed?',
      'Which hazards are not closed?',
      'Which hazards are not open?',
    ])
      expect(answerQuestion(result, question)).toMatchObject({
        kind: 'refusal',
        text: expect.stringContaining('“Closed” (1), “Closed – accepted by CSO” (1), “Ongoing” (1)'),
      });
    expect(idsOf(answerQuestion(result, 'Which hazards are ongoing?').text)).toEqual(['A3']);
    expect(answerQuestion(result, 'Which hazards are open?').text).toMatch(
      /^0 hazards of 3 have the status “Open”\.\nNo row has exactly this value: its values for status are “Closed” \(1\)/,
    );
  });

  test('a missing column is named', async () => {
    const csv = 'Hazard ID,Hazard name,Cause,Severity,Likelihood,Risk\nA1,Wrong dose,Typing,Major,Low,3\n';
    const log = { bytes: new Uint8Array(Buffer.from(csv)), fileName: 'log.csv', digest: 'c' };
    const result = await analyseLog({ log, tickets: null });
    for (const field of ['owner', 'evidence', 'status', 'controls'])
      expect(answerQuestion(result, `Which hazards have no ${field}?`)).toMatchObject({
        kind: 'refusal',
        text: expect.stringContaining(`I found no column for ${field}`),
      });
  });

  test('a topic is a search for words, and says so', () => {
    const { kind, text } = answerQuestion(sample, 'Are there any hazards about cyber security?');
    expect([kind, text]).toEqual([
      'fact',
      expect.stringMatching(/^No hazard in the log mentions “cyber security”.*not for their meaning\.$/),
    ]);
    expect(answerQuestion(sample, 'Which hazards are about allergies or doses?').kind).toBe('refusal');
  });

  test('covered tickets are listed with the hazards that name them', () => {
    const { text } = answerQuestion(sample, 'Which tickets are covered?');
    const lines = text.split('\nCovered:\n')[1]?.split('\n') ?? [];
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^• RX-\d+: .* \(QM-\d+.*\)$/);
  });
});

describe('an id is found only as a whole word, and a bare number only after its noun', () => {
  const named = async (ids: string[], question: string) => {
    const bytes = makeWideLog(ids.map((id) => ({ id, name: `Name of ${id}` })));
    const result = await analyseLog({ log: { bytes, fileName: 'log.xlsx', digest: digestOf(bytes) }, tickets: null });
    return [...answerQuestion(result, question).text.matchAll(/^(\S+): Name of/gm)].map(([, id]) => id);
  };
  test.each<[ids: string[], question: string, found: string[]]>([
    [['12', '2'], 'hazard 12', ['12']],
    [['12', '2'], 'what is hazard number 2?', ['2']],
    [['12', '2'], 'hazard no. 12', ['12']],
    [['12', '2'], 'hazard #12', ['12']],
    [['12', '2'], 'which hazards have a residual risk of 2?', []],
    [['3', '12'], 'what happened on 3 May', []],
    [['QM-1', 'QM-12'], 'what is QM-12', ['QM-12']],
    [['QM-1', 'QM-12'], 'what is qm-1?', ['QM-1']],
    [['M-1', 'QM-1'], 'what is QM-1', ['QM-1']],
    [['1A', 'QM-1A'], 'what is QM-1A', ['QM-1A']],
  ])('%j: %s', async (ids, question, found) => {
    expect(await named(ids, question)).toEqual(found);
  });
});

describe('a message that is no question about the log has an answer of its own, free of charge', () => {
  test.each<[question: string, kind: Answer['kind'], says: RegExp]>([
    ['hello', 'talk', /^Hello/],
    ['hello Clara', 'talk', /^Hello/],
    ['Hi there!', 'talk', /^Hello/],
    ['Good morning', 'talk', /^Hello/],
    ['Thanks!', 'talk', /^You’re welcome/],
    ['thank you very much', 'talk', /^You’re welcome/],
    ['great, thanks', 'talk', /^You’re welcome/],
    ['bye', 'talk', /^Goodbye/],
    ['help', 'help', /I never set a severity/],
    ['What can you do?', 'help', /I never set a severity/],
    ['What can you do for me?', 'help', /I never set a severity/],
    ['how does this work?', 'help', /I never set a severity/],
    ['Who are you?', 'talk', /^I’m software, not a person/],
    ['Help me with compliance', 'help', /one part of that: the hazard log/],
    ['please help us with DCB0129 compliance', 'help', /one part of that/],
    ['Are you an AI?', 'talk', /^I’m software/],
    ['are you a robot', 'talk', /^I’m software/],
    ['What should I do next?', 'guide', /In this order/],
    ["what's next?", 'guide', /In this order/],
    ['cancel', 'guide', /Cancel on its card/],
    ['stop!', 'guide', /Cancel on its card/],
    ['undo the merge', 'refusal', /can’t undo/],
    ['revert that', 'refusal', /can’t undo/],
    ['remove the tickets', 'refusal', /nothing was removed/],
    ['delete the log', 'refusal', /nothing was removed/],
    ['Change the severity of NRL01', 'refusal', /never set or change/],
    ['please set QM-04 to closed', 'refusal', /never set or change/],
    ['close QM-04', 'refusal', /never set or change/],
    ['can you lower the risk of QM-02?', 'refusal', /never set or change/],
    ['mark all hazards as closed', 'refusal', /never set or change/],
    ['Why was the risk kept at 2?', 'refusal', /I don’t know why/],
    [
      'Who can see our hazard log?',
      'guide',
      /members of your company.*What Arc may send to Slack or Teams: Preferences, Company\./s,
    ],
    ['who has access to the log', 'guide', /members of your company/],
    ['What class under Rule 11?', 'refusal', /can’t classify a device/],
    ['is it class IIa?', 'refusal', /can’t classify a device/],
    [
      'A patient was harmed yesterday by the app, what must we do?',
      'guide',
      /appointed Clinical Safety Officer at once/,
    ],
    ['A child died after a wrong dose', 'guide', /incident process/],
    ['we had a serious incident', 'guide', /incident process/],
    ['the patient’s allergy was not shown while prescribing', 'guide', /^If this has happened/],
    ['the wrong medicine was chosen for a patient from the list', 'guide', /^If this has happened/],
    ['patient got the wrong dose of insulin', 'guide', /^If this has happened/],
    ['somebody else will answer that', 'unknown', /^I don’t know/],
    ['Last night a patient was given double the dose because of the app', 'guide', /incident process/],
    ['our app showed the wrong record and a child got the wrong medicine', 'guide', /incident process/],
    ['Quels sont les risques ouverts ?', 'refusal', /^Je ne réponds/],
    ['Bonjour, combien de dangers sont ouverts ?', 'refusal', /^Je ne réponds/],
    ['Welche Gefährdungen sind nicht geschlossen?', 'refusal', /^Ich antworte/],
    ['Wie viele Risiken sind offen?', 'refusal', /^Ich antworte/],
    ['Is it safe?', 'refusal', /^I can’t say that/],
    ['Are we compliant?', 'refusal', /^I can’t say that/],
    ['What is the capital of France?', 'unknown', /^I don’t know\. .*\n•.*\n•.*\n•/],
    ['what is the weather', 'unknown', /^I don’t know/],
    ['blue', 'unknown', /^I don’t know/],
    ['tell me a joke', 'unknown', /^I don’t know/],
  ])('%s', (question, kind, says) => {
    for (const result of [sample, second, null]) {
      const answer = answerQuestion(result, question);
      expect([answer.kind, answer.text]).toEqual([kind, expect.stringMatching(says)]);
      expect(isFree(answer)).toBe(true);
    }
  });
});

describe('a hazard is named only by its id, a full phrase, or a clear match', () => {
  test.each<[question: string, kind: Answer['kind'], begins: RegExp]>([
    ['QM-04', 'fact', /^QM-04: Allergy/],
    ['what is qm-04?', 'fact', /^QM-04: Allergy/],
    ['Tell me about QM-14', 'fact', /^QM-14: System is unavailable/],
    ['RX-1545', 'fact', /^RX-1545: /],
    ['tell me about MED-02', 'knowledge', /^MED-02: /],
    ['Which hazards are about the pharmacy?', 'fact', /in the log mentions? “pharmacy”/],
    ['what could go wrong with allergies?', 'knowledge', /kinds of hazard that I know/],
    ['How many hazards are there?', 'fact', /^25 hazards/],
    ['List all hazards', 'fact', /^The log has 25 hazards/],
    ['what is our coverage?', 'fact', /^Coverage 3 of 69/],
    ['which tickets are not covered', 'fact', /Not covered:/],
    ['what should I fix first?', 'fact', /^7 to fix/],
    ['explain the matrix', 'fact', /looked up in the table/],
  ])('%s', (question, kind, begins) => {
    const answer = answerQuestion(sample, question);
    expect([answer.kind, answer.text]).toEqual([kind, expect.stringMatching(begins)]);
  });

  test('“wrong dose shown” names the dose hazard, or none', () => {
    const { kind, text } = answerQuestion(sample, 'wrong dose shown');
    if (kind === 'knowledge') expect(text).toMatch(/\n• MED-02 /);
    else expect(['unknown', 'guide']).toContain(kind);
  });
});

test.each([
  ['3', 'what about 3 of them', false],
  ['Fire', 'what about fire', false],
  ['Fire', 'what about hazard fire', true],
])('the id %s in “%s”: %s', (id, question, named) => {
  expect(idFinder(question, 'hazard')(id)).toBe(named);
});
