import { readFileSync } from 'node:fs';
import { jestExpect as expect } from '@jest/expect';
import { addEventHandler, getState, resetState, run, setState } from 'jest-circus';
import { restoreShared } from './atEnd.mjs';
import { restoreGlobals } from './globals.mjs';

/** Fails a test for assertions that did not throw by themselves, such as `expect.assertions`. */
function addMissingAssertions(event) {
  if (event.name === 'test_start') expect.setState({ currentTestName: nameOf(event.test), suppressedErrors: [] });
  if (event.name !== 'test_done') return;
  event.test.errors.push(...expect.extractExpectedAssertionsErrors().map(({ error }) => error));
}

/** The full name of a test with its describe blocks, which name patterns are matched against. */
const nameOf = (test) => {
  const names = [test.name];
  for (let block = test.parent; block?.parent; block = block.parent) names.unshift(block.name);
  return names.join(' ');
};

let reads = 0;
const NO_TEST = { test: () => false };
let skipsAfterFailure = false;

/** Skips the rest of the file after a failure, when the caller only asks whether any test fails. */
function endAtFailure({ name, test }) {
  if (skipsAfterFailure && name === 'test_done' && test.errors.length > 0) getState().testNamePattern = NO_TEST;
}

// jest-circus keeps its event handlers from one file to the next, so they are added once.
addEventHandler(addMissingAssertions);
addEventHandler(endAtFailure);
addEventHandler(addWhatIsOpen);

/** Selects which tests run: those in a list of full names, or those whose name matches a pattern. */
function selectTests(only, testNamePattern) {
  const names = only && new Set(only);
  if (names) return { test: (name) => names.has(name) };
  return testNamePattern ? new RegExp(testNamePattern, 'i') : null;
}

/** jest-circus statuses of tests without errors, as Jest names them. */
const STATUS = { skip: 'pending', todo: 'todo', done: 'passed' };

/**
 * What the process is waiting for when a test runs out of time, e.g. "Timeout ×2": with a fake clock left behind, or a
 * child that does not answer, the test's own limits never speak.
 */
function addWhatIsOpen({ name, test }) {
  if (name !== 'test_done' || !test.errors.some((error) => String([error].flat()[0]).includes('Exceeded timeout')))
    return;
  const kinds = process.getActiveResourcesInfo();
  const open = [...new Set(kinds)].map((kind) => `${kind} ×${kinds.filter((one) => one === kind).length}`);
  const clock = Object.hasOwn(globalThis.setTimeout, 'clock') ? 'fake' : 'real';
  test.errors.push(`The clock was ${clock}. Open: ${open.join(', ')}`);
}

const indent = (text) => String(text).replace(/^/gm, '    ');

function describeResult(result) {
  const [, ...path] = result.testPath;
  const title = path.pop();
  const failureMessages = result.errors.map(String);
  return {
    ancestorTitles: path,
    title,
    fullName: [...path, title].join(' '),
    status: result.errors.length > 0 ? 'failed' : STATUS[result.status],
    duration: result.duration ?? null,
    startAt: result.startedAt,
    failureDetails: [],
    failureMessages,
    invocations: result.invocations,
    location: result.location,
    numPassingAsserts: result.numPassingAsserts,
    retryReasons: [],
  };
}

/** Processor time of this process's ended children, in milliseconds; 0 where the system does not report it. */
function childProcessorTime() {
  try {
    const [, fields = ''] = readFileSync('/proc/self/stat', 'latin1').split(') ');
    const [user, system] = fields.split(' ').slice(13, 15).map(Number);
    return (user + system) * 10;
  } catch {
    return 0;
  }
}

/** Processor time of this process, its threads and its ended children, in milliseconds. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childProcessorTime();
}

/**
 * Loads one test file afresh and runs its tests.
 * @param options `url` of the module to load, the file itself or its built form; `only`: full names of the tests to
 * run; `endsAtFailure`: skip the tests after the first failure
 * @returns part of Jest's TestResult, with `memory`, the bytes that the process holds, and `processor`, the processor
 * time in milliseconds. The store that all files share runs in another process and is not counted.
 */
export async function runFile(path, { url, testNamePattern, rootDir, only, endsAtFailure = false }) {
  const start = Date.now();
  const before = processorTime();
  const uncaught = [];
  const onUncaught = (error) => uncaught.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.on('unhandledRejection', onUncaught).on('uncaughtException', onUncaught);
  resetState();
  setState({ ...getState(), testNamePattern: selectTests(only, testNamePattern) });
  skipsAfterFailure = endsAtFailure;
  expect.setState({ testPath: path, snapshotState: undefined });
  const { testResults, unhandledErrors } = await import(`${url}?read=${++reads}`).then(run, (error) => ({
    testResults: [],
    unhandledErrors: [error.stack ?? String(error)],
  }));
  restoreGlobals();
  await restoreShared();
  process.off('unhandledRejection', onUncaught).off('uncaughtException', onUncaught);
  const results = testResults.map(describeResult);
  const count = (status) => results.filter((one) => one.status === status).length;
  const outside = [...unhandledErrors, ...uncaught];
  const end = Date.now();
  const failed = results.filter((one) => one.status === 'failed');
  return {
    testFilePath: path,
    displayName: undefined,
    testResults: results,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    skipped: false,
    leaks: false,
    openHandles: [],
    perfStats: {
      start,
      end,
      runtime: end - start,
      slow: false,
      loadTestEnvironmentStart: start,
      loadTestEnvironmentEnd: start,
      setupFilesStart: start,
      setupFilesEnd: start,
      setupAfterEnvStart: start,
      setupAfterEnvEnd: start,
    },
    testExecError: outside.length > 0 ? { message: outside.join('\n\n'), stack: outside.join('\n\n') } : undefined,
    failureMessage:
      failed.length + outside.length > 0
        ? [
            ...outside.map((text) => `  ● ${path.slice(rootDir.length + 1)}\n\n${indent(text)}\n`),
            ...failed.map((one) => `  ● ${one.fullName}\n\n${indent(one.failureMessages.join('\n\n'))}\n`),
          ].join('\n')
        : null,
    memory: process.memoryUsage().rss,
    processor: processorTime() - before,
  };
}
