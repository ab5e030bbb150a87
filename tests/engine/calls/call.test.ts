import { describe, expect, test } from '@jest/globals';
import { defineCall, FileAnswer, JsonText } from '../../../bot/engine/calls/call.ts';
import { latestAnalysis } from '../../../models/contracts/clinical_safety/hazardAnalysis.ts';

describe('a call of an agent', () => {
  const handle = async () => null;

  test('is its contract with what answers it, and what the answer is made of', () => {
    expect(defineCall(latestAnalysis, handle, { topics: ['analysis', 'interrupts'] })).toEqual({
      contract: latestAnalysis,
      handle,
      topics: ['analysis', 'interrupts'],
    });
    expect(defineCall(latestAnalysis, handle)).toStrictEqual({ contract: latestAnalysis, handle });
  });

  test('may be answered by JSON that is written already, or by a file', () => {
    const bytes = Buffer.from('[]');
    expect(new JsonText(bytes).bytes).toBe(bytes);
    const file = { bytes, fileName: 'a.csv', contentType: 'text/csv' };
    expect({ ...new FileAnswer(file) }).toEqual(file);
  });
});
