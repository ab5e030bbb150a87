import { useSWRConfig } from 'swr';
import {
  changeReadingProfile,
  listReadingProfiles,
  type ReadingProfile,
} from '../../../../models/contracts/clinical_safety/readingProfiles.ts';
import type { BodyOf } from '../../../../models/contracts/endpoint.ts';
import { call, urlOf } from '../../../data/call.ts';
import { useCall } from '../../../data/useCall.ts';

/** Where the page is. */
export const PROFILES_PATH = 'reading';
export const PROFILES_URL = `/agents/clinical_safety/${PROFILES_PATH}`;
export const PROFILES_TITLE = 'How your logs are read';

/** How the company's hazard logs are read, the latest first. */
export const useReadingProfiles = () => useCall(listReadingProfiles, {});

/** Returns a function that changes a profile and reads the list again. */
export function useProfileChange() {
  const { mutate } = useSWRConfig();
  return async (
    { id, version }: Pick<ReadingProfile, 'id' | 'version'>,
    change: Omit<BodyOf<typeof changeReadingProfile>, 'version'>,
  ): Promise<ReadingProfile> => {
    try {
      return await call(changeReadingProfile, { params: { id }, body: { ...change, version } });
    } finally {
      await mutate(urlOf(listReadingProfiles, {}));
    }
  };
}
