import { expireFiles } from './expireFiles.ts';
import { expireQuestions } from './expireQuestions.ts';
import { finishErasures } from './finishErasures.ts';
import { grantPlanCredits } from './grantPlanCredits.ts';
import type { Job } from './job.ts';
import { logAuditHeads } from './logAuditHeads.ts';
import { mailDigests } from './mailDigests.ts';
import { mailPlanEnds } from './mailPlanEnds.ts';
import { remindOfQuestions } from './remindOfQuestions.ts';
import { replayPayments } from './replayPayments.ts';
import { reviewSchedules } from './reviewSchedules.ts';
import { startAutomations } from './startAutomations.ts';
import { sweepBytes } from './sweepBytes.ts';
import { sweepWork } from './sweepWork.ts';
import { syncConnectedDocuments } from './syncConnectedDocuments.ts';
import { tellEndedTrials } from './tellEndedTrials.ts';

/** Every job of the product. */
export const JOBS: readonly Job[] = [
  sweepWork,
  startAutomations,
  expireFiles,
  expireQuestions,
  sweepBytes,
  logAuditHeads,
  tellEndedTrials,
  reviewSchedules,
  mailDigests,
  mailPlanEnds,
  grantPlanCredits,
  remindOfQuestions,
  syncConnectedDocuments,
  replayPayments,
  finishErasures,
];
