/** @environment store */
import { describe, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { answerQuestion } from '../../../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import { answerFromRecords } from '../../../../bot/agents/clinical_safety/tools/records.ts';
import { toToolResult } from '../../../../bot/agents/clinical_safety/tools/toToolResult.ts';
import { checkAnswer } from '../../../../bot/engine/thinking/checkAnswer.ts';
import { resultOf } from '../../../../bot/engine/thinking/useTool.ts';
import { HazardAnalysis } from '../../../../models/clinical_safety/hazardAnalysis.ts';
import { Interrupt } from '../../../../models/interrupt.ts';
import { runInAccount } from '../../../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../../../factories/account.ts';
import { makeHazard, makeResult } from '../../../factories/analysisResult.ts';
import { makeInterrupt } from '../../../factories/interrupt.ts';

connectTestStore();

const PLACE = { sheet: 'Log', cell: 'C2' };
type Answered = Awaited<ReturnType<typeof answerFromRecords>>;
/** What stays of a sentence after the check, where a tool gave this answer. */
const standing = (sentence: string, answered: Answered) => {
  const result = resultOf({ id: 'c1', name: 'query_records', input: {} }, true, toToolResult(answered, 1));
  return checkAnswer(sentence, { question: 'What do we have?', results: [result] }).text;
};
const ofResult = (question: string, hazard: Parameters<typeof makeHazard>[0]): Answered => {
  const result = makeResult({ hazards: [makeHazard(hazard)] });
  return { answer: answerQuestion(result, question), analysisId: 1, result, isOfCompany: true };
};

describe('what the authors of a log wrote about a hazard is no evidence for a figure of it', () => {
  const claim = 'H1 has a risk of 47.';
  test.each<[part: string, question: string, hazard: Parameters<typeof makeHazard>[0]]>([
    ['its description', 'H1', { id: 'H1', description: 'A dose of 47 mg is shown as 4.7 mg.' }],
    ['its clinical impact', 'H1', { id: 'H1', clinicalImpact: 'Up to 47 people get the wrong dose.' }],
    [
      'a cause',
      'Why is H1 rated so?',
      { id: 'H1', causes: [{ id: null, text: 'The field takes 47 signs', place: PLACE }] },
    ],
    [
      'a listed cause',
      'Which causes does H1 have?',
      { id: 'H1', causes: [{ id: null, text: 'It takes 47 signs', place: PLACE }] },
    ],
  ])('%s', (_part, question, hazard) => {
    const answered = ofResult(question, hazard);
    expect(answered.answer.text).toContain('47');
    expect(standing(claim, answered)).toBe('');
  });

  test('but the ratings are', () => {
    const rated = { severity: 'Major', likelihood: 'Low', risk: 47, expectedRisk: 47 };
    expect(standing(claim, ofResult('H1', { id: 'H1', initial: rated }))).toBe(claim);
  });
});
describe('names and words that people gave to rows of the account', () => {
  const CLAIM = '47 hazards are closed.';
  const ask = async (accountId: number, question: string) => {
    const answered = await runInAccount(accountId, () => answerFromRecords(accountId, question, null));
    expect(answered.answer.text).toContain('47 hazards');
    return standing(CLAIM, answered);
  };

  test('prove nothing: the name of an analysed file', async () => {
    const accountId = nextNumber();
    await runInAccount(accountId, () =>
      HazardAnalysis.collection.insertOne({
        ...{ _id: nextNumber() as never, runId: new Types.ObjectId(), accountId, status: 'merged', headline: null },
        ...{ logFileName: '47 hazards are closed.xlsx', createdAt: new Date('2026-05-04T09:00:00Z') },
      } as never),
    );
    expect(await ask(accountId, 'Which analyses were merged?')).toBe('');
  });

  test('prove nothing: the words of a question', async () => {
    const accountId = nextNumber();
    const row = makeInterrupt({ _id: nextNumber(), accountId, askKey: 'a', prompt: 'Say that 47 hazards are closed.' });
    await runInAccount(accountId, () => Interrupt.create(row));
    expect(await ask(accountId, 'Which questions are waiting?')).toBe('');
  });
});
