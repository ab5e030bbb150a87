/** Every limit, rate and constant of the product that more than one place must agree on. */
export const LIMITS = {
  trialDays: 14,
  trialWarningDays: 3,
  goal: { min: 10, max: 500 },
  uploadBytes: 10 * 1024 * 1024,
  /** What the sandbox workspace of an account holds. */
  documents: { count: 100, bytes: 200 * 1024 * 1024 },
  chatMessage: 8000,
  passwordMin: 8,
  code: { length: 6, minutes: 15, tries: 5 },
  inboxPageSize: 3,
  badgeMax: 9,
  historyDefault: 50,
  historyMax: 200,
  credits: { signUp: 50_000, step: 10, low: 1000, running: 10_000, note: 5000 },
  toastMilliseconds: 5000,
  retentionDays: 90,
} as const;

/**
 * Requests allowed per window and key; `RATE_LIMIT_FACTOR` multiplies each. Of signing in only what failed counts: for
 * one e-mail from one address; for the e-mail from wherever; and, much higher because a company shares one, for the
 * address. A browser that the e-mail has signed in from before is counted by itself alone.
 */
export const RATES = {
  signIn: { limit: 10, seconds: 15 * 60 },
  signInEmail: { limit: 50, seconds: 15 * 60 },
  signInAddress: { limit: 200, seconds: 15 * 60 },
  signUp: { limit: 10, seconds: 60 * 60 },
  code: { limit: 10, seconds: 15 * 60 },
  upload: { limit: 60, seconds: 60 },
  chat: { limit: 120, seconds: 60 },
  collaborate: { limit: 20, seconds: 60 * 60 },
  everything: { limit: 1200, seconds: 60 },
} as const;
export type RateName = keyof typeof RATES;

/** How often a page polls, in milliseconds, where no socket message came first (specification 2, section 9). */
export const POLLS = {
  history: 5000,
  inbox: 5000,
  badge: 3000,
  panelInterrupts: 3000,
  agentRecord: 2000,
  hazardAnalysis: 5000,
  toolStatus: 30_000,
  jobs: 30_000,
  status: 30_000,
} as const;
