import { describe, expect, test } from '@jest/globals';
import * as designer from '../../bot/agents/designer/intents.ts';
import * as developer from '../../bot/agents/developer/intents.ts';
import * as marketer from '../../bot/agents/marketer/intents.ts';
import * as mdr from '../../bot/agents/mdr/intents.ts';
import * as ops from '../../bot/agents/ops/intents.ts';
import { readNames } from '../../bot/agents/outreach/drafts/fields.ts';
import * as outreach from '../../bot/agents/outreach/intents.ts';
import * as professionaliser from '../../bot/agents/professionaliser/intents.ts';
import * as researcher from '../../bot/agents/researcher/intents.ts';
import { openingOf } from '../../bot/engine/intents/opening.ts';
import { LIMITS } from '../../models/contracts/limits.ts';

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

test('an intent is read from the first line without courtesies, up to 400 characters of it', () => {
  expect(openingOf(' please list\nmore', /^please /)).toBe('list');
  expect(openingOf(`${'a'.repeat(400)}b`, /^please /)).toBe('a'.repeat(400));
});
