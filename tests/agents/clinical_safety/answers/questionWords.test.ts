import { describe, expect, test } from '@jest/globals';
import { idFinder } from '../../../../bot/agents/clinical_safety/answers/namedIds.ts';
import {
  leftOver,
  notInTheLog,
  notUnderstood,
  plainLine,
} from '../../../../bot/agents/clinical_safety/answers/questionWords.ts';
import { answerOtherLanguage } from '../../../../bot/engine/intents/languages.ts';
import { changesMeaning, questionWords } from '../../../../bot/engine/queries/words.ts';

describe('the words of a question', () => {
  test.each<[string, string[]]>([
    ['Which HAZARDS are open?', ['which', 'hazards', 'are', 'open']],
    ["What’s QM-04's owner", ["what's", "qm-04's", 'owner']],
    ['a risk of 2.5 or -1', ['a', 'risk', 'of', '2.5', 'or', '-1']],
    ['1,000 >= 2 != 3 <> 4 <= 5', ['1,000', '>=', '2', '!=', '3', '<>', '4', '<=', '5']],
    ['open/closed + “more” (or less) …', ['open', '/', 'closed', '+', 'more', 'or', 'less']],
    ['≥ 3', ['≥', '3']],
    ['Größe', ['größe']],
    ['H-1', ['h-1']],
    ['', []],
    ['?!', []],
  ])('%s', (question, words) => {
    expect(questionWords(question)).toEqual(words);
  });

  test.each(['not', 'without', "isn't", 'except', 'more', '>', '≥', 'until', 'missing', '3', '12', 'unowned'])(
    '“%s” negates the question',
    (word) => {
      expect(changesMeaning(word)).toBe(true);
    },
  );
  test.each(['open', 'nothing', '2.5', 'h1', 'sun', 'owner'])('“%s” does not negate it', (word) => {
    expect(changesMeaning(word)).toBe(false);
  });

  test.each([
    ['Please show me the open hazards', 'show me open hazards'],
    ['Hi Clara, which hazards are open now?', 'which hazards are open'],
    ['ok so then which hazards are open', 'which hazards are open'],
    ['Could you list an owner', 'list owner'],
    ['could you be open', 'could you be open'],
    ['which hazards of this log are open', 'which hazards are open'],
    ['which hazards in the hazard log', 'which hazards'],
    ['hazards from our log, hazards in my log', 'hazards hazards'],
    ['hazards in the logbook', 'hazards in logbook'],
    ['my hazards', 'my hazards'],
  ])('“%s” is shortened to “%s”', (question, line) => {
    expect(plainLine(question)).toBe(line);
  });

  test('that are neither fillers nor understood are left over', () => {
    expect(leftOver(['which', 'hazards', 'are', 'purple', 'open'])).toEqual(['purple', 'open']);
    expect(leftOver(['which', 'purple', 'open'], new Set(['open']))).toEqual(['purple']);
    expect(leftOver([])).toEqual([]);
  });

  test('that were not understood are named, at most six, once each', () => {
    expect(notUnderstood(['a', 'b', 'a'])).toContain(
      'I did not understand “a b”. So I didn’t look anything up.\nWhat you can',
    );
    expect(notUnderstood(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toContain('“a b c d e f”.');
    expect(notUnderstood([])).toContain('I did not understand how its conditions go together.');
    expect(notInTheLog('it is blank.')).toMatch(
      /^I can’t answer that from this log: it is blank\.\nWhat you can do next:/,
    );
  });
});

describe('an id in a question', () => {
  test.each<[string, 'hazard' | 'ticket', string, boolean]>([
    ['what is QM-04', 'hazard', 'QM-04', true],
    ['what is qm-04?', 'hazard', ' QM-04 ', true],
    ['QM-04', 'hazard', 'qm-04', true],
    ['QM-041', 'hazard', 'QM-04', false],
    ['XQM-04', 'hazard', 'QM-04', false],
    ['X-QM-04', 'hazard', 'QM-04', false],
    ['QM-04a', 'hazard', 'QM-04', false],
    ['QM-041 and QM-04', 'hazard', 'QM-04', true],
    ['QM-04-1', 'hazard', 'QM-04', true],
    ['(QM-04)', 'hazard', 'QM-04', true],
    ['éH1', 'hazard', 'H1', false],
    ['H(1)', 'hazard', 'H(1)', true],
    ['H(1)2', 'hazard', 'H(1)', true],
    ['#H1', 'hazard', '#H1', true],
    ['2#H1', 'hazard', '#H1', true],
    ['hazard 12', 'hazard', '12', true],
    ['hazard number 12', 'hazard', '12', true],
    ['hazard no 12', 'hazard', '12', true],
    ['hazard no. 12', 'hazard', '12', true],
    ['hazard id 12', 'hazard', '12', true],
    ['hazard #12', 'hazard', '12', true],
    ['hazard 123', 'hazard', '12', false],
    ['a risk of 12', 'hazard', '12', false],
    ['ticket 12', 'hazard', '12', false],
    ['ticket 12', 'ticket', '12', true],
    ['hazard 12', 'ticket', '12', false],
    ['fire', 'hazard', 'Fire', false],
    ['hazard fire', 'hazard', 'Fire', true],
    ['hazard ', 'hazard', '', false],
    ['hazard  ', 'hazard', '  ', false],
    ['H1', 'hazard', 'H12', false],
  ])('“%s” names the %s “%s”: %s', (question, what, id, isNamed) => {
    expect(idFinder(question, what)(id)).toBe(isNamed);
  });
});

test.each([
  ['Quels sont les risques', 'French'],
  ['les risques', 'French'],
  ['les hazards', null],
  ['les les', null],
  ['Welche Risiken sind offen', 'German'],
  ['Risiken offen', 'German'],
  ['Risiken hazards', null],
  ['die hazards of the log', null],
])('“%s” is %s', (question, language) => {
  const answer = answerOtherLanguage(question);
  expect(answer?.slice(0, 3) ?? null).toBe(language === 'French' ? 'Je ' : language === 'German' ? 'Ich' : null);
});
