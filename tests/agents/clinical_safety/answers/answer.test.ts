import { beforeAll, describe, expect, test } from '@jest/globals';
import { answerQuestion } from '../../../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import { type Answer, isFree } from '../../../../bot/agents/clinical_safety/answers/answerShape.ts';
import { describeResult } from '../../../../bot/agents/clinical_safety/answers/describe.ts';
import { readSample } from '../../../../bot/agents/clinical_safety/sample/readSample.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import { askable } from '../../../../bot/engine/queries/answerQuery.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { makeHazard, makeResult } from '../../../factories/analysisResult.ts';

let result: AnalysisResult;
beforeAll(async () => {
  const { log, tickets } = await readSample();
  result = await analyseLog({ log: { ...log, digest: 'a' }, tickets: { ...tickets, digest: 'b' } });
});

test('a result is described with figures first', () => {
  const { coverage } = result.analysisMetadata;
  expect(describeResult(result).headline).toBe(
    `25 hazards, 7 findings to fix, ${coverage.covered} of ${coverage.relevant} relevant tickets covered (${coverage.possible} possible, ${coverage.none} none, ${coverage.unsure} unsure)`,
  );
});

test('a coverage figure of an earlier version names its method', () => {
  const { possible: _possible, none: _none, ...before } = result.analysisMetadata.coverage;
  const older = { ...result, analysisMetadata: { ...result.analysisMetadata, coverage: before } };
  expect(answerQuestion(older, 'what is our coverage?').text).toMatch(
    /^Coverage 3 of 69 \(4 per cent\), by an earlier method that also counted matching words\. Run the analysis again/,
  );
});

describe('questions about a result', () => {
  test.each([
    ['Which hazards have no owner?', /^1 hazard of 25 has no owner:\n• QM-07/],
    ['what is QM-04', /^QM-04: Allergy is not shown.*risk 2\. The matrix gives 3\./s],
    [
      'Why is the coverage what it is?',
      /^Coverage 3 of 69 \(4 per cent\): named in the log or the ticket, or confirmed by a person\. Not counted: 40 possible/,
    ],
    ['which tickets are not covered', /Not covered:\n• RX-/],
    ['Explain the matrix', /“Risk matrix” sheet.*looked up in the table, never multiplied/s],
    ['what should I fix first?', /^7 to fix, 5 to check/],
    ['What do you propose?', /^\d+ new hazards?, \d+ additions? to (an existing one|existing ones) are proposed/],
    ['which hazards are closed', /have the status “Closed”/],
    ['which hazards are about the pharmacy', /in the log mention “pharmacy”/],
    ['RX-1545', /^RX-1545: .*Judged relevant to safety/s],
    ['how do I merge?', /Merge new lines into Hazard Log/],
    ['tell me about MED-02', /^MED-02: Dose, strength, unit or frequency is wrong/],
    ['what could go wrong with allergies?', /kinds of hazard that I know.*ALG-01/s],
    ['which version is it', /file name: 2\.3/],
    ['how many hazards are there', /^25 hazards/],
  ])('%s', (question, expected) => {
    expect(answerQuestion(result, question).text).toMatch(expected);
  });

  test.each(['Is it safe?', 'Are we compliant with DCB0129?', 'is our product approved'])(
    '%s: never a verdict',
    (question) => {
      expect(answerQuestion(result, question).text).toMatch(/^I can’t say that/);
    },
  );

  test.each(['What is the capital of France?', 'blue', ''])('%j: I do not know', (question) => {
    expect(answerQuestion(result, question).text).toMatch(/^I don’t know/);
  });
});

describe('questions without a result', () => {
  test.each([
    ['what is our coverage?', /^There is no analysis yet/],
    ['explain the matrix', /NHS 5x5 \(DCB0129 4\.2\)/],
    ['who may approve the log?', /Clinical Safety Officer/],
    ['hazards of vaccination records', /WFL-06/],
    ['What does considerable mean? define severity', /Considerable: severe injury/],
  ])('%s', (question, expected) => {
    expect(answerQuestion(null, question).text).toMatch(expected);
  });
});

