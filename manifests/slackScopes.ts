/** The bot scopes that Arc requests, each with its reason; as few as possible. */
export const SCOPES = {
  'app_mentions:read': 'hear when it is mentioned',
  'channels:history': 'hear the replies in its own threads',
  'groups:history': 'the same in private channels that it was invited to',
  'im:history': 'hear direct messages',
  'chat:write': 'answer',
  'chat:write.customize': 'answer under the agent’s name',
  commands: 'the command /arc and the shortcut',
  'files:read': 'fetch a file that was dropped',
  'files:write': 'give results back as files',
  'users:read': 'know guests and people of other organisations',
  'users:read.email': 'match a person to a member by verified e-mail',
  'assistant:write': 'the agent view: suggested prompts and session status',
} as const;
export const BOT_SCOPES = Object.keys(SCOPES);
