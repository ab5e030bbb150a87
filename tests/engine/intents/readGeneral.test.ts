import { describe, expect, test } from '@jest/globals';
import { answerGeneral } from '../../../bot/engine/intents/answerGeneral.ts';
import { answerOtherLanguage } from '../../../bot/engine/intents/languages.ts';
import { type GeneralIntent, readGeneral } from '../../../bot/engine/intents/readGeneral.ts';
import { findAgent } from '../../../models/contracts/catalogue.ts';
import type { AgentId, CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';
import { asInPreparation } from '../../factories/asInPreparation.ts';

const card = (id: AgentId) => findAgent(id) as CatalogueAgent;

test.each<[text: string, intent: GeneralIntent | null]>([
  ['Hi Opal!', 'small-talk'],
  ['thanks', 'small-talk'],
  ['🙏', 'small-talk'],
  ['back in five minutes', 'small-talk'],
  ['That’s all for today', 'small-talk'],
  ['Tell me a joke', null],
  ['phew, long day', 'small-talk'],
  ['it’s raining again', 'small-talk'],
  ['thanks, delete it', null],
  ['thanks, and the closed ones?', null],
  ['hold on, export it', null],
  ['good job, how many are open', null],
  ['Are you a real person?', 'identity'],
  ['am I talking to a robot', 'identity'],
  ['what can you do for me?', 'help'],
  ['where do I start', 'help'],
  ['What is waiting for me?', 'status'],
  ['what’s next', 'status'],
  ['please take that back', 'undo'],
  ['stop', 'cancel'],
  ['stop using red for the header', null],
  ['which files have you read', 'files'],
  ['export it as CSV', 'export'],
  ['Who else can see our files?', 'access'],
  ['our Data lead is on leave, how many are left', null],
  ['Help me with compliance', 'goal'],
  ['Please write a tweet about it', 'other-agent'],
  ['Ask Dara for a screen', 'other-agent'],
  ['What should I call you?', 'identity'],
  ['I don’t know where to start', 'help'],
  ['any progress? the audit is at 3', 'status'],
  ['actually abort, I have to ask first', 'cancel'],
  ['I rejected that in error', 'undo'],
  ['Our list is a Word document. Is that ok', 'files'],
  ['can we have it as a file', 'export'],
  ['delete everything you hold about me', 'access'],
  ['', null],
  ['  ', null],
])('“%s” is read as %s', (text, intent) => {
  expect(readGeneral(text, 'ops')).toBe(intent);
});

test('an agent’s own work is never another agent’s', () => {
  expect(readGeneral('draw a login screen', 'ops')).toBe('other-agent');
  expect(readGeneral('draw a login screen', 'designer')).toBeNull();
});

describe('the answer', () => {
  const say = (intent: GeneralIntent, text: string, id: AgentId = 'ops') =>
    answerGeneral(intent, text, card(id), 'Nothing waits.', { next: ['Do this.'] });
  test('names whose work it is, and whether that agent works today', async () => {
    expect(say('other-agent', 'Ask Dara for a screen')).toMatch(/^That is the work of Dara, Product designer.*@Dara/);
    await asInPreparation('marketer', () => {
      expect(say('other-agent', 'write a tweet')).toMatch(/^That is the work of Mina.*in preparation/);
    });
  });
  test.each([
    ['back in a bit', /^I’ll be here/],
    ['long day', /^I’ll be here/],
    ['hi there', /^Hello/],
    ['good luck', /^You’re welcome/],
    ['sorry, my mistake', /^No problem/],
  ])('to the small talk “%s” fits it', (text, says) => {
    expect(say('small-talk', text)).toMatch(says);
  });
  test('on the status is what waits and runs; for a visitor the next steps', () => {
    expect(say('status', 'status')).toBe('Nothing waits.');
    expect(answerGeneral('status', 'status', card('ops'), null, { next: ['Do this.'] })).toBe(
      'In this order:\n• Do this.',
    );
  });
  test.each<GeneralIntent>(['undo', 'cancel', 'files', 'export', 'access', 'goal', 'identity', 'help'])(
    'to %s is a text of its own',
    (intent) => {
      expect(say(intent, 'x').length).toBeGreaterThan(40);
    },
  );
});

describe('another language', () => {
  test.each([
    ['Wie viele Fragen sind noch offen?', 'Englisch'],
    ['Combien de questions sont ouvertes ?', 'anglais'],
    ['¿Cuántos documentos están abiertos?', 'inglés'],
    ['Скільки питань ще відкрито?', 'англійською'],
    ['Сколько вопросов открыто?', 'английском'],
    ['还有多少问题？', '英语'],
  ])('“%s” is answered in it', (text, says) => {
    expect(answerOtherLanguage(text)).toContain(says);
  });
  test.each(['How many µg are in the list?', 'The Spanish word “sin” means without', 'x', '', 'naïve café question'])(
    '“%s” is English',
    (text) => {
      expect(answerOtherLanguage(text)).toBeNull();
    },
  );
});
