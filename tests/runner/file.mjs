import { readFileSync } from 'node:fs';
import { jestExpect as expect } from '@jest/expect';
import { addEventHandler, getState, resetState, run, setState } from 'jest-circus';
import { restoreShared } from './atEnd.mjs';
import { restoreGlobals } from './globals.mjs';

/** Assertions that did not throw where they stood (`expect.assertions` and the like) fail their test. */
function addMissingAssertions(event) {
  if (event.name === 'test_start') expect.setState({ currentTestName: nameOf(event.test), suppressedErrors: [] });
  if (event.name !== 'test_done') return;
  event.test.errors.push(...expect.extractExpectedAssertionsErrors().map(({ error }) => error));
}

/** A test's name with those of the blocks round it, which is what names are matched with. */
const nameOf = (test) => {
  const names = [test.name];
  for (let block = test.parent; block?.parent; block = block.parent) names.unshift(block.name);
  return names.join(' ');
};

let reads = 0;
const NO_TEST = { test: () => false };
let skipsAfterFailure = false;

/** Skips the rest of the file, where the caller only asks whether a test fails. */
function endAtFailure({ name, test }) {
  if (skipsAfterFailure && name === 'test_done' && test.errors.length > 0) getState().testNamePattern = NO_TEST;
}

// The handlers of a process are kept from one file to the next.
addEventHandler(addMissingAssertions);
addEventHandler(endAtFailure);

/** Which tests are run: those of a list of full names, or those whose name fits a pattern. */
function selectTests(only, testNamePattern) {
  const names = only && new Set(only);
  if (names) return { test: (name) => names.has(name) };
  return testNamePattern ? new RegExp(testNamePattern, 'i') : null;
}

/** Jest's words for circus', where nothing failed. */
const STATUS = { skip: 'pending', todo: 'todo', done: 'passed' };

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

/** Milliseconds that processes which this one started, and which have ended, had of a processor; where that is told. */
function ofChildren() {
  try {
    const [, fields = ''] = readFileSync('/proc/self/stat', 'latin1').split(') ');
    const [user, system] = fields.split(' ').slice(13, 15).map(Number);
    return (user + system) * 10;
  } catch {
    return 0;
  }
}

/** Milliseconds that this process, its threads and its children had of a processor. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + ofChildren();
}

/**
 * Reads one test file anew and runs what it declares.
 * @param options `url` of what is read, the file itself or what was built of it; `only`: the full names of the tests to
 * run; `endsAtFailure`: the tests after the first that fails are skipped
 * @returns a part of Jest's TestResult, `memory`, the bytes that the process holds then, and `processor`, the
 * milliseconds that it had of one; the store that all files share is not in them
 */
export async function runFile(path, { url, testNamePattern, rootDir, only, endsAtFailure = false }) {
  const start = Date.now();
  const before = processorTime();
  const loose = [];
  const onLoose = (error) => loose.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.on('unhandledRejection', onLoose).on('uncaughtException', onLoose);
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
  process.off('unhandledRejection', onLoose).off('uncaughtException', onLoose);
  const results = testResults.map(describeResult);
  const count = (status) => results.filter((one) => one.status === status).length;
  const outside = [...unhandledErrors, ...loose];
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
