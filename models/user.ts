import { entity } from './store/entity.ts';

/** A person who can sign in. */
export type UserRow = {
  _id: number;
  email: string;
  /** True once a mailed code, a mailed invitation or a login provider has proved the address. */
  emailVerified: boolean;
  /** The latest proof. ADMIN_EMAILS requires a code. */
  verifiedBy: 'code' | 'invitation' | 'provider' | null;
  passwordHash: string | null;
  firstName: string | null;
  lastName: string | null;
  /** Granted by `npm run admin` or ADMIN_EMAILS. */
  isAdmin: boolean;
  /** Sessions started before this time are invalid. */
  sessionsValidFrom: Date;
  /** The last account they used; the next login opens it. */
  lastAccountId?: number | null;
  /** When a mail server refused the address for good: notices stop. Absent or null where it takes mails. */
  mailRefusedAt?: Date | null;
  createdAt: Date;
};

export const User = entity<UserRow>({
  name: 'User',
  collection: 'users',
  scope: 'system',
  fields: {
    _id: Number,
    email: { type: String, required: true },
    emailVerified: { type: Boolean, default: false },
    verifiedBy: { type: String, default: null },
    passwordHash: { type: String, default: null },
    firstName: { type: String, default: null },
    lastName: { type: String, default: null },
    isAdmin: { type: Boolean, default: false },
    sessionsValidFrom: { type: Date, default: () => new Date(0) },
    lastAccountId: { type: Number, default: null },
    mailRefusedAt: { type: Date, default: null },
    createdAt: { type: Date, default: Date.now },
  },
  // The latter two are for the list that administrators read.
  indexes: [[{ email: 1 }, { unique: true }], [{ createdAt: 1, _id: 1 }], [{ isAdmin: 1 }]],
});

/** First and last name, else the first, else the e-mail. */
export function displayName(user: Pick<UserRow, 'firstName' | 'lastName' | 'email'>): string {
  if (user.firstName && user.lastName) return `${user.firstName} ${user.lastName}`;
  return user.firstName || user.email;
}
