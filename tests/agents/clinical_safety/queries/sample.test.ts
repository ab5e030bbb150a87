import { beforeAll, describe, expect, test } from '@jest/globals';
import { answerQuestion } from '../../../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import { readSample } from '../../../../bot/agents/clinical_safety/sample/readSample.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { AnalysisResult, ExistingHazard } from '../../../../models/contracts/clinical_safety/hazards.ts';

let sample: AnalysisResult;
beforeAll(async () => {
  const { log, tickets } = await readSample();
  sample = await analyseLog({ log: { ...log, digest: 'a' }, tickets: { ...tickets, digest: 'b' } });
});

/** Most rows that an answer lists. */
const LISTED = 12;
const listedIn = (text: string) => [...text.matchAll(/^• ([A-Z]+-?\d+): /gm)].map(([, id]) => id);

describe('hazards of the sample: the count first, then exactly those that the conditions fit', () => {
  const isOpen = ({ status }: ExistingHazard) => status === 'Open';
  const isClosed = ({ status }: ExistingHazard) => status === 'Closed';
  const initial = ({ initial: { risk } }: ExistingHazard) => risk ?? Number.NaN;
  const residual = ({ residual: { risk } }: ExistingHazard) => risk ?? Number.NaN;
  const isEvident = ({ controls }: ExistingHazard) => controls.some(({ evidence }) => evidence);
  const isMajor = ({ residual: { severity } }: ExistingHazard) => severity === 'Major' || severity === 'Catastrophic';
  const count = (kind: string) => (hazard: ExistingHazard) => hazard.controls.filter((one) => one.kind === kind).length;

  test.each<[question: string, fits: (hazard: ExistingHazard) => boolean]>([
    ['Which hazards are neither open nor closed?', (one) => !isOpen(one) && !isClosed(one)],
    ['which hazards are open or transferred', isOpen],
    ['Which hazards are not open or transferred?', (one) => !isOpen(one)],
    ['Which hazards are open and closed?', () => true],
    ['Which hazards are closed but have no evidence?', (one) => isClosed(one) && !isEvident(one)],
    ['How many hazards are yet to be closed?', (one) => !isClosed(one)],
    ['Which hazards have not yet been closed?', (one) => !isClosed(one)],
    ['non-closed hazards', (one) => !isClosed(one)],
    ['closed hazards without evidence', (one) => isClosed(one) && !isEvident(one)],
    ['Which open hazards have a residual risk above 2?', (one) => isOpen(one) && residual(one) > 2],
    ['open hazards with residual risk of 3 or more', (one) => isOpen(one) && residual(one) >= 3],
    ['Which hazards are closed with a residual risk of at least 2?', (one) => isClosed(one) && residual(one) >= 2],
    ['hazards that are open or have a residual risk of 1', (one) => isOpen(one) || residual(one) === 1],
    ['which hazards have a residual risk between 2 and 3', (one) => residual(one) >= 2 && residual(one) <= 3],
    ['which hazards have a residual risk not between 2 and 3', (one) => residual(one) < 2 || residual(one) > 3],
    ['hazards with residual risk above 1 and below 3', (one) => residual(one) === 2],
    ['hazards with residual risk above two', (one) => residual(one) > 2],
    ['Which hazards have a residual risk of 3+?', (one) => residual(one) >= 3],
    ['Which hazards have a residual risk lower than the initial risk?', (one) => residual(one) < initial(one)],
    ['hazards whose residual risk is the same as the initial risk', (one) => residual(one) === initial(one)],
    ['which hazards are rated catastrophic or major after controls', isMajor],
    ['hazards with a residual severity of major or above', isMajor],
    ['hazards with a residual severity of at least major', isMajor],
    [
      'hazards with an initial likelihood above medium',
      ({ initial: { likelihood } }) => /high/i.test(likelihood ?? ''),
    ],
    ['hazards with a residual likelihood of at least low', ({ residual: { likelihood } }) => likelihood !== 'Very low'],
    ['hazards above 2 after controls', (one) => residual(one) > 2],
    ['hazards with a remaining risk under 2', (one) => residual(one) < 2],
    ['hazards where the residual is higher than the initial', (one) => residual(one) > initial(one)],
    ['Which hazards have more than 3 controls?', ({ controls }) => controls.length > 3],
    ['which hazards have at most 5 controls', ({ controls }) => controls.length <= 5],
    ['which hazards have fewer than two causes', ({ causes }) => causes.length < 2],
    ['Which hazards have one control?', ({ controls }) => controls.length === 1],
    ['List hazards with training controls', (one) => count('training')(one) > 0],
    ['hazards with no test control', (one) => count('test')(one) === 0],
    ['Which open hazards have no owner?', (one) => isOpen(one) && !one.owner],
    ['hazards nobody owns', ({ owner }) => !owner],
    ['hazards without owner or evidence', (one) => !one.owner && !isEvident(one)],
    ['hazards with no owner or with no evidence', (one) => !one.owner || !isEvident(one)],
    ['great now list hazards with no owner', ({ owner }) => !owner],
    ['thanks. Which hazards are open', isOpen],
    ['hazards owned by the Operations lead that are open', (one) => isOpen(one) && one.owner === 'Operations lead'],
    ['open hazards not owned by the Operations lead', (one) => isOpen(one) && one.owner !== 'Operations lead'],
    ['all hazards except closed ones please', isOpen],
  ])('%s', (question, fits) => {
    const { kind, text } = answerQuestion(sample, question);
    const ids = sample.existingHazards.filter(fits).map(({ id }) => id);
    expect([kind, Number(text.split(' ')[0]), listedIn(text)]).toEqual(['fact', ids.length, ids.slice(0, LISTED)]);
  });

  test('the highest come with their value, and none that shares it is cut off', () => {
    const { text } = answerQuestion(sample, 'Which hazards have the highest residual risk?');
    const highest = sample.existingHazards.filter((one) => residual(one) === 3);
    expect(text.split('\n')).toEqual([
      `${highest.length} hazards of 25 have the highest recorded residual risk:`,
      ...highest.map(({ id, name }) => `• ${id}: ${name} (3)`),
    ]);
    const open = answerQuestion(sample, 'the two highest residual risks of the hazards that are closed').text;
    expect(open.split('\n')[0]).toBe(
      '15 hazards of 25 have the highest recorded residual risks, of those that have the status “Closed”:',
    );
  });

  test('groups are counted, the largest first', () => {
    expect(answerQuestion(sample, 'How many hazards by status?').text).toBe(
      '25 hazards by status:\n• Closed: 20\n• Open: 5',
    );
    expect(answerQuestion(sample, 'open hazards per owner').text.split('\n')[0]).toBe(
      '5 hazards of 25 have the status “Open”, by owner:',
    );
  });

  test('a severity without its phase is answered for both', () => {
    const { text } = answerQuestion(sample, 'Which hazards are rated major?');
    expect(text.match(/^\d+ hazards of 25 have the (?:initial|residual) severity “Major”/gm)).toHaveLength(2);
  });
});

