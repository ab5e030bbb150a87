/** More failed files than this are no accident of the machine. */
const MAX_REPEATED = 3;

/**
 * Runs one file in a process.
 * @returns `passed`; `result`, part of Jest's TestResult, or `error` if the file did not get as far as its tests;
 * `memory` of the process in bytes; `lost` if the process has ended
 */
export async function runIn(lane, test) {
  try {
    const { memory, ...result } = await lane.run(test.path);
    const error = (result.testResults.length === 0 && result.testExecError) || undefined;
    return { test, result, error, memory, passed: !error && !result.testExecError && result.numFailingTests === 0 };
  } catch (error) {
    return { test, error: { message: error.message, stack: error.stack }, passed: false, lost: true };
  }
}

/**
 * Whether the files that failed run once more: in CI alone, where one accident must not refuse a change, and only if they
 * are few. Elsewhere a test that fails now and then fails the run, so that it is mended.
 */
export const isToRepeat = (failed, { ci }) => Boolean(ci) && failed.length <= MAX_REPEATED;

/**
 * Runs a file that failed once more, in a process of its own with nothing beside it, and prints how it failed first.
 * @param open starts a process
 * @returns the outcome of the second time
 */
export async function repeat(first, open) {
  console.warn(`\nFailed, and runs again: ${first.test.path}\n${first.error?.message ?? first.result.failureMessage}`);
  const lane = open();
  const second = await runIn(lane, first.test);
  if (!second.lost) await lane.close();
  if (second.passed) console.warn(`UNSTEADY, failed and then passed: ${first.test.path}`);
  return second;
}
