import type { Types } from 'mongoose';
import type { Role } from './member.ts';
import { entity } from './store/entity.ts';

/** An invitation to an account, bound to an e-mail. Read by its token before any account is known. */
export type InvitationRow = {
  _id: Types.ObjectId;
  accountId: number;
  email: string;
  roles: Role[];
  /** SHA-256 of the token; the token itself is in the link alone. */
  tokenHash: string;
  /** True where the link was mailed and shown to nobody else: only then does opening it verify the e-mail address. */
  mailed: boolean;
  invitedBy: number;
  /** The user who is accepting it: from then on nobody else can accept it, and it can't be withdrawn. */
  acceptedBy: number | null;
  /** When somebody joined with it: its link then says so. Absent or null while it is open. */
  usedAt?: Date | null;
  expiresAt: Date;
};

export const Invitation = entity<InvitationRow>({
  name: 'Invitation',
  collection: 'invitations',
  scope: 'system',
  fields: {
    _id: 'ObjectId',
    accountId: Number,
    email: String,
    roles: [String],
    tokenHash: String,
    mailed: { type: Boolean, default: false },
    invitedBy: Number,
    acceptedBy: { type: Number, default: null },
    usedAt: { type: Date, default: null },
    expiresAt: Date,
  },
  indexes: [
    [{ tokenHash: 1 }, { unique: true }],
    [{ accountId: 1, email: 1 }, { unique: true }],
    [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
  ],
});
