import type { Types } from 'mongoose';
import { entity } from './store/entity.ts';

/** Something that an agent made and that people look at as a page: an application, a prototype. */
export type ProjectRow = {
  _id: number;
  accountId: number;
  userAgentId: number;
  agentId: string;
  runId: Types.ObjectId;
  /** What made it: the same key gives the same project. */
  key: string;
  name: string;
  objective: string;
  status: string;
  /** The page to look at: one file that needs no other. */
  previewFileId: Types.ObjectId;
  /** Its files by name, each with what tells it from the others. */
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
