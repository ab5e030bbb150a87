import { entity } from './store/entity.ts';

/** A mailed code that has not been used: stored as a hash, single use, 15 minutes, five attempts. */
export type VerificationRow = {
  purpose: 'sign-up' | 'reset';
  email: string;
  codeHash: string;
  tries: number;
  expiresAt: Date;
  /** Sign-up only: the data to create the account from; the password is already hashed. */
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
