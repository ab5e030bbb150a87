import { ErrorCode, WebClient, type WebClientOptions } from '@slack/web-api';
import { env } from '../../../models/env.ts';
import { PermanentError } from '../../engine/delivery/permanentError.ts';

/** Options of every call to Slack. The client retries briefly; when Slack limits the rate, the outbox retries later. */
export const clientOptions: WebClientOptions = {
  slackApiUrl: env.SLACK_API_URL,
  retryConfig: { retries: 2, minTimeout: 200, maxTimeout: 2000 },
  rejectRateLimitedCalls: true,
  timeout: 10_000,
};

/** Slack's error codes for an app that has lost its access; every method can return them. */
const ACCESS_ENDED = new Set(['account_inactive', 'app_uninstalled', 'invalid_auth', 'token_revoked']);

/** Error codes that say that a token is of no use any more, to anybody. */
const REVOKED = new Set(['account_inactive', 'app_uninstalled', 'token_revoked']);
export const isRevoked = (error: unknown) => REVOKED.has(refusalOf(error) ?? '');

/** Error codes of a token renewal after which no renewal will succeed. */
const NOT_RENEWABLE = new Set([...ACCESS_ENDED, 'invalid_refresh_token', 'token_expired']);
export const isNotRenewable = (error: unknown) => NOT_RENEWABLE.has(refusalOf(error) ?? '');

/** Error codes that a retry does not change: of the place, the person or the content. */
const PERMANENT = new Set([
  ...ACCESS_ENDED,
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

/** Slack's error code, e.g. `not_in_channel`; null for any other failure. */
export function refusalOf(error: unknown): string | null {
  const cause = error instanceof PermanentError ? error.cause : error;
  const { code, data } = (cause ?? {}) as { code?: string; data?: { error?: string } };
  return code === ErrorCode.PlatformError ? (data?.error ?? null) : null;
}

/** Methods that post again when they are repeated. The client must not retry them after a lost response. */
const NOT_REPEATABLE = new Set([
  'chat.postMessage',
  'chat.startStream',
  'chat.appendStream',
  'chat.postEphemeral',
  'files.completeUploadExternal',
]);

/** A client that throws a PermanentError where a retry is useless, and reports when the token has become invalid. */
class SlackClient extends WebClient {
  private readonly withoutRetries: WebClient;
  private readonly onEnded: (refusal: string) => Promise<void>;

  constructor(token: string, options: WebClientOptions, onEnded: (refusal: string) => Promise<void>) {
    super(token, options);
    this.withoutRetries = new WebClient(token, { ...options, retryConfig: { retries: 0 } });
    this.onEnded = onEnded;
  }

  override async apiCall(...call: Parameters<WebClient['apiCall']>): ReturnType<WebClient['apiCall']> {
    try {
      return await (NOT_REPEATABLE.has(call[0]) ? this.withoutRetries.apiCall(...call) : super.apiCall(...call));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal && ACCESS_ENDED.has(refusal)) await this.onEnded(refusal);
      if (!refusal || !PERMANENT.has(refusal)) throw error;
      throw new PermanentError((error as Error).message, { cause: error });
    }
  }
}

/**
 * A client with a workspace's token.
 * @param onEnded called when Slack says that the token is no longer valid
 */
export function makeClient(
  token: string,
  teamId: string | null,
  onEnded: (refusal: string) => Promise<void>,
): WebClient {
  return new SlackClient(token, { ...clientOptions, ...(teamId ? { teamId } : {}) }, onEnded);
}
