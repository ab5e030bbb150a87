import { describe, expect, test } from '@jest/globals';
import { plainText, stem, termsOf, wordsOf } from '../../../../bot/agents/clinical_safety/tickets/words.ts';

describe('the stem', () => {
  test.each(
    Object.entries({
      // At this length, only a plural is removed.
      gas: 'gas',
      hour: 'hour',
      lies: 'lie',
      dose: 'dose',
      beds: 'bed',
      pass: 'pass',
      bus: 'bus',
      used: 'used',
      gaps: 'gap',
      plus: 'plus',
      // Plurals.
      allergies: 'allergy',
      doses: 'dose',
      boxes: 'box',
      classes: 'class',
      dishes: 'dish',
      batches: 'batch',
      quizzes: 'quizz',
      wards: 'ward',
      status: 'status',
      access: 'access',
      series: 'sery',
      // Verb forms, with a doubled letter undone.
      being: 'being',
      lying: 'lying',
      rating: 'rat',
      falling: 'fall',
      dropping: 'drop',
      logged: 'log',
      missed: 'miss',
      added: 'ad',
      rated: 'rat',
      freed: 'fre',
      aided: 'aid',
      // Too short for a past form once the plural is removed.
      seeds: 'seed',
      // Adverbs.
      badly: 'badly',
      kindly: 'kind',
      wrongly: 'wrong',
      // British and American.
      immunisation: 'immuniz',
      immunizations: 'immuniz',
      organised: 'organiz',
      organize: 'organiz',
      colour: 'color',
      anaemia: 'anemia',
      paediatric: 'pediatric',
      // An e at the end.
      medicine: 'medicin',
      table: 'tabl',
      missing: 'miss',
    }),
  )('of “%s” is “%s”', (word, root) => {
    expect(stem(word)).toBe(root);
  });
});

describe('plain text', () => {
  test.each([
    ['camelCaseWord and HTTPServer2Go', 'camel Case Word and HTTP Server2 Go'],
    ['ÄrzteListe wird ÜBERNommen', 'Ärzte Liste wird ÜBER Nommen'],
    ['größeÄndern', 'größe Ändern'],
    ['snake_case_word', 'snake case word'],
    ['See https://example.org/a?b and www.example.org now', 'See   and   now'],
    ['before ```const x = 1``` after', 'before   after'],
    ['a ```x``` b ```y``` c', 'a   b   c'],
    ['```x``` at once', '  at once'],
    ['never ```closed', 'never ```closed'],
    ['a {code:java}x{code} b', 'a   b'],
    ['a {code}x{code} b {noformat}y{noformat} c', 'a   b   c'],
    ['a {code never', 'a {code never'],
    ['a {code} never', 'a {code} never'],
    ['[text|http://y.z] and [name](http://y.z) and [bare]', 'text and name and [bare]'],
    ['{color:red}red{color} <b>bold</b> one&nbsp;two', ' red   bold  one two'],
    ['Merge pull request 5; merge requests', 'Merge  pr  5;  pr '],
    ['Done\nSigned-off-by: A\nCo-authored-by: B\ngit-svn-id: 7\nEnd', 'Done\n \n \n \nEnd'],
    ['ﬁle', 'file'],
  ])('of %j is %j', (text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  test.each([
    ["The patient's dose isn't Shown", ['the', "patient's", 'dose', "isn't", 'shown']],
    ['Müllers Größe, 5 mg', ['müllers', 'größe', '5', 'mg']],
    ['l’été', ['l', 'été']],
    ['?!', []],
  ])('has the words: %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test.each([
    ["The patient's allergies aren't shown", ['patient', 'allergy', 'aren', 'shown']],
    ['The patient’s doses', ['patient', 'dose']],
    ['Not shown after the same other only', ['not', 'shown', 'after', 'same', 'other', 'only']],
    ['a x 12 123 b2 of mg', ['b2', 'mg']],
    [`${'x'.repeat(60)} ${'y'.repeat(61)}`, ['x'.repeat(60)]],
  ])('is found by the stems: %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });
});
