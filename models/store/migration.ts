import type { Document } from 'mongodb';

/** How a row of one version of its schema becomes one of the next. */
export type Migration = {
  /** What becomes different, for the log. */
  title: string;
  /** The row as it is from then on, with its `_id`. Pure: after a crash it is asked again for rows that were not written. */
  change(row: Document): Document;
};
