/** Every limit, rate and constant of the product that more than one place must agree on. */
export const LIMITS = {
  /** Bounds of one run of an agent that thinks with a language model. */
  thinking: {
    modelCalls: 8,
    tokens: 60_000,
    seconds: 120,
    answerTokens: 4000,
    resultCharacters: 12_000,
    contextCharacters: 60_000,
  },
  /** Agents that ask each other: how many times in a chain, and how long one waits for another. */
  asking: { depth: 2, seconds: 90 },
  /**
   * What a model is asked in an analysis: to choose among candidates. Tokens are those of one analysis; characters are
   * those of one text to choose for, of one candidate, and of one call.
   */
  choosing: {
    candidates: 5,
    itemsPerCall: 8,
    tokens: 60_000,
    seconds: 60,
    itemCharacters: 1600,
    candidateCharacters: 500,
    callCharacters: 20_000,
  },
  /**
   * What a model is asked to draft proposals from in an analysis. Tokens are those of one analysis; characters are
   * those of one ticket, of one call, and of one text of a draft.
   */
  drafting: {
    ticketsPerCall: 8,
    draftsPerCall: 4,
    tokens: 40_000,
    seconds: 60,
    ticketCharacters: 1600,
    callCharacters: 16_000,
    textCharacters: 600,
  },
  trialDays: 14,
  trialWarningDays: 3,
  goal: { min: 10, max: 500 },
  uploadBytes: 10 * 1024 * 1024,
  /**
   * Limit for .xls and XML Spreadsheet 2003: a library parses these in one synchronous call, so size is the only bound
   * on time.
   */
  legacyWorkbookBytes: 1024 * 1024,
  /** Most characters of a value in the decision on a row: a cell of a workbook has room for as many. */
  rowValue: 32_767,
  /** Most documents and bytes in an account's sandbox workspace. */
  documents: { count: 100, bytes: 200 * 1024 * 1024 },
  /** Most bytes of files that an account's agents have accepted and that are still kept. */
  uploads: { bytes: 200 * 1024 * 1024 },
  /** Most access tokens of a company, and characters of a token's name. */
  accessTokens: { count: 20, name: 60 },
  /** Comments on a question, and characters of one. */
  questionComments: { count: 50, characters: 2000 },
  /** Most read-only links of a company, and days that one works. */
  sharedLinks: { count: 50, days: { least: 1, usual: 30, most: 90 } },
  /**
   * MCP servers that a company allows, their names, addresses, secrets and tools in characters, one answer of a server
   * in bytes, and one use of a tool in seconds.
   */
  toolServers: {
    count: 10,
    name: 60,
    url: 2000,
    secret: 4000,
    tools: 40,
    toolName: 128,
    description: 2000,
    schema: 8000,
    bytes: 512 * 1024,
    seconds: 20,
  },
  /**
   * What is read from connected tools: characters of a text that says what to read, options to choose from, tickets of
   * one tracker, and characters of one ticket's description.
   */
  connectors: { scopeText: 500, options: 2000, tickets: 20_000, description: 6000 },
  /** Rows that are read at once from a tool of customer relations, and pages in which they are looked for. */
  crm: { rows: 2000, pages: 100 },
  /** Questions that programs ask with an access token; texts in characters. */
  outside: {
    prompt: 2000,
    description: 4000,
    options: 20,
    option: 100,
    points: 10,
    key: 200,
    webhook: 2000,
    /** Most questions of one token that wait for an answer, and most calls of one token that wait at once. */
    pending: 200,
    waiting: 20,
    waitSeconds: 50,
    expirySeconds: { least: 60, usual: 7 * 86_400, most: 30 * 86_400 },
    listed: 50,
    bodyBytes: 256 * 1024,
  },
  /** Addresses in one report of mails that came back, and bytes of a raw one. */
  bounces: { recipients: 100, bytes: 1024 * 1024 },
  chatMessage: 8000,
  /** Characters of an agent's objective. */
  objective: 8000,
  passwordMin: 8,
  /** Open sockets of one session: a tab has one. */
  socketsPerSession: 30,
  code: { length: 6, minutes: 15, tries: 5 },
  inboxPageSize: 3,
  badgeMax: 9,
  historyDefault: 50,
  historyMax: 200,
  /** Conversations that one person keeps in arc-chat, and characters of a title, given or taken from the first message. */
  threads: { count: 200, title: 80 },
  /** Characters of a search over everything, and results of each kind. */
  search: { min: 2, max: 100, ofKind: 6 },
  /** Characters of the reason for a thumb. */
  feedbackReason: 1000,
  credits: { signUp: 50_000, step: 10, low: 1000, running: 10_000, note: 5000 },
  /**
   * Minutes of the company's working hours until people are reminded of an open question, and until it is escalated to
   * the deputy. `urgent` applies to questions that need the answer of a certain role.
   */
  reminders: {
    urgent: { remind: 4 * 60, escalate: 8 * 60 },
    usual: { remind: 8 * 60, escalate: 24 * 60 },
  },
  toastMilliseconds: 5000,
  /** Work that crashed the process this often becomes a dead letter, and whoever asked for it is told. */
  crashes: 3,
  retentionDays: 90,
  /** Days for which the file with everything of a company can be downloaded, and the newest that are listed. */
  accountExports: { days: 7, listed: 10 },
  /** Most rows of the audit chain in a release file. */
  releaseRows: 50_000,
  /** Seconds that a signed webhook may be old, and days that the provider lists its events. */
  payments: { signatureSeconds: 300, listedDays: 30 },
} as const;

