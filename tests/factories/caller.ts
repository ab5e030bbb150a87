import type { Call } from '../../bot/engine/calls/call.ts';
import type { Endpoint } from '../../models/contracts/endpoint.ts';
import type { Who } from '../../models/policies/who.ts';
import { runInAccount } from '../../models/store/context.ts';

/** Makes one of these calls as the edge does, after it has checked the contract. */
export const makeCaller =
  (calls: readonly Call[]) =>
  <Answer>(
    by: Who,
    endpoint: unknown,
    { params = {}, query = {}, body = {} }: { params?: object; query?: object; body?: object } = {},
  ) =>
    runInAccount(by.accountId, async () =>
      calls.find((one) => one.contract === (endpoint as Endpoint))?.handle({ who: by, params, query, body }),
    ) as Promise<Answer>;
