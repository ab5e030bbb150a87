/** A recurring job; `name` equals the file's name and is stored by agenda. */
export type Job = {
  name: string;
  /** agenda interval ("15 seconds") or cron expression. */
  every: string;
  run(): Promise<unknown>;
};
