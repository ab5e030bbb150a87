import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { threadMilliseconds } from '../../../../bot/agents/clinical_safety/reading/threadClock.ts';

const processMilliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

test('the processor time of a thread grows as it works', () => {
  const [thread, whole] = [threadMilliseconds(), processMilliseconds()];
  while (processMilliseconds() - whole < 60);
  const used = threadMilliseconds() - thread;
  expect(used).toBeGreaterThan(20);
  expect(used).toBeLessThan(120);
  expect(thread).toBeGreaterThan(0);
});

const knowsThreads = process.platform === 'linux' || 'threadCpuUsage' in process;
(knowsThreads ? test : test.skip)('it stands still while another thread works', async () => {
  const isDone = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { workerData } = require('node:worker_threads');
    const end = performance.now() + 150;
    while (performance.now() < end);
    Atomics.store(workerData, 0, 1);
    Atomics.notify(workerData, 0);`,
    { eval: true, workerData: isDone },
  );
  const [thread, wall] = [threadMilliseconds(), performance.now()];
  Atomics.wait(isDone, 0, 0);
  expect(performance.now() - wall).toBeGreaterThan(100);
  expect(threadMilliseconds() - thread).toBeLessThan(75);
  await worker.terminate();
});
