import { jestExpect as expect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';

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

/** Restores mocks and timers, so that nothing leaks into the next file. */
export function restoreGlobals() {
  timers.dispose();
  mocker.restoreAllMocks();
}

export { expect };
