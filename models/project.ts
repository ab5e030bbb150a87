import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';

/** Output of an agent that people open as a page: an application or a prototype. */
export type ProjectRow = {
  _id: number;
  accountId: number;
  userAgentId: number;
  agentId: string;
  runId: Types.ObjectId;
  /** Idempotency key: storing with the same key returns the existing project. */
  key: string;
  name: string;
  objective: string;
  status: string;
  /** The preview page, one self-contained HTML file. */
  previewFileId: Types.ObjectId;
  /** The project's files; `about` describes each, e.g. state, theme and width. */
  files: { name: string; about: Record<string, string> }[];
  createdAt: Date;
};

export const Project = entity<ProjectRow>({
  name: 'Project',
  collection: 'projects',
  scope: 'customer',
  fields: {
    _id: Number,
    userAgentId: Number,
    agentId: String,
    runId: 'ObjectId',
    key: String,
    name: String,
    objective: String,
    status: String,
    previewFileId: 'ObjectId',
    files: { type: [Object], default: [] },
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [[{ accountId: 1, key: 1 }, { unique: true }], [{ accountId: 1, userAgentId: 1, _id: -1 }]],
});
