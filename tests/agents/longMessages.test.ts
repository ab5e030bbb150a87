import { describe, expect, test } from '@jest/globals';
import { asksForChange } from '../../bot/agents/clinical_safety/answers/refusals.ts';
import { queryLine } from '../../bot/agents/clinical_safety/answers/rowQuery.ts';
import { assess } from '../../bot/agents/clinical_safety/assessment/assess.ts';
import { readSafetyReport } from '../../bot/agents/clinical_safety/findings/safetyReport.ts';
import { readCombinedHeading } from '../../bot/agents/clinical_safety/reading/combinedRatings.ts';
import * as designer from '../../bot/agents/designer/intents.ts';
import { applyWish } from '../../bot/agents/designer/screen/applyWish.ts';
import { fieldsOf } from '../../bot/agents/designer/screen/fieldWords.ts';
import { fieldsListed, readObjective } from '../../bot/agents/designer/screen/readObjective.ts';
import { hasObjective, readTitle } from '../../bot/agents/designer/screen/readTitle.ts';
import * as developer from '../../bot/agents/developer/intents.ts';
import * as appWishes from '../../bot/agents/developer/objective/applyWish.ts';
import { readFields, readRules } from '../../bot/agents/developer/objective/readFields.ts';
import { readFormula } from '../../bot/agents/developer/objective/readFormula.ts';
import * as appObjective from '../../bot/agents/developer/objective/readObjective.ts';
import { readBrief } from '../../bot/agents/marketer/brief/readBrief.ts';
import * as marketer from '../../bot/agents/marketer/intents.ts';
import * as mdr from '../../bot/agents/mdr/intents.ts';
import * as ops from '../../bot/agents/ops/intents.ts';
import { titleOf } from '../../bot/agents/ops/process/sentences.ts';
import { readNames } from '../../bot/agents/outreach/drafts/fields.ts';
import * as outreach from '../../bot/agents/outreach/intents.ts';
import { readOptOut } from '../../bot/agents/outreach/optOuts/address.ts';
import * as professionaliser from '../../bot/agents/professionaliser/intents.ts';
import { wordsAndPairs } from '../../bot/agents/professionaliser/rules/terms.ts';
import * as researcher from '../../bot/agents/researcher/intents.ts';
import { openingOf } from '../../bot/engine/intents/opening.ts';
import { figuresIn } from '../../bot/engine/thinking/figures.ts';
import { LIMITS } from '../../models/contracts/limits.ts';
import { slownessNow } from '../factories/slownessNow.ts';

const AGENTS = { designer, developer, marketer, mdr, ops, outreach, professionaliser, researcher };
/** Words that the agents' patterns look for one after the other, so that each is found at many places. */
const PIECES = [
  'list ',
  'list apps ',
  'list briefs ',
  'list copy ',
  'list documents ',
  'list lists ',
  'list procedures ',
];
const MORE = ['list products ', 'make a ', 'what do our documents ', 'when is reports ', 'a', 'a/', ' ', '.', '@', '`'];
const fill = (piece: string) => piece.repeat(LIMITS.chatMessage / piece.length);

describe('a message that was written to be slow is read quickly', () => {
  test.each(Object.entries(AGENTS))('by %s', (_agent, intents) => {
    const readers = Object.values(intents) as ((text: string) => unknown)[];
    const slow: string[] = [];
    for (const piece of [...PIECES, ...MORE]) {
      const { user: before } = process.cpuUsage();
      for (const read of readers) read(`${fill(piece)}!`);
      const milliseconds = (process.cpuUsage().user - before) / 1000;
      if (milliseconds > 100) slow.push(`${JSON.stringify(piece)}: ${Math.round(milliseconds)} ms`);
    }
    expect(slow).toEqual([]);
  });
});

test('an answer with names that was written to be slow is read quickly', () => {
  const { user: before } = process.cpuUsage();
  expect(readNames(`${fill(' ')}!`, [{ row: 2, address: 'jo@a.example' }])).toEqual({});
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(100);
});

const screen = readObjective('a form with reason, date and urgency');
const { app } = appObjective.readObjective('a list of visits with reason, date and amount', 'list');
if (!app) throw new Error('The objective names a list.');
/** Runs that patterns begin anew at each place of, where nothing bounds them; each behind words that a rule begins with. */
const RUNS = [' ', '\n', ' ,', '.', '. ', '!', '1', '1.', '(', '“', 'a,', 'duty ', 'a '];
const READERS: Record<string, [reader: (text: string) => unknown, begin?: string]> = {
  'a wish for a screen': [(text) => applyWish(screen, text), 'rename x'],
  'the objective of a screen': [readObjective],
  'the fields of a screen': [fieldsListed],
  'a field of a screen': [fieldsOf],
  'whether there is an objective': [hasObjective],
  'the title of a screen': [(text) => readTitle(text, 'form', 'records')],
  'a wish for an app': [(text) => appWishes.applyWish(app, text), 'rename a x'],
  'the objective of an app': [(text) => appObjective.readObjective(text, 'list'), 'with x'],
  'the fields of an app': [readFields],
  'the rules of an app': [(text) => readRules(text, app.fields)],
  'a formula': [readFormula],
  'the subject of a brief': [researcher.subjectOf],
  'an opt-out': [readOptOut],
  'the title of a procedure': [titleOf, '# ax'],
  'the terms of a document': [wordsAndPairs],
  'a request for a change of the log': [asksForChange],
  'a question about rows': [queryLine],
  'an assessment': [assess],
  'the heading of several ratings': [readCombinedHeading],
  'a safety case report': [(text) => readSafetyReport(text, 'Report.md'), '1.'],
  'the figures of an answer': [figuresIn],
};

/**
 * Milliseconds of a quiet processor for some work; of a slow one the lesser of two, as memory may be cleared meanwhile.
 */
function leastOf(work: () => unknown): number {
  const once = () => {
    const { user: before } = process.cpuUsage();
    work();
    return (process.cpuUsage().user - before) / 1000;
  };
  const first = once();
  return first > 300 ? Math.min(first, once()) / slownessNow() : first;
}

describe('a text that was written to be slow is read quickly', () => {
  test.each(Object.entries(READERS))('%s', (_name, [read, begin = 'x']) => {
    const slow: string[] = [];
    for (const piece of RUNS) {
      // Longer than any message, so that a time that grows with the square of the length is far over the bound.
      const text = `${begin}${fill(piece).repeat(4)}x`;
      const milliseconds = leastOf(() => read(text));
      if (milliseconds > 300) slow.push(`${JSON.stringify(piece)}: ${Math.round(milliseconds)} ms`);
    }
    expect(slow).toEqual([]);
  });

  test('a brief with many lines', () => {
    const { user: before } = process.cpuUsage();
    readBrief('', [{ name: 'Brief.md', text: 'a\n'.repeat(30_000) }]);
    expect((process.cpuUsage().user - before) / 1000).toBeLessThan(1000);
  });
});

test('an intent is read from the first line without courtesies, up to 400 characters of it', () => {
  expect(openingOf(' please list\nmore', /^please /)).toBe('list');
  expect(openingOf(`${'a'.repeat(400)}b`, /^please /)).toBe('a'.repeat(400));
});
