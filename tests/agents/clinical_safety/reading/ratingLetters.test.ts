import { describe, expect, test } from '@jest/globals';
import { readLog } from '../../../../bot/agents/clinical_safety/reading/readLog.ts';

/** A log with the given headings of ratings, in rows that give each cell its number: 1, 2, 3. */
async function ratingsOf(headings: readonly string[], { name = 'Hazard', key = '' } = {}) {
  const cells = headings.map((_, at) => at + 1).join(';');
  const rows = [1, 2, 3].map((id) => `H${id};Wrong dose ${id};Units;Overdose;${cells}`);
  const csv = [...(key ? [key, ''] : []), `ID;${name};Cause;Harm;${headings.join(';')}`, ...rows].join('\n');
  const log = await readLog(new TextEncoder().encode(csv), 'log.csv');
  const [first] = log.hazards;
  const of = (rating = first?.initial) => [rating?.severity ?? null, rating?.likelihood ?? null, rating?.risk ?? null];
  return [of(first?.initial), of(first?.residual)];
}
const NONE = [null, null, null];

describe('letters above ratings', () => {
  test.each<[string, string[], { name?: string; key?: string }, unknown[]]>([
    [
      'numbers from 0',
      ['S0', 'L0', 'Rating0', 'S1', 'L1', 'Rating1'],
      {},
      [
        ['1', '2', 3],
        ['4', '5', 6],
      ],
    ],
    [
      'numbers from 1',
      ['S1', 'L1', 'Risk1', 'S2', 'L2', 'Risk2'],
      {},
      [
        ['1', '2', 3],
        ['4', '5', 6],
      ],
    ],
    ['Bedeutung, Auftreten, Entdeckung', ['B', 'A', 'E', 'RPZ'], { name: 'Fehler' }, [['1', '2', 4], NONE]],
    [
      'the same again, “neu”',
      ['B', 'A', 'E', 'RPZ', 'B neu', 'A neu', 'E neu', 'RPZ neu'],
      { name: 'Fehler' },
      [
        ['1', '2', 4],
        ['5', '6', 8],
      ],
    ],
    ['patients before staff', ['B Pers', 'B Pat', 'A', 'E', 'RPZ'], { name: 'Fehler' }, [['2', '3', 5], NONE]],
    ['gravité, occurrence, détection, criticité', ['G', 'O', 'D', 'C'], { name: 'Danger' }, [['1', '2', 4], NONE]],
    ['ernst and kans', ['E', 'K', 'R'], { name: 'Gevaar' }, [['1', '2', 3], NONE]],
    ['konsekvens and sannsynlighet', ['K', 'S', 'R'], { name: 'Fare' }, [['1', '2', 3], NONE]],
    ['allvarlighet and sannolikhet, in a Swedish log', ['A', 'S', 'R'], { name: 'Fara' }, [['1', '2', 3], NONE]],
    ['Auftreten and Schwere, in a German log', ['A', 'S', 'RPZ'], { name: 'Gefährdung' }, [['2', '1', 3], NONE]],
    ['A and S in no known language: neither', ['A', 'S', 'R'], {}, [[null, null, 3], NONE]],
    ['what the file itself explains', ['X', 'Y', 'R'], { key: 'X = Likelihood;Y = Severity' }, [['2', '1', 3], NONE]],
  ])('%s', async (_name, headings, options, expected) => {
    expect(await ratingsOf(headings, options)).toEqual(expected);
  });

  test('a row of headings is no key: the letter in front of “Score” is no score', async () => {
    const key = 'X = Likelihood;Y = Severity';
    expect(await ratingsOf(['X', 'Y', 'Score'], { key })).toEqual([['2', '1', 3], NONE]);
  });

  test('one letter alone is not read by a key', async () => {
    expect(await ratingsOf(['X', 'Risk'], { key: 'X = Likelihood' })).toEqual([[null, null, 2], NONE]);
  });

  test('a letter that a file explains in two ways is not read by its key', async () => {
    const key = 'X = Likelihood;Y = Severity;X = Risk';
    expect(await ratingsOf(['X', 'Y', 'R'], { key })).toEqual([[null, null, 3], NONE]);
  });

  test('“Class” right behind both ratings is the risk, and elsewhere is not', async () => {
    expect(await ratingsOf(['Sev.', 'Prob.', 'Class', 'Res. sev.', 'Res. prob.', 'Res. class'])).toEqual([
      ['1', '2', 3],
      ['4', '5', 6],
    ]);
    expect((await ratingsOf(['Class', 'Sev.', 'Prob.']))[0]).toEqual(['2', '3', null]);
  });
});
