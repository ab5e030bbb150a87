import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
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

addEventHandler(addMissingAssertions);

const nameOf = (test) => {
  const names = [test.name];
  for (let block = test.parent; block?.parent; block = block.parent) names.unshift(block.name);
  return names.join(' ');
};

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
 * @param onFailure is told the name of each test that fails, when it does
 * @returns a part of Jest's TestResult, `memory`, the bytes that the process holds then, and `processor`, the
 * milliseconds that it had of one; the store that all files share is not in them
 */
export async function runFile(path, { testNamePattern, rootDir, onFailure }) {
  const start = Date.now();
  const before = processorTime();
  const loose = [];
  const onLoose = (error) => loose.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.on('unhandledRejection', onLoose).on('uncaughtException', onLoose);
  resetState();
  setState({ ...getState(), testNamePattern: testNamePattern ? new RegExp(testNamePattern, 'i') : null });
  if (onFailure) {
    addEventHandler(({ name, test }) => {
      if (name === 'test_done' && test.errors.length > 0) onFailure(nameOf(test));
    });
  }
  expect.setState({ testPath: path, snapshotState: undefined });
  const { testResults, unhandledErrors } = await import(`${pathToFileURL(path).href}?read=${start}`).then(
    run,
    (error) => ({
      testResults: [],
      unhandledErrors: [error.stack ?? String(error)],
    }),
  );
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
