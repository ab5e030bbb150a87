import { describe, expect, test } from '@jest/globals';
import { answerQuestion } from '../../../bot/agents/clinical_safety/answers/answerQuestion.ts';
import { readDay } from '../../../bot/agents/clinical_safety/findings/readDay.ts';
import { rewriteReferences } from '../../../bot/agents/clinical_safety/ooxml/formulaReferences.ts';
import { attribute, elements, unescapeXml } from '../../../bot/agents/clinical_safety/ooxml/xmlText.ts';
import { normaliseHeader, splitPhase } from '../../../bot/agents/clinical_safety/reading/headerWords.ts';
import { readHtmlBlocks } from '../../../bot/agents/clinical_safety/reading/html.ts';
import { readMarkdownTables } from '../../../bot/agents/clinical_safety/reading/markdown.ts';
import { ReadingBudget } from '../../../bot/agents/clinical_safety/reading/readingBudget.ts';
import { saysNothing } from '../../../bot/agents/clinical_safety/reading/saysNothing.ts';
import { findTicketKeys } from '../../../bot/agents/clinical_safety/reading/ticketKeys.ts';
import { nextIds } from '../../../bot/agents/clinical_safety/tickets/nextIds.ts';
import { quoteFrom } from '../../../bot/agents/clinical_safety/tickets/quote.ts';
import { plainText, termsOf } from '../../../bot/agents/clinical_safety/tickets/words.ts';
import { analyseLog } from '../../../bot/agents/clinical_safety/worker/analyseLog.ts';
import { neutralise } from '../../../bot/engine/files/neutralise.ts';
import { normaliseRatingWord } from '../../../models/contracts/clinical_safety/ratingWords.ts';
import { digestOf, makeWideLog } from '../../factories/hazardLog.ts';

const LENGTH = 100_000;
const filled = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length));

/** Pieces that make a pattern backtrack: runs of one class, and openings without an end. */
const WORST_PIECES = [
  ' ',
  '1',
  'a',
  'A',
  '-',
  '|',
  '"',
  "'",
  '[',
  '(',
  '{',
  '<',
  '&',
  '_',
  '.',
  ':',
  '=',
  '+',
  '\n',
  '\u0660',
  'é',
  '1 ',
  'a1',
  '[a](',
  '[a|',
  '{code',
  '{code}',
  '{color',
  '<a',
  '&a',
  '&#1',
  '```',
  "a'",
  ' -',
  '--',
  ':-',
  '| ',
  '1.',
  'v1.',
  'A-',
  'A1!',
  "'a",
  '"a" ',
  'http://',
  'www.',
  'git-svn-id:',
  'version ',
  'jan ',
  '<t ',
  '<br ',
  '=(',
  'IF(',
];
const TEXTS = WORST_PIECES.flatMap((piece) => [filled(piece), `1${filled(piece)}x`]);

const budget = () => new ReadingBudget('file', null);
const refusing = (work: () => unknown) => {
  try {
    return work();
  } catch {
    return null;
  }
};

/** Every function that applies a pattern to cells, tickets, formulas or file names. */
const READERS: [name: string, read: (text: string) => unknown][] = [
  ['rating words', normaliseRatingWord],
  ['blank words', saysNothing],
  ['ticket keys', findTicketKeys],
  ['next ids', (text) => nextIds([text], 1)],
  ['plain text of a ticket', plainText],
  ['terms of a ticket', termsOf],
  ['quotes', (text) => quoteFrom({ key: 'A-1', summary: text, description: text }, new Set(['dose']))],
  ['days', readDay],
  ['headings', (text) => splitPhase(normaliseHeader(text))],
  ['formulas', (text) => rewriteReferences(text, () => null)],
  ['XML texts', unescapeXml],
  ['XML attributes', (text) => attribute(`<c ${text}>`, 'r')],
  ['XML elements', (text) => [...elements(text, 'a')].length],
  ['HTML', (text) => refusing(() => readHtmlBlocks(`<table><tr><td>${text}`, budget()))],
  ['Markdown', (text) => refusing(() => readMarkdownTables(`|a|b|\n|--|--|\n|${text}`, budget()))],
  ['Markdown rules', (text) => refusing(() => readMarkdownTables(`|a|b|\n${text}--`, budget()))],
  ['CSV of formulas', neutralise],
];

describe('100 kB of the worst text are read quickly', () => {
  test.each(READERS)('%s', (_, read) => {
    const start = process.cpuUsage();
    for (const text of TEXTS) read(text);
    const { user, system } = process.cpuUsage(start);
    // A hundred texts of 100 kB: a pattern that backtracks takes longer for one of them.
    expect((user + system) / 1000).toBeLessThan(3000);
  });
});

describe('an id from a file is compared as text, never used as a pattern', () => {
  const analyse = (id: string) => {
    const bytes = makeWideLog([{ id }, { id: 'QM-02', name: 'Second' }]);
    return analyseLog({ log: { bytes, fileName: 'log.xlsx', digest: digestOf(bytes) }, tickets: null });
  };

  test.each(['(1+)+', '1)', '(', '[', '\\', 'a**', '(a+)+1', '$&', '^.*$'])('%s', async (id) => {
    const result = await analyse(id);
    const start = process.cpuUsage();
    expect(typeof answerQuestion(result, `hazard ${'1'.repeat(1900)}a`).text).toBe('string');
    expect(answerQuestion(result, `what is hazard ${id}?`).text).toMatch(/^.{0,20}: /);
    expect(answerQuestion(result, 'what is QM-02?').text).toMatch(/^QM-02: Second/);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});
