import { parentPort } from 'node:worker_threads';
import { HazardFileError } from './errors.ts';
import type { JobReply, JobRequest } from './jobs.ts';

const port = parentPort;
if (!port) throw new Error('This file is the entry point of a worker thread.');

port.on('message', (request: JobRequest) => {
  const reply: JobReply = {
    id: request.id,
    kind: 'failed',
    code: new HazardFileError('worker_failed', '').code,
    message: 'Not yet built.',
  };
  port.postMessage(reply);
});
