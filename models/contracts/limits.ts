/** Every limit, rate and constant of the product that more than one place must agree on. */
export const LIMITS = {
  trialDays: 14,
  trialWarningDays: 3,
  goal: { min: 10, max: 500 },
  uploadBytes: 10 * 1024 * 1024,
  /** An .xls or XML Spreadsheet 2003: a library reads these in one go, so only their size bounds the time. */
  legacyWorkbookBytes: 1024 * 1024,
  /** What the sandbox workspace of an account holds. */
  documents: { count: 100, bytes: 200 * 1024 * 1024 },
  /** Files of an account that agents took and that are kept at one time. */
  uploads: { bytes: 200 * 1024 * 1024 },
  chatMessage: 8000,
  /** Characters of what an agent is to do. */
  objective: 8000,
  passwordMin: 8,
  /** Open sockets of one session: a tab has one. */
  socketsPerSession: 30,
  code: { length: 6, minutes: 15, tries: 5 },
  inboxPageSize: 3,
  badgeMax: 9,
  historyDefault: 50,
  historyMax: 200,
  credits: { signUp: 50_000, step: 10, low: 1000, running: 10_000, note: 5000 },
  toastMilliseconds: 5000,
  /** Work that has taken the process down this often is set aside, and whoever asked for it is told. */
  crashes: 3,
  retentionDays: 90,
} as const;

/**
 * What a rate counts by. `caller`: the person, or the address where nobody is signed in. `target`: the e-mail that a
 * call names, or that its invitation is for, from wherever it comes. `sign-in`: the e-mail from one address.
 */
export type RateKey = 'caller' | 'account' | 'address' | 'target' | 'sign-in';

/**
 * Requests allowed per window and key; `RATE_LIMIT_FACTOR` multiplies each. Of signing in only what failed counts: for
 * one e-mail from one address; for the e-mail from wherever; and, much higher because a company shares one, for the
 * address. A browser that the e-mail has signed in from before is counted by itself alone. Calls that name the same
 * rate share its counters.
 */
export const RATES = {
  signIn: { limit: 10, seconds: 15 * 60, by: 'sign-in' },
  signInEmail: { limit: 50, seconds: 15 * 60, by: 'target' },
  signInAddress: { limit: 200, seconds: 15 * 60, by: 'address' },
  /** Signing up. By address also where somebody is signed in: each sign-up begins a new session. */
  signUp: { limit: 10, seconds: 60 * 60, by: 'address' },
  /** Mails that a stranger can have sent to somebody: confirmation and reset codes. */
  mailTarget: { limit: 5, seconds: 60 * 60, by: 'target' },
  mailAddress: { limit: 30, seconds: 60 * 60, by: 'address' },
  /** Codes and tokens that are tried. */
  code: { limit: 20, seconds: 15 * 60, by: 'address' },
  codeTarget: { limit: 20, seconds: 15 * 60, by: 'target' },
  /** Short tokens of a page that stands in a platform's frame. */
  tabToken: { limit: 120, seconds: 60, by: 'address' },
  /** Invitations of one company, and those to one e-mail. */
  invite: { limit: 60, seconds: 60 * 60, by: 'account' },
  inviteTarget: { limit: 20, seconds: 60 * 60, by: 'target' },
  upload: { limit: 60, seconds: 60, by: 'caller' },
  uploadAccount: { limit: 120, seconds: 60, by: 'account' },
  /** What is said in arc-chat, by call or by socket. */
  chat: { limit: 120, seconds: 60, by: 'caller' },
  chatAccount: { limit: 600, seconds: 60, by: 'account' },
  collaborate: { limit: 20, seconds: 60 * 60, by: 'caller' },
  everything: { limit: 1200, seconds: 60, by: 'caller' },
} as const satisfies Record<string, { limit: number; seconds: number; by: RateKey }>;
export type RateName = keyof typeof RATES;

/** How often a page polls, in milliseconds, where no socket message came first (specification 2, section 9). */
export const POLLS = {
  history: 5000,
  inbox: 5000,
  badge: 3000,
  panelInterrupts: 3000,
  agentRecord: 2000,
  result: 5000,
  toolStatus: 30_000,
  jobs: 30_000,
  status: 30_000,
} as const;
