import { ErrorCode, WebClient, type WebClientOptions } from '@slack/web-api';
import { env } from '../../../models/env.ts';
import { PermanentError } from '../../engine/delivery/permanentError.ts';

/** How every call to Slack is made: a slow-down is waited for here for a short while, and by the outbox for a long one. */
export const clientOptions: WebClientOptions = {
  slackApiUrl: env.SLACK_API_URL,
  retryConfig: { retries: 2, minTimeout: 200, maxTimeout: 2000 },
  rejectRateLimitedCalls: true,
  timeout: 10_000,
};

/** Refusals that say that the app has no access any more (Slack's list of errors, common to all methods). */
const ENDED = new Set(['account_inactive', 'app_uninstalled', 'invalid_auth', 'token_revoked']);

/** Refusals of a renewal after which no other will be granted. */
const NOT_RENEWABLE = new Set([...ENDED, 'invalid_refresh_token', 'token_expired']);
export const isNotRenewable = (error: unknown) => NOT_RENEWABLE.has(refusalOf(error) ?? '');

/** Refusals that another try does not change: of the place, of the person, of what was sent. */
const PERMANENT = new Set([
  ...ENDED,
  'cant_update_message',
  'channel_not_found',
  'channel_type_not_supported',
  'invalid_arguments',
  'invalid_blocks',
  'is_archived',
  'message_not_found',
  'messages_tab_disabled',
  'method_not_supported_for_channel_type',
  'missing_scope',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_permission',
  'no_text',
  'not_in_channel',
  'restricted_action',
  'restricted_action_read_only_channel',
  'thread_not_found',
  'user_not_found',
]);

/** Slack's own word for a refusal, e.g. `not_in_channel`; null for anything else that went wrong. */
export function refusalOf(error: unknown): string | null {
  const cause = error instanceof PermanentError ? error.cause : error;
  const { code, data } = (cause ?? {}) as { code?: string; data?: { error?: string } };
  return code === ErrorCode.PlatformError ? (data?.error ?? null) : null;
}

/** Calls that say something each time they are made: an answer that was lost must not have them made again at once. */
const SAYING = new Set([
  'chat.postMessage',
  'chat.startStream',
  'chat.appendStream',
  'chat.postEphemeral',
  'files.completeUploadExternal',
]);

/** A client whose refusals say whether another try is of use, and which tells when the token is not good any more. */
class SlackClient extends WebClient {
  private readonly single: WebClient;
  private readonly onEnded: (refusal: string) => Promise<void>;

  constructor(token: string, options: WebClientOptions, onEnded: (refusal: string) => Promise<void>) {
    super(token, options);
    this.single = new WebClient(token, { ...options, retryConfig: { retries: 0 } });
    this.onEnded = onEnded;
  }

  override async apiCall(...call: Parameters<WebClient['apiCall']>): ReturnType<WebClient['apiCall']> {
    try {
      return await (SAYING.has(call[0]) ? this.single.apiCall(...call) : super.apiCall(...call));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal && ENDED.has(refusal)) await this.onEnded(refusal);
      if (!refusal || !PERMANENT.has(refusal)) throw error;
      throw new PermanentError((error as Error).message, { cause: error });
    }
  }
}

/**
 * A client with a workspace's token.
 * @param onEnded called when Slack says that the token is not good any more
 */
export function makeClient(
  token: string,
  teamId: string | null,
  onEnded: (refusal: string) => Promise<void>,
): WebClient {
  return new SlackClient(token, { ...clientOptions, ...(teamId ? { teamId } : {}) }, onEnded);
}
