import useSWR, { type SWRConfiguration, type SWRResponse } from 'swr';
import type { AnswerOf } from '../../models/contracts/endpoint.ts';
import { type AnyEndpoint, call, type Input, urlOf } from './call.ts';

/** How every read behaves: no retry, no refetch on focus (specification 1, sections 7 and 9). */
export const readingRules: SWRConfiguration = {
  shouldRetryOnError: false,
  revalidateOnFocus: false,
  revalidateOnReconnect: true,
  keepPreviousData: false,
  // Below the shortest poll: the first one is counted from the beginning of the first read.
  dedupingInterval: 1000,
};

/** Reads a call and keeps it current: by its poll, and at once when the server says that its topic changed. */
export function useCall<E extends AnyEndpoint>(
  endpoint: E,
  input: Pick<Input<E>, 'params' | 'query'> | null,
  options: { poll?: number } = {},
): SWRResponse<AnswerOf<E>, Error> {
  return useSWR<AnswerOf<E>, Error>(
    input === null ? null : urlOf(endpoint, input),
    () => call(endpoint, { ...input }),
    options.poll === undefined ? {} : { refreshInterval: options.poll },
  );
}
