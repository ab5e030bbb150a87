import { expect, test } from '@jest/globals';
import {
  declarationOf,
  isReading,
  type ListedTool,
  mergeTools,
  stateOf,
} from '../../../bot/engine/toolServers/declarations.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';

const TOOL: ListedTool = {
  name: 'find',
  description: 'Finds.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' }, at: { type: 'string' } } },
  annotations: { readOnlyHint: true, title: 'Find' },
};
const digestOf = (change: Partial<ListedTool> = {}) => declarationOf({ ...TOOL, ...change }).digest;

test('a declaration is the same in any order of its keys', () => {
  expect(
    digestOf({
      inputSchema: { properties: { at: { type: 'string' }, id: { type: 'string' } }, type: 'object' },
      annotations: { title: 'Find', readOnlyHint: true },
    }),
  ).toBe(digestOf());
});

test.each<[string, Partial<ListedTool>]>([
  ['name', { name: 'find2' }],
  ['title', { title: 'Find' }],
  ['description', { description: 'Finds' }],
  ['arguments', { inputSchema: { type: 'object', properties: { id: { type: 'string' } } } }],
  ['order of values', { inputSchema: { type: 'object', required: ['id', 'at'] } }],
  ['hints', { annotations: { readOnlyHint: true } }],
])('a declaration with another %s is another one', (_what, change) => {
  expect(digestOf(change)).not.toBe(digestOf());
});

test('the order of a list counts', () => {
  const required = (list: string[]) => digestOf({ inputSchema: { type: 'object', required: list } });
  expect(required(['id', 'at'])).not.toBe(required(['at', 'id']));
});

test.each<[object | undefined, boolean]>([
  [{ readOnlyHint: true }, true],
  [{ readOnlyHint: false }, false],
  [{ readOnlyHint: 'true' }, false],
  [{ readOnlyHint: 1 }, false],
  [{ destructiveHint: false }, false],
  [undefined, false],
])('with the hints %j a tool reads: %s', (annotations, reads) => {
  expect(isReading(declarationOf({ ...TOOL, annotations }))).toBe(reads);
});

test('of tools with one name the first counts, and of too many the first ones', () => {
  const twice = mergeTools([], [TOOL, { ...TOOL, description: 'Erases.' }]);
  expect(twice.tools.map(({ declared }) => declared.description)).toEqual(['Finds.']);
  expect(twice.leftOut).toBe(1);
  const { tools: most } = LIMITS.toolServers;
  const many = Array.from({ length: most + 1 }, (_, at) => ({ ...TOOL, name: `find${at}` }));
  expect({ kept: mergeTools([], many).tools.length, leftOut: mergeTools([], many).leftOut }).toEqual({
    kept: most,
    leftOut: 1,
  });
  expect(mergeTools([], many.slice(1)).leftOut).toBe(0);
});

test('a tool is on only while it is switched on and declared as it was allowed', () => {
  const [declared, other] = [declarationOf(TOOL), declarationOf({ ...TOOL, description: 'Erases.' })];
  const state = (isOn: boolean, allowed: typeof declared | null) => stateOf({ name: 'find', declared, allowed, isOn });
  expect([state(true, declared), state(true, other), state(false, declared), state(false, other)]).toEqual([
    ...['on', 'changed', 'off', 'off'],
  ]);
  expect(state(true, null)).toBe('changed');
});

test.each([
  ['empty', ''],
  ['with a control', 'find\u0000'],
  ['with a break of line', 'find\nit'],
  ['with a mark of direction', 'fi\u202end'],
  ['with an invisible character', 'find\u200b'],
  ['with half of a character', 'find\ud800'],
])('a tool whose name is %s is left out', (_what, name) => {
  const { tools, leftOut } = mergeTools([], [{ ...TOOL, name }, TOOL]);
  expect([tools.map((tool) => tool.name), leftOut]).toEqual([['find'], 1]);
});

test('the names of what every object has are names as others', () => {
  const { tools } = mergeTools(
    [],
    [
      { ...TOOL, name: '__proto__' },
      { ...TOOL, name: 'constructor' },
    ],
  );
  expect(tools.map((tool) => [tool.name, stateOf(tool)])).toEqual([
    ['__proto__', 'off'],
    ['constructor', 'off'],
  ]);
});
