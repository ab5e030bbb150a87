import { describe, expect, test } from '@jest/globals';
import { defineCall, FileAnswer, JsonText } from '../../../bot/engine/calls/call.ts';
import { latestAnalysis } from '../../../models/contracts/clinical_safety/hazardAnalysis.ts';

describe('an agent’s call', () => {
  const handle = async () => null;

  test('combines its contract with its handler and its answer’s schema', () => {
    expect(defineCall(latestAnalysis, handle, { topics: ['analysis', 'interrupts'] })).toEqual({
      contract: latestAnalysis,
      handle,
      topics: ['analysis', 'interrupts'],
    });
    expect(defineCall(latestAnalysis, handle)).toStrictEqual({ contract: latestAnalysis, handle });
  });

  test('may be answered with serialised JSON, or with a file', () => {
    const bytes = Buffer.from('[]');
    expect(new JsonText(bytes).bytes).toBe(bytes);
    const file = { bytes, fileName: 'a.csv', contentType: 'text/csv' };
    expect({ ...new FileAnswer(file) }).toEqual(file);
  });
});
