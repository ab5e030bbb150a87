import { entity } from './store/entity.ts';

/** A mailed code that has not been used: hashed, single-use, 15 minutes, five tries. */
export type VerificationRow = {
  purpose: 'sign-up' | 'reset';
  email: string;
  codeHash: string;
  tries: number;
  expiresAt: Date;
  /** With sign-up: what the account is made of; the password is a hash already. */
  pending: { passwordHash: string; firstName: string | null; lastName: string | null } | null;
};

export const Verification = entity<VerificationRow>({
  name: 'Verification',
  collection: 'verifications',
  scope: 'system',
  fields: {
    purpose: String,
    email: String,
    codeHash: String,
    tries: { type: Number, default: 0 },
    expiresAt: Date,
    pending: { type: Object, default: null },
  },
  indexes: [
    [{ purpose: 1, email: 1 }, { unique: true }],
    [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
  ],
});
