import type { Document } from 'mongodb';

/** A migration from one schema version to the next. */
export type Migration = {
  /** What changes, for the log. */
  title: string;
  /**
   * Returns the migrated row, with its `_id`. Must be pure: after a crash it runs again for rows that were not written.
   */
  change(row: Document): Document;
};
