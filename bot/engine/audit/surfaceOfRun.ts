import { CHANNEL_NAMES, wordsSurfaceOf } from '../../../models/contracts/channels.ts';
import type { Surface } from '../../../models/contracts/surface.ts';
import type { RunRow } from '../../../models/run.ts';

/** Prefix of the start keys of scheduled runs. */
export const SCHEDULE_KEY = 'automation:';

/** Where a run was started, for the audit: by a schedule, on a channel, or by a call. */
export function surfaceOfRun({ startKey, channel }: Pick<RunRow, 'startKey' | 'channel'>): 'schedule' | Surface {
  if (startKey.startsWith(SCHEDULE_KEY)) return 'schedule';
  const name = CHANNEL_NAMES.find((one) => one === channel);
  return name ? wordsSurfaceOf(name) : 'api';
}
