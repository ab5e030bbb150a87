/** What an access token may do, each with the words of its checkbox. */
export const TOKEN_SCOPES = {
  'questions:ask': 'Ask people, and read and withdraw its own questions',
  'questions:read': 'Read every question and answer of the company',
  'analyses:read': 'Read analyses and their results',
  'analyses:run': 'Start analyses, which cost credits',
  'documents:read': 'Read the company’s documents, and download files',
  'documents:add': 'Add documents',
  'audit:read': 'Read and verify the audit',
  'usage:read': 'Read the plan, the credits and their use',
} as const;
export type TokenScope = keyof typeof TOKEN_SCOPES;
export const TOKEN_SCOPE_NAMES = Object.keys(TOKEN_SCOPES) as [TokenScope, ...TokenScope[]];