describe('what a question can ask of the rest of the result', () => {
  test.each<[question: string, head: (result: AnalysisResult) => string]>([
    [
      'Which proposed hazards have more than 2 tickets?',
      ({ newHazards }) =>
        `${newHazards.filter(({ evidence }) => evidence.length > 2).length} proposals of ${newHazards.length} have more than 2 tickets:`,
    ],
    [
      'proposals that are not sure',
      ({ newHazards }) =>
        `${newHazards.filter(({ sure }) => !sure).length} proposals of ${newHazards.length} are not sure:`,
    ],
    [
      'How many tickets are irrelevant?',
      ({ tickets }) =>
        `${tickets.filter(({ relevance }) => relevance === 'not').length} tickets of ${tickets.length} are not relevant to safety:`,
    ],
    [
      'How many controls are in the log?',
      ({ existingHazards }) => `${existingHazards.flatMap(({ controls }) => controls).length} controls:`,
    ],
    [
      'How many test controls are there?',
      ({ existingHazards }) => {
        const all = existingHazards.flatMap(({ controls }) => controls);
        return `${all.filter(({ kind }) => kind === 'test').length} controls of ${all.length} have the kind “test”:`;
      },
    ],
  ])('%s', (question, head) => {
    const { kind, text } = answerQuestion(sample, question);
    expect([kind, text.split('\n')[0]]).toEqual(['fact', head(sample)]);
  });
});

