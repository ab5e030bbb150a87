import { Account } from '../models/account.ts';
import { auditTrail } from '../models/auditEvent.ts';
import { logger } from '../models/logger.ts';
import { runInAccount } from '../models/store/context.ts';
import type { Job } from './job.ts';

/** Logs the head of every account's audit chain daily, so that a rewritten chain can be detected from the log. */
export const logAuditHeads: Job = {
  name: 'logAuditHeads',
  every: '24 hours',
  async run() {
    for await (const { _id } of Account.find({}, { _id: 1 }).lean().cursor()) {
      const head = await runInAccount(_id, () => auditTrail.head(_id));
      if (head) logger.info({ account: _id, seq: head.seq, hash: head.hash }, 'audit head');
    }
  },
};
