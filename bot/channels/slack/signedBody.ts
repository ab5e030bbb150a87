import { parse as parseForm } from 'node:querystring';
import { isValidSlackRequest } from '@slack/bolt';
import { type RequestHandler, Router, raw } from 'express';
import { z } from 'zod';
import { env } from '../../../models/env.ts';

/** Bolt refuses requests older than five minutes; this refuses those from further in the future. */
const MAX_AHEAD_SECONDS = 5 * 60;
/** The same limit as Bolt's. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const text = z.string().optional().nullable();
const person = z.looseObject({ id: z.string() });
const file = z.looseObject({ id: z.string(), name: text });
const files = z.array(file).optional();
const message = z.looseObject({ ts: text, thread_ts: text, text, files });

/** The fields of the Events API that the listeners read (https://docs.slack.dev/reference/events). */
const event = z
  .looseObject({
    type: z.string(),
    // Not nullable: Bolt reads these two without a null check.
    channel: z.string().optional(),
    user: z.string().optional(),
    text,
    ts: text,
    thread_ts: text,
    subtype: text,
    bot_id: text,
    tab: text,
    files,
    tokens: z.looseObject({ bot: z.array(z.string()).optional() }).optional(),
  })
  .refine(({ type, channel, ts }) => !['message', 'app_mention'].includes(type) || (channel && ts));

const action = z.looseObject({
  type: z.string(),
  action_id: z.string(),
  value: text,
  selected_option: z.looseObject({ value: z.string() }).optional().nullable(),
});
const view = z.looseObject({
  id: text,
  type: text,
  callback_id: text,
  private_metadata: text,
  state: z.looseObject({ values: z.record(z.string(), z.record(z.string(), z.looseObject({}))) }).optional(),
});
const interaction = {
  user: person,
  trigger_id: text,
  response_url: text,
  channel: person.optional().nullable(),
  message: message.optional().nullable(),
  view: view.optional().nullable(),
  team: person.optional().nullable(),
  enterprise: person.optional().nullable(),
};

/** Every kind of body that Slack sends to the app's address. */
const BODY_SCHEMAS = [
  z.looseObject({ type: z.literal('event_callback'), team_id: text, event }),
  z.looseObject({ type: z.literal('url_verification'), challenge: z.string() }),
  z.looseObject({ type: z.literal('app_rate_limited') }),
  z.looseObject({ type: z.literal('block_actions'), ...interaction, actions: z.array(action).min(1) }),
  z.looseObject({ type: z.literal('view_submission'), ...interaction, view: view.required({ state: true }) }),
  z.looseObject({ type: z.literal('view_closed'), ...interaction, view }),
  z.looseObject({ type: z.enum(['shortcut', 'message_action']), callback_id: z.string(), ...interaction }),
  z.looseObject({ type: z.enum(['block_suggestion', 'interactive_message', 'dialog_submission']), user: person }),
  z.looseObject({
    command: z.string().startsWith('/'),
    text,
    user_id: z.string(),
    channel_id: z.string(),
    trigger_id: text,
  }),
  z.looseObject({ ssl_check: z.literal('1') }),
];
const bodySchema = z.union(BODY_SCHEMAS);

/** Parses a body as Bolt does: JSON, or a form that may hold JSON in `payload`. @throws SyntaxError */
function parseBody(bytes: string, contentType: string | undefined): unknown {
  if (contentType !== 'application/x-www-form-urlencoded') return JSON.parse(bytes);
  const form = parseForm(bytes);
  return typeof form.payload === 'string' ? JSON.parse(form.payload) : { ...form };
}

function isKnownBody(bytes: string, contentType: string | undefined): boolean {
  try {
    return bodySchema.safeParse(parseBody(bytes, contentType)).success;
  } catch {
    return false;
  }
}

/**
 * Runs before Bolt. Answers 401 to a signature that is not Slack's or is more than five minutes off either way, and 400
 * to a signed body of no known kind, so that none reaches a listener.
 */
const check: RequestHandler = (request, response, next) => {
  const bytes = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
  const signature = request.get('x-slack-signature') ?? '';
  const seconds = Number(request.get('x-slack-request-timestamp'));
  const isSigned =
    seconds <= Date.now() / 1000 + MAX_AHEAD_SECONDS &&
    isValidSlackRequest({
      signingSecret: env.SLACK_SIGNING_SECRET,
      body: bytes,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': seconds },
    });
  if (!isSigned || !isKnownBody(bytes, request.get('content-type'))) {
    response.status(isSigned ? 400 : 401).end();
    return;
  }
  // Bolt reads `rawBody` and checks the signature again.
  Object.assign(request, { rawBody: request.body });
  next();
};

export function checkSignedBodies(): Router {
  const router = Router();
  router.post('/slack/events', raw({ type: () => true, limit: MAX_BODY_BYTES }), check);
  return router;
}
