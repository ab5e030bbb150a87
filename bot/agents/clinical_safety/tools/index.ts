import type { Tool } from '../../../engine/thinking/tool.ts';
import { explainStandard, findKinds } from './knowledge.ts';
import { describeItem, queryRecords } from './records.ts';
import { scheduleAnalysis } from './schedule.ts';

/** What the agent may use while it thinks. */
export const TOOLS: readonly Tool[] = [queryRecords, describeItem, findKinds, explainStandard, scheduleAnalysis];