describe('looking for an answer', () => {
  const own = makeResult({ hazards: [makeHazard(), makeHazard({ id: 'Fire door' }), makeHazard({ id: '12' })] });
  const KINDS =
    /^Of the 94 kinds of hazard that I know, these are closest to your words:\n(?:• \S+ .*\n){4}Ask for one/;
  test.each<[where: string, result: AnalysisResult | null, question: string, Answer['kind'], RegExp]>([
    ['by an id of words', own, 'what is hazard fire door', 'fact', /^Fire door: /],
    ['by an id and its owner', own, 'who owns H1', 'fact', /^H1: /],
    ['by an id among six words', own, 'H1 status owner severity likelihood risk', 'fact', /^H1: /],
    [
      'not by an id among seven',
      own,
      'H1 status owner severity likelihood risk rating',
      'refusal',
      /did not understand how its conditions go together/,
    ],
    ['by an id that is asked for', own, 'show H1 status owner severity likelihood risk rating', 'fact', /^H1: /],
    ['not by an id beside another word', own, 'H1 and the weather', 'refusal', /did not understand “weather”/],
    ['by a number behind “no”', own, 'what is hazard no 12', 'fact', /^12: /],
    [
      'not by a number behind another word',
      own,
      'what is hazard 12 purple 3',
      'refusal',
      /did not understand “purple”/,
    ],
    ['in the knowledge base', own, 'tell me about MED-02', 'knowledge', /^MED-02: /],
    ['in the knowledge base without a result', null, 'tell me about med-02', 'knowledge', /^MED-02: /],
    ['nowhere for an unknown id', own, 'what is XXX-99', 'refusal', /did not understand which one/],
    ['among kinds of hazard', null, 'risks of allergies', 'knowledge', KINDS],
    ['among kinds of hazard next to a result', own, 'risks of allergies', 'knowledge', KINDS],
    [
      'for the one kind that is named in full, next to a result',
      own,
      'A test result is delayed',
      'knowledge',
      /this is closest to your words:\n• RES-01 /,
    ],
    [
      'among kinds of hazard, whatever the log says',
      own,
      'what could go wrong with all allergy risks?',
      'knowledge',
      KINDS,
    ],
    [
      'for the one kind that is named in full',
      null,
      'A test result is delayed',
      'knowledge',
      /^Of the 94 kinds of hazard that I know, this is closest to your words:\n• RES-01 [^\n]*\nAsk for one by its id to see causes and controls\.\n\nIf this has happened, act on it/,
    ],
    [
      'for no kind if the question is about the log',
      own,
      'a test result is delayed, the risk',
      'refusal',
      /did not understand “test/,
    ],
    ['in the result', own, 'explain the matrix', 'fact', /^The risks are checked against/],
    ['in the standard without one', null, 'explain the matrix', 'standard', /^The NHS 5x5.*\n• Very high: Minor 3, S/],
    ['in the standard', own, 'what does severity mean', 'standard', /^Severity is the worst harm/],
    ['in a result that is not there', null, 'what is our coverage', 'no-analysis', /^There is no analysis yet/],
    ['nowhere if words are left over', own, 'the status of things', 'refusal', /did not understand “things”/],
    ['within two thousand characters', own, `${'x'.repeat(1997)} H1`, 'refusal', /did not understand “x/],
    ['not beyond', own, `${'x'.repeat(1998)} H1`, 'unknown', /^I don’t know/],
    ['not for spaces', own, '  ', 'unknown', /^I don’t know/],
  ])('%s', (_where, result, question, kind, says) => {
    const { tool, isDeclined, intent, asked, isOfRows, ...said } = answerQuestion(result, question);
    expect(said).toEqual({ kind, text: expect.stringMatching(says) });
    expect(isDeclined ?? false).toBe(/did not understand/.test(said.text));
    // A tool of its own reads the log's matrix.
    expect(tool).toBe(question === 'explain the matrix' && result ? 'riskmanagement' : undefined);
  });

  test.each<[Answer['kind'], boolean]>([
    ['talk', true],
    ['help', true],
    ['refusal', true],
    ['guide', true],
    ['unknown', true],
    ['no-analysis', true],
    ['fact', false],
    ['knowledge', false],
    ['standard', false],
  ])('and one of the kind %s is free: %s', (kind, free) => {
    expect(isFree({ intent: 'unknown', kind, text: '' })).toBe(free);
  });
});

test.each([
  ['can I give you a Word document', 'files'],
  ['could I upload Word documents?', 'files'],
  ['can you give me the Word documents', 'query'],
  ['which Word documents do we have', 'query'],
])('an offer to hand something over is no question about rows: %s', (question, intent) => {
  const format = { id: 'format', names: ['format'], noun: 'format', has: 'a format', lacks: 'no format' };
  const documents = askable({ one: 'document', many: 'documents' }, () => ({
    ...{ id: 'documents', one: 'document', many: 'documents', rows: [{ format: 'Word' }, { format: 'PDF' }] },
    fields: [{ ...format, kind: 'choice' as const, read: (row: { format: string }) => row.format }],
    line: (row) => row.format,
  }));
  expect(answerQuestion(null, question, documents).intent).toBe(intent);
});