test('words without a meaning are named, not dropped', () => {
  expect(answerQuestion(sample, 'Which hazards are closed last week?').text).toMatch(/\nI left out: last, week\.$/);
  expect(answerQuestion(sample, 'Which hazards are closed?').text).not.toContain('left out');
});

test.each([
  ['Which hazards are clsoed?', /^20 hazards of 25 have the status “Closed”[\s\S]*I read “clsoed” as “closed”\.$/],
  [
    'hazards where the remaning risk is under 3',
    /^\d+ hazards of 25 have a recorded residual risk below 3[\s\S]*I read “remaning” as “remaining”\.$/,
  ],
])('a slip is corrected, and said: %s', (question, says) => {
  expect(answerQuestion(sample, question).text).toMatch(says);
});

test.each<
  [question: string, fits: (suggested: NonNullable<AnalysisResult['newHazards'][number]['suggested']>) => boolean]
>([
  ['suggestions with a severity other than Major', ({ severity }) => severity !== 'Major'],
  ['how many proposals would you rate Catastrophic', ({ severity }) => severity === 'Catastrophic'],
  ['proposals with a suggested likelihood above Low', ({ likelihood }) => /Medium|High/i.test(likelihood)],
])('proposals are asked by their suggested rating: %s', (question, fits) => {
  const count = sample.newHazards.filter(({ suggested }) => suggested && fits(suggested)).length;
  expect(count).toBeGreaterThan(0);
  expect(answerQuestion(sample, question).text).toMatch(
    new RegExp(`^${count} proposals? of ${sample.newHazards.length} `),
  );
});

test('a name before a colon is a condition; a greeting and a sentence of its own are left out and named', () => {
  const textOf = (question: string) => answerQuestion(sample, question).text.split('\n');
  expect(textOf('Operations lead: which hazards are open?')[0]).toBe(
    '1 hazard of 25 has the owner “Operations lead” and the status “Open”:',
  );
  expect(textOf('Hello, one for the board: which hazards are open?').at(-1)).toBe(
    'I left out: “Hello, one for the board”.',
  );
  expect(textOf('We meet on Monday. Which hazards are open?').at(-1)).toBe('I left out: “We meet on Monday”.');
});

test('controls of a log without a column for their owner are not said to lack one', () => {
  expect(answerQuestion(sample, 'controls without an owner').text).toContain('no column for the owner of controls');
  expect(answerQuestion(sample, 'how many controls does QM-04 have').text).toMatch(
    /^5 controls of 124 have the hazard/,
  );
});

describe('what can be read in two ways, or leaves something out that matters, is refused', () => {
  test.each([
    'hazards that are not closed and open',
    'hazards that are open and have evidence or a residual risk of 1',
    'hazards not closed or major',
    'hazards with no owner and evidence',
    'hazards with a residual risk above 2 before June',
    'hazards with controls without evidence',
    'hazards closed by 4 people',
    'the three worst hazards',
    'hazards that are not overdue',
    'hazards that are overdue',
    'which hazards have an owner who left',
    'hazards with a residual risk above the severity',
    'my open hazards',
    'hazards that could be closed',
    'hazards that were open',
    'hazards sorted by owner',
    'hazards that still need to be closed',
    'hazards that have only design controls',
    'hazards rated Major before controls that aren’t Major after controls',
    'open hazards that are not open',
  ])('%s', (question) => {
    expect(answerQuestion(sample, question).kind).toBe('refusal');
  });
});