/**
 * What a rate counts by. `token`: the access token. `caller`: the user, or the IP address where nobody is signed in. `target`: the e-mail that a
 * call names (or that its invitation is for), from any address. `sign-in`: the e-mail together with the IP address.
 */
export type RateKey = 'token' | 'caller' | 'account' | 'address' | 'target' | 'sign-in';

/**
 * Requests allowed per window and key; `RATE_LIMIT_FACTOR` multiplies each. Sign-in counts failures only: per e-mail
 * and address, per e-mail, and per address (higher, because a company shares one). A browser that the e-mail has signed
 * in from before has a counter of its own. Calls with the same rate share its counters.
 */
export const RATES = {
  signIn: { limit: 10, seconds: 15 * 60, by: 'sign-in' },
  signInEmail: { limit: 50, seconds: 15 * 60, by: 'target' },
  signInAddress: { limit: 200, seconds: 15 * 60, by: 'address' },
  /** Counted by address even when signed in, because each sign-up starts a new session. */
  signUp: { limit: 10, seconds: 60 * 60, by: 'address' },
  /** Mails that anybody can trigger for an address: confirmation and reset codes. */
  mailTarget: { limit: 5, seconds: 60 * 60, by: 'target' },
  mailAddress: { limit: 30, seconds: 60 * 60, by: 'address' },
  /** Attempts with codes and tokens. */
  code: { limit: 20, seconds: 15 * 60, by: 'address' },
  codeTarget: { limit: 20, seconds: 15 * 60, by: 'target' },
  /** Attempts with the current password by somebody who is signed in. */
  password: { limit: 10, seconds: 15 * 60, by: 'caller' },
  /** Logins begun at a provider; each stores a state and a session. */
  providerLogin: { limit: 200, seconds: 15 * 60, by: 'address' },
  /** Tokens for a page shown in a platform's frame. */
  tabToken: { limit: 120, seconds: 60, by: 'address' },
  /** Invitations of one company, and those to one e-mail. */
  invite: { limit: 60, seconds: 60 * 60, by: 'account' },
  inviteTarget: { limit: 20, seconds: 60 * 60, by: 'target' },
  /** Access tokens made by one company. */
  accessTokens: { limit: 30, seconds: 60 * 60, by: 'account' },
  /** Read-only links made by one company, and openings from one address. */
  sharedLinks: { limit: 30, seconds: 60 * 60, by: 'account' },
  sharedOpen: { limit: 60, seconds: 15 * 60, by: 'address' },
  /** Exports of everything that one company asks for. */
  accountExports: { limit: 10, seconds: 60 * 60, by: 'account' },
  /** Calls that make Arc ask a company's MCP servers. */
  toolServers: { limit: 60, seconds: 60 * 60, by: 'account' },
  /** Calls with one access token, and refused tokens from one address. */
  token: { limit: 300, seconds: 60, by: 'token' },
  badToken: { limit: 30, seconds: 15 * 60, by: 'address' },
  /** Requests to stop mails from one address; a mail program sends a single one. */
  unsubscribe: { limit: 60, seconds: 15 * 60, by: 'address' },
  /** Reports of mails that came back, and tries at their token. */
  mailBounces: { limit: 300, seconds: 60, by: 'address' },
  upload: { limit: 60, seconds: 60, by: 'caller' },
  uploadAccount: { limit: 120, seconds: 60, by: 'account' },
  /** Messages in arc-chat, by call or by socket. */
  chat: { limit: 120, seconds: 60, by: 'caller' },
  chatAccount: { limit: 600, seconds: 60, by: 'account' },
  /** Searches over everything: one for each pause in typing. */
  search: { limit: 120, seconds: 60, by: 'caller' },
  collaborate: { limit: 20, seconds: 60 * 60, by: 'caller' },
  /** Runs of an agent's sample by visitors. */
  sample: { limit: 20, seconds: 60 * 60, by: 'caller' },
  everything: { limit: 1200, seconds: 60, by: 'caller' },
} as const satisfies Record<string, { limit: number; seconds: number; by: RateKey }>;
export type RateName = keyof typeof RATES;

/** Polling intervals in milliseconds; a socket message refreshes sooner (docs/spec-coverage.md, S2 section 9). */
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
