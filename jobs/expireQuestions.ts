import { expireQuestions as expire } from '../bot/engine/outside/endQuestions.ts';
import type { Job } from './job.ts';

/** Withdraws questions of programs that nobody answered in time. */
export const expireQuestions: Job = {
  name: 'expireQuestions',
  every: '1 minute',
  run: () => expire(),
};
