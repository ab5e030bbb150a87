/** What pages say of a run: its stored `ready` is `running`. */
export const SHOWN_RUN_STATUSES = ['running', 'waiting', 'completed', 'failed', 'cancelled'] as const;
export type ShownRunStatus = (typeof SHOWN_RUN_STATUSES)[number];
