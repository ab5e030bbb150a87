import { LIMITS } from './contracts/limits.ts';
import { entity } from './store/entity.ts';

/**
 * A use of a server's writing tool that has begun. Written before the call: a run that is repeated after a crash finds
 * it and does not call again.
 */
type ToolServerUseRow = {
  /** Idempotency key of the use. */
  _id: string;
  accountId: number;
  begunAt: Date;
};

export const ToolServerUse = entity<ToolServerUseRow>({
  name: 'ToolServerUse',
  collection: 'toolServerUses',
  scope: 'customer',
  fields: { _id: String, begunAt: { type: Date, default: Date.now } },
  indexes: [[{ begunAt: 1 }, { expireAfterSeconds: LIMITS.retentionDays * 86_400 }]],
});
