import type { Role } from '../member.ts';

/** The acting member, as the server knows them. */
export type Who = {
  userId: number;
  accountId: number;
  name: string;
  email: string;
  emailVerified: boolean;
  roles: readonly Role[];
  isAdmin: boolean;
  /** The account has appointed a Clinical Safety Officer. */
  hasOfficer: boolean;
  /** A program acts in their name with an access token. What a person has to decide, it does not. */
  isProgram?: true;
};
