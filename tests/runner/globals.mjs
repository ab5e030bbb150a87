import { jestExpect as expect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';

/** What a fake clock replaces, as it is before the first file. */
const REAL = Object.fromEntries(
  [
    ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
    ...['queueMicrotask', 'performance', 'Date'],
  ].map((name) => [name, globalThis[name]]),
);

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });

const MOCKS = ['fn', 'spyOn', 'clearAllMocks', 'resetAllMocks', 'restoreAllMocks'];
const TIMERS = [
  'useFakeTimers',
  'useRealTimers',
  'setSystemTime',
  'getRealSystemTime',
  'advanceTimersByTime',
  'advanceTimersByTimeAsync',
  'advanceTimersToNextTimer',
  'advanceTimersToNextTimerAsync',
  'runAllTimers',
  'runAllTimersAsync',
  'runOnlyPendingTimers',
  'runOnlyPendingTimersAsync',
  'getTimerCount',
  'clearAllTimers',
];

/**
 * The parts of Jest's object that the tests use: mock functions and fake timers. Modules are not mocked in this
 * project.
 */
export const jest = Object.fromEntries([
  ...MOCKS.map((name) => [name, mocker[name].bind(mocker)]),
  ...TIMERS.map((name) => [
    name,
    (...given) => {
      const value = timers[name](...given);
      return value instanceof Promise || typeof value === 'number' ? value : jest;
    },
  ]),
]);

/**
 * Restores mocks and the clock, so that nothing leaks into the next file. A mock of a timer that was made under a fake
 * clock puts the fake timer back when it is restored, after the clock itself was, and then every wait in the process
 * lasts for ever: so the real ones are put back last.
 */
export function restoreGlobals() {
  mocker.restoreAllMocks();
  timers.dispose();
  for (const [name, real] of Object.entries(REAL)) if (globalThis[name] !== real) globalThis[name] = real;
}

export { expect };
