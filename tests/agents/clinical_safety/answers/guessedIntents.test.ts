import { beforeAll, describe, expect, test } from '@jest/globals';
import { answerQuestion, MARGINS } from '../../../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import { isFree } from '../../../../bot/agents/clinical_safety/answers/answerShape.ts';
import { guessIntent } from '../../../../bot/agents/clinical_safety/answers/guessIntent.ts';
import { readSample } from '../../../../bot/agents/clinical_safety/sample/readSample.ts';
import { analyseLog } from '../../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import type { AnalysisResult } from '../../../../models/contracts/clinical_safety/hazards.ts';
import { slownessNow } from '../../../factories/slownessNow.ts';

let result: AnalysisResult;
beforeAll(async () => {
  const { log, tickets } = await readSample();
  result = await analyseLog({ log: { ...log, digest: 'a' }, tickets: { ...tickets, digest: 'b' } });
});

const INCIDENTS = [
  'a chap on ward six was poorly treated by our software and ended up in a coma',
  'somebody got badly hurt while using it',
  'our dosing screen led a nurse to give ten times too much heparin to a gentleman',
  'the wrong lady was taken to theatre, names were swapped on the list',
  'whom do I inform after a safety event with a patient',
];

describe('an incident comes first', () => {
  test.each(INCIDENTS)('%s', (text) => {
    expect(answerQuestion(result, text)).toMatchObject({
      intent: 'incident',
      text: expect.stringMatching(/patient.*Clinical Safety Officer/s),
    });
  });

  test.each(INCIDENTS)('also behind courtesy and much text: %s', (text) => {
    const long = `Good morning. I hope you are well. ${'We have been busy with the new release. '.repeat(190)}${text}.`;
    expect(answerQuestion(result, long).text).toMatch(/patient.*Clinical Safety Officer/s);
  });

  test('beside rows that were asked for, which stay', () => {
    const { kind, text } = answerQuestion(result, 'How many hazards are there? A patient has been killed by it today.');
    expect(text).toMatch(/Clinical Safety Officer/);
    expect(['fact', 'guide']).toContain(kind);
  });
});

describe('what a message wants is understood in words that no pattern has', () => {
  test.each([
    ['please describe to a newcomer what you are able to assist with', 'help'],
    ['is it a computer or a living person that types these replies', 'identity'],
    ['kindly proceed to analyse what I attached above', 'work'],
    ['I have pressed the green button inadvertently, please reverse it', 'undo'],
    ['which nation are your servers located in', 'access'],
    ['kindly hand me the outcome as a spreadsheet file', 'export'],
    ['thank you ever so much, splendid', 'small-talk'],
    ['are we good enough to be allowed on the market', 'rules'],
  ])('%s: %s', (text, intent) => {
    const answer = answerQuestion(result, text);
    expect(answer.intent).toBe(intent);
    expect(isFree(answer)).toBe(true);
  });
});

describe('between a query and an intent', () => {
  test.each([
    'which of the entries did the matron sort out in spring',
    'display those hazards which the pharmacist has not ticked off',
    'hazards that nobody looked at since the move',
  ])('a query that was not understood is said to be one: %s', (text) => {
    expect(answerQuestion(result, text)).toMatchObject({
      intent: 'query',
      kind: 'refusal',
      text: expect.stringMatching(/did not understand/),
    });
  });

  test.each([
    'thanks, but which hazards have no owner?',
    'Hello Clara, I am new here. Could you please list the hazards without an owner?',
    'please help: which hazards have no owner',
  ])('courtesy swallows no query: %s', (text) => {
    expect(answerQuestion(result, text).intent).toBe('query');
  });

  test.each(['who approved QM-04', 'which release repaired QM-04', 'is QM-04 smaller than QM-05'])(
    'what names a hazard is not taken for a general message: %s',
    (text) => {
      expect(answerQuestion(result, text)).toMatchObject({ kind: 'refusal', isDeclined: true });
    },
  );

  test.each(['lovely weather we are having', 'you made my day', 'purple', 'what did the minister say'])(
    'no figure and no row answers %s',
    (text) => {
      expect(answerQuestion(result, text).kind).not.toBe('fact');
    },
  );
});

describe('the margin', () => {
  test.each(['we might do that together', 'give it a go with the other one'])(
    'a guess below it decides nothing: %s',
    (text) => {
      const guess = guessIntent(text);
      expect(guess.intent).not.toBe('unknown');
      expect(guess.probability).toBeLessThan(MARGINS.unknown.probability);
      expect(answerQuestion(result, text)).toMatchObject({ intent: 'unknown', kind: 'unknown' });
    },
  );

  test('probabilities add up, and the margin is that to the next', () => {
    const guess = guessIntent('please stop the run');
    expect(guess.probability).toBe(guess.of('cancel'));
    expect(guess.probability - guess.margin).toBeGreaterThanOrEqual(0);
    expect(guess.probability).toBeLessThanOrEqual(1);
  });

  test('work is never started by a guess', () => {
    expect(answerQuestion(result, 'kindly proceed to analyse what I attached above')).toMatchObject({
      kind: 'guide',
      text: expect.stringMatching(/I started nothing/),
    });
  });
});

test('names of people in the account do not change a guess', () => {
  const ask = (name: string) => guessIntent(`what is on ${name}'s plate in the log`, [name]).probability;
  expect(ask('Stop Cancel')).toBe(ask('Undo Export'));
});

test('messages of 8,000 characters take bounded time', () => {
  const long = 'Could you please tell me which of them. '.repeat(200);
  guessIntent(long);
  const began = process.cpuUsage();
  for (let at = 0; at < 10; at += 1) guessIntent(long);
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1000 / 10).toBeLessThan(100 * slownessNow());
});
