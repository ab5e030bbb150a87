import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr';
import type { AnswerOf } from '../../models/contracts/endpoint.ts';
import { type AnyEndpoint, call, type Input, urlOf } from './call.ts';

/** SWR options of every read: no retry, no refetch on focus (docs/spec-coverage.md, S1 sections 7 and 9). */
export const readingRules: SWRConfiguration = {
  shouldRetryOnError: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: true,
  keepPreviousData: false,
  // Shorter than the shortest poll, or SWR would drop the first poll as a duplicate of the first read.
  dedupingInterval: 1000,
};

/**
 * Reads a call and keeps it current: by its poll in milliseconds, and when the server reports a change.
 * @param options `after`: what each read waits for
 */
export function useCall<E extends AnyEndpoint>(
  endpoint: E,
  input: Pick<Input<E>, 'params' | 'query'> | null,
  options: { poll?: number; after?: () => Promise<void> } = {},
): SWRResponse<AnswerOf<E>, Error> {
  return useSWR<AnswerOf<E>, Error>(
    input === null ? null : urlOf(endpoint, input),
    async () => {
      await options.after?.();
      return call(endpoint, { ...input });
    },
    options.poll === undefined ? {} : { refreshInterval: options.poll },
  );
}
