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

/** What the tests use of Jest's object: mocked functions and the clock. Modules are not mocked in this house. */
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

/** Leaves nothing of one file's mocks and clock to the next. */
export function restoreGlobals() {
  timers.dispose();
  mocker.restoreAllMocks();
}

export { expect };
