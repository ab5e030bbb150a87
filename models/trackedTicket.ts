import { entity } from './store/entity.ts';

/** A ticket as it was last read from its tracker. */
type TrackedTicketRow = {
  accountId: number;
  connector: string;
  key: string;
  summary: string;
  description: string;
  type: string;
  labels: string[];
  status: string;
  url: string;
  changedAt: Date;
  /** The number of the reading that saw it last. */
  seenIn: number;
};

export const TrackedTicket = entity<TrackedTicketRow>({
  name: 'TrackedTicket',
  collection: 'trackedTickets',
  scope: 'customer',
  fields: {
    connector: String,
    key: String,
    summary: String,
    description: String,
    type: String,
    labels: [String],
    status: String,
    url: String,
    changedAt: Date,
    seenIn: Number,
  },
  indexes: [[{ accountId: 1, connector: 1, key: 1 }, { unique: true }]],
});
