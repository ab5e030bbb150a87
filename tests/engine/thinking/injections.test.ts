import { describe, expect, test } from '@jest/globals';
import { checkAnswer } from '../../../bot/engine/thinking/checkAnswer.ts';
import { fence } from '../../../bot/engine/thinking/messages.ts';
import { resultOf } from '../../../bot/engine/thinking/useTool.ts';
import { INJECTIONS } from '../../fakes/injections.ts';

const ID = 'VX-77';
const filled = (text: string) => text.replaceAll('ID', ID);
const use = (name: string) => ({ id: 'c1', name, input: {} });

/** Where a text stands that no person said, and what the tool gives with it. */
const PLACES: Record<string, (text: string) => ReturnType<typeof resultOf>> = {
  'the name of a file': (text) =>
    resultOf(use('query_records'), true, { text: `1 document:\n• ${text} (added by Bo)`, outside: [text, 'Bo'] }),
  'the words of a program’s question': (text) =>
    resultOf(use('query_records'), true, {
      text: `1 question of 1 is waiting:\n• 9, waiting: ${text}`,
      outside: [text],
    }),
  'the passage of a document': (text) =>
    resultOf(use('read_document'), true, { text: `From “Plan”:\n“${text}”`, outside: [text] }),
  'the result of a tool of another server': (text) => resultOf(use('mcp_1_find'), true, { text }),
};

describe.each(Object.entries(PLACES))('a model that obeys %s', (_place, give) => {
  test.each(INJECTIONS.flatMap(({ text, says }) => (says ? [[text, says] as const] : [])))(
    '“%s” is not heard',
    (text, says) => {
      const result = give(filled(text));
      expect(fence(result.text).match(/<\/?data>/g)).toEqual(['<data>', '</data>']);
      expect(checkAnswer(filled(says), { question: `What of ${ID}?`, results: [result] }).text).toBe('');
    },
  );
});
