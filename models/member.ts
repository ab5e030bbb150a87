import type { QuestionMail } from './contracts/preferences.ts';
import { entity } from './store/entity.ts';

export const ROLES = ['owner', 'member', 'approver', 'clinical-safety-officer', 'deputy'] as const;
export type Role = (typeof ROLES)[number];

/** A user's membership of an account. System scope: it is read to find the account of a session. */
export type MemberRow = {
  accountId: number;
  userId: number;
  roles: Role[];
  /** When mails on questions are sent; the usual choice where absent. */
  questionMail?: QuestionMail;
  /** Questions that were asked before this time have been mailed. Absent before the first mail. */
  mailedTo?: Date | null;
  createdAt: Date;
};

export const Member = entity<MemberRow>({
  name: 'Member',
  collection: 'members',
  scope: 'system',
  fields: {
    accountId: { type: Number, required: true },
    userId: { type: Number, required: true },
    roles: [String],
    questionMail: { type: String, default: undefined },
    mailedTo: { type: Date, default: null },
    createdAt: { type: Date, default: Date.now },
  },
  indexes: [[{ accountId: 1, userId: 1 }, { unique: true }], [{ userId: 1 }]],
});
