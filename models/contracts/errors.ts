import { z } from 'zod';
import { CLINICAL_SAFETY_ERRORS } from './clinical_safety/errors.ts';
import type { ErrorEntry } from './errorEntry.ts';

/**
 * Every error that may leave the product: code to HTTP status and plain text. Edges translate through
 * {@link toPublicError}; pages switch on the code, never on the text. A text may hold {placeholders}.
 */
export const ERRORS = {
  bad_request: { status: 400, text: 'Something that was sent is missing or invalid. Check it and try again.' },
  not_signed_in: { status: 401, text: 'Please sign in to continue.' },
  bad_credentials: { status: 401, text: 'Invalid email or password' },
  bad_token: { status: 401, text: 'The access token is missing, unknown, expired or revoked.' },
  scope_missing: {
    status: 403,
    text: 'This access token may not do that. It needs the scope {scope}; an owner can make a token that has it.',
  },
  key_reused: {
    status: 409,
    text: 'Another question was asked with this idempotency key. Use a new key for a new question.',
  },
  out_of_credit: {
    status: 402,
    text: 'There are not enough credits left for this. {remaining} remain and {needed} are needed; the account owner can add more.',
  },
  over_budget: {
    status: 402,
    text: 'This agent’s budget for the month does not cover this: {used} of {budget} credits are used and {needed} are needed. The account owner can change the budget under Billing; a new month begins with all of it.',
  },
  trial_over: {
    status: 402,
    text: 'The trial or plan has ended, so no new work starts. You can still read everything. See Billing for how to continue.',
  },
  plan_full: {
    status: 409,
    text: 'The agent limit of the plan {plan} is {agents}. Let an agent go, or choose a larger plan under Billing.',
  },
  grant_repeated: {
    status: 409,
    text: 'This request has added {amount} credits already, so nothing was added now. To add another amount, send it under a new request id.',
  },
  plan_stands: {
    status: 409,
    text: 'Your company has the plan {plan} already, so there is nothing to pay for. {next}',
  },
  plan_too_small: { status: 409, text: '{text}' },
  bad_signature: { status: 400, text: 'The signature of this message is missing, wrong or too old.' },
  other_person: {
    status: 412,
    text: 'Somebody else is now signed in on this browser, so nothing was done. Reload to continue with their account.',
  },
  needs_officer: {
    status: 403,
    text: 'This question waits for the Clinical Safety Officer. Only the officer or a deputy can answer it.',
  },
  few_signers: {
    status: 409,
    text: 'Two people have to sign the answers that need the officer, and after this {left} could: they would stay open. Give another member the deputy’s role first, or confirm to go on.',
  },
  signed_already: { status: 409, text: '{text}' },
  signature_needed: { status: 403, text: '{text}' },
  not_allowed: { status: 403, text: 'You do not have permission to do this.' },
  cross_site: { status: 403, text: 'This request came from another site and was refused.' },
  not_found: { status: 404, text: 'This does not exist, or it is not yours to see.' },
  invitation_used: {
    status: 410,
    text: 'This invitation was used: the person it was for has joined. If that was you, log in. Otherwise ask whoever invited you for a new invitation.',
  },
  link_over: {
    status: 404,
    text: 'This link does not work. It may have expired or been withdrawn. Ask whoever sent it for a new one.',
  },
  file_not_found: { status: 404, text: 'The file was not found.' },
  already_answered: { status: 409, text: '{text}' },
  conflict: { status: 409, text: 'Someone else changed this in the meantime. Reload to see the current state.' },
  agent_at_work: {
    status: 409,
    text: '{name} is still working, or waits for an answer. Answer or cancel first, then let {name} go.',
  },
  thread_at_work: {
    status: 409,
    text: 'An agent is still working in this conversation, or waits for an answer. Answer or cancel first, then delete it.',
  },
  too_many_threads: {
    status: 409,
    text: 'You have {count} conversations, the most that Arc keeps for one person. Delete one, then start a new one.',
  },
  review_begun: {
    status: 409,
    text: '{decided} in the review already, so nothing was sent and every decision is kept. Open the review to decide on the rest and send it.{rest}',
  },
  already_scheduled: {
    status: 409,
    text: 'The same work is scheduled for these times already, as “{name}”. Change that one, or choose other times.',
  },
  run_in_progress: {
    status: 409,
    text: 'Another {noun} is already running. Wait for it to finish, or cancel it first.',
  },
  review_open: { status: 409, text: '{text}' },
  review_not_yours: { status: 403, text: '{text}' },
  expired: {
    status: 410,
    text: 'This file is no longer kept. The analysis may have expired.',
  },
  export_over: {
    status: 410,
    text: 'This export is no longer kept. Ask for a new one.',
  },
  body_too_large: { status: 413, text: 'This is too much for one request. Please send less at once.' },
  broken_upload: { status: 400, text: 'The upload was interrupted or could not be read. Please send the file again.' },
  several_files: { status: 400, text: 'Please send one file at a time.' },
  too_large: { status: 413, text: 'Please select a file smaller than 10MB.' },
  invalid_file_type: { status: 415, text: 'Please select an Excel (.xlsx, .xls) or CSV file.' },
  invalid_document_type: {
    status: 415,
    text: 'Please select a PDF, Word, Excel, CSV, Markdown or text file. The content has to match the file’s extension.',
  },
  workspace_full: {
    status: 422,
    text: 'The sandbox workspace is full: it takes {count} documents and {megabytes} MB. Delete what is not needed, then add this again.',
  },
  uploads_full: {
    status: 422,
    text: 'The files that your company gave its agents take up {megabytes} MB, the most that Arc keeps. Each is deleted {days} days after it was added, the oldest on {day}. Until then say “analyse” to work on the files that are in the chat.',
  },
  in_preparation: {
    status: 422,
    text: '{what} is in preparation. Nothing was started, and it cost no credits. {instead}',
  },
  tool_off: {
    status: 422,
    text: '{tool} is switched off for {agent}. Nothing was started. Switch it on among the agent’s tools, then ask again.',
  },
  wrong_agent: {
    status: 422,
    text: 'This is the work of {agent}. Nothing was started. Choose that agent in the workspace.',
  },
  sandbox_off: { status: 422, text: '{text}' },
  invalid_file: { status: 422, text: '{text}' },
  no_file: { status: 400, text: 'No file selected' },
  ...CLINICAL_SAFETY_ERRORS,
  invalid_code: { status: 400, text: 'Invalid or expired code' },
  mail_refused: { status: 422, text: 'The mail server refused this address. Check how it is written, or use another.' },
  mail_unavailable: { status: 503, text: 'The mail could not be sent just now. Please try again in a moment.' },
  email_taken: { status: 409, text: 'An account with this email already exists. Log in, or reset the password.' },
  connected_elsewhere: { status: 422, text: '{place} is connected to another Arc account.' },
  agent_not_ready: { status: 422, text: 'This agent is not onboarded yet. Complete its onboarding first.' },
  channel_off: { status: 422, text: 'arc-chat is switched off. Switch it on under Integrations.' },
  step_not_reached: { status: 409, text: 'The onboarding is at the step {step}. Complete that one first.' },
  not_available: { status: 422, text: '{text}' },
  not_configured: { status: 422, text: '{text}' },
  cancelled: { status: 409, text: 'The work was cancelled. Nothing was changed.' },
  too_many: { status: 429, text: 'Too many tries. Please wait {seconds} seconds and try again.' },
  provider_unavailable: { status: 503, text: '{name} does not answer. Please try again in a moment.' },
  tool_server_failed: {
    status: 422,
    text: 'The MCP server did not answer as it should. Check its address and its token, then try again.',
  },
  teams_unavailable: { status: 503, text: 'Microsoft Teams does not answer. Please try again in a moment.' },
  internal: {
    status: 500,
    text: 'Something went wrong on our side. Nothing was lost; please try again, and give support the reference {reference} if it happens again.',
  },
  store_full: {
    status: 507,
    text: 'This server’s disk is full, so nothing new can be saved. What is here can still be read. Ask whoever runs the server to free some space, then try again.',
  },
  workers_unavailable: {
    status: 503,
    text: 'Arc is busy, so this was not done in time. Please try again in a moment.',
  },
  store_unavailable: { status: 503, text: 'The data store does not answer. Please try again in a moment.' },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
type ErrorValues = Record<string, string | number>;

/** The body of every unsuccessful answer. */
export const errorBody = z.object({
  /** Message for a person. */
  error: z.string(),
  code: z.string(),
  /** Faulty inputs and their messages, by field name. */
  fields: z.record(z.string(), z.string()).optional(),
  /** With `already_answered`: the answer that is recorded. */
  standing: z.unknown().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** An error that people may read. Its code decides HTTP status and text. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly values: ErrorValues;
  readonly fields: Record<string, string> | undefined;
  readonly standing: unknown;

  constructor(
    code: ErrorCode,
    values: ErrorValues = {},
    more: { fields?: Record<string, string>; standing?: unknown; cause?: unknown } = {},
  ) {
    super(fillText(ERRORS[code].text, values), { cause: more.cause });
    this.name = 'AppError';
    this.code = code;
    this.values = values;
    this.fields = more.fields;
    this.standing = more.standing;
  }

  /** The kind of chat message that reports this error. */
  get saidAs(): NonNullable<ErrorEntry['saidAs']> {
    return (ERRORS[this.code] as ErrorEntry).saidAs ?? 'refused';
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** The error's text where no form marks its fields: the first field's message, else the error's own. */
export function plainText(error: AppError): string {
  return Object.values(error.fields ?? {})[0] ?? error.message;
}

function fillText(text: string, values: ErrorValues): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/**
 * Translates any error for clients. Anything but an {@link AppError} becomes `internal`, with the reference under which
 * the log holds the details.
 */
export function toPublicError(error: unknown, reference = 'none'): { status: number; body: ErrorBody } {
  const known = error instanceof AppError ? error : new AppError('internal', { reference });
  return {
    status: known.status,
    body: {
      error: known.message,
      code: known.code,
      ...(known.fields ? { fields: known.fields } : {}),
      ...(known.standing === undefined ? {} : { standing: known.standing }),
    },
  };
}
