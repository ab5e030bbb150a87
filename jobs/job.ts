/** A piece of work that the queue does by itself: its name is its file's. */
export type Job = {
  name: string;
  /** agenda interval or cron. */
  every: string;
  run(): Promise<unknown>;
};
