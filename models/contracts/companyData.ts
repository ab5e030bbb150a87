import { z } from 'zod';
import { endpoint, isoDate } from './endpoint.ts';

const companyExport = z.object({
  id: z.string(),
  status: z.enum(['preparing', 'ready', 'failed']),
  askedBy: z.string(),
  createdAt: isoDate,
  /** Documents written so far, and of how many; null before they were counted. */
  done: z.number().int(),
  total: z.number().int().nullable(),
  /** Once it is ready: bytes of the file, and until when it is kept. */
  size: z.number().int().nullable(),
  expiresAt: isoDate.nullable(),
});
export type CompanyExport = z.infer<typeof companyExport>;

export const listExports = endpoint({
  method: 'get',
  path: '/api/account/exports',
  summary: 'The newest exports of everything that Arc holds of the company, without those that are no longer kept',
  policy: 'owner',
  answer: z.object({ exports: z.array(companyExport) }),
});

export const askForExport = endpoint({
  method: 'post',
  path: '/api/account/exports',
  summary: 'Ask for an export of everything that Arc holds of the company; one that is being prepared is given instead',
  policy: 'owner',
  rate: 'accountExports',
  status: 202,
  answer: z.object({ export: companyExport }),
});

/** Where an export is downloaded. */
export const exportPath = (id: string): string => `/api/account/exports/${id}/file`;

export const downloadExport = endpoint({
  method: 'get',
  path: '/api/account/exports/:id/file',
  summary: 'The file of an export: gzipped JSON lines. Each download is in the company’s audit',
  policy: 'owner',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) }),
  answerType: 'file',
});

const person = z.object({ name: z.string(), email: z.string() });

const erasurePlan = z.object({
  companyName: z.string(),
  /** Other owners: while there are any, nobody erases the company alone. */
  otherOwners: z.array(person),
  /** The other members, who lose it too; they can still sign in, to a company of their own. */
  others: z.array(person),
  /** Names of what is connected: access is revoked there. */
  connections: z.array(z.string()),
  /** The plan that is paid for and ends; null where none is. */
  plan: z.string().nullable(),
  /** Whether the person’s own sign-in goes too: this is their only company. */
  isPersonErased: z.boolean(),
  /** Whether the person confirms with a password; without one, with a fresh sign-in. */
  hasPassword: z.boolean(),
});
export type ErasurePlan = z.infer<typeof erasurePlan>;

export const readErasurePlan = endpoint({
  method: 'get',
  path: '/api/account/erasure',
  summary: 'What erasing the company would delete, and whom it affects',
  policy: 'owner',
  answer: erasurePlan,
});

export const eraseCompany = endpoint({
  method: 'post',
  path: '/api/account/erasure',
  summary: 'Erase the company and everything that Arc holds of it. This can’t be undone',
  policy: 'owner',
  rate: 'password',
  body: z.object({
    /** The company’s name or the person’s e-mail, as a confirmation. */
    typed: z.string().max(320),
    /** The person’s own; absent for those who have none and have just signed in. */
    password: z.string().max(200).optional(),
  }),
  answer: z.object({
    success: z.literal(true),
    /** Providers that did not confirm that access was revoked. */
    notRevoked: z.array(z.string()),
    /** Whether a paid plan has to be ended at the payment provider, as this server has no keys for it. */
    isPlanLeft: z.boolean(),
  }),
});
