import type { Types } from 'mongoose';
import type { Sealed } from './store/encrypted.ts';
import { entity } from './store/entity.ts';

/** What a server says about one of its tools. `schema` and `annotations` are JSON with sorted keys. */
export type Declaration = { title: string; description: string; schema: string; annotations: string; digest: string };

/** A tool of a server: as the server declares it, and as an owner allowed it; null while it was never allowed. */
export type ServerToolRow = { name: string; declared: Declaration; allowed: Declaration | null; isOn: boolean };

/** An MCP server whose tools agents of the account may use. */
export type ToolServerRow = {
  _id: Types.ObjectId;
  accountId: number;
  name: string;
  url: string;
  /** The encrypted bearer token that the server asks for; null where it asks for none. */
  secret: Sealed | null;
  /** Whether the owner declared that the server is in the UK. */
  isInUk: boolean;
  /** The hired agents that may use its tools. */
  userAgentIds: number[];
  tools: ServerToolRow[];
  /** Tools of the server that exceed a limit, so that they can't be used. */
  leftOut: number;
  addedBy: number;
  createdAt: Date;
  /** When its tools were last read. */
  checkedAt: Date;
  /** Grows with each change of its tools, so that none is lost. */
  revision: number;
};

const text = { type: String, default: '' };
const declaration = { title: text, description: text, schema: text, annotations: text, digest: String };

export const ToolServer = entity<ToolServerRow>({
  name: 'ToolServer',
  collection: 'toolServers',
  scope: 'customer',
  fields: {
    _id: 'ObjectId',
    name: String,
    url: String,
    secret: { type: Object, default: null },
    isInUk: { type: Boolean, default: false },
    userAgentIds: [Number],
    tools: [
      {
        _id: false,
        name: String,
        declared: { ...declaration },
        allowed: { type: Object, default: null },
        isOn: Boolean,
      },
    ],
    leftOut: { type: Number, default: 0 },
    addedBy: Number,
    createdAt: { type: Date, default: Date.now },
    checkedAt: { type: Date, default: Date.now },
    revision: { type: Number, default: 0 },
  },
  indexes: [[{ accountId: 1, createdAt: 1 }]],
});
