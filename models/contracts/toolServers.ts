import { z } from 'zod';
import { endpoint, idParam, isoDate } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { shownName } from './oneLine.ts';

const limits = LIMITS.toolServers;

const toolChange = z.object({
  what: z.enum(['title', 'description', 'arguments', 'hints']),
  before: z.string(),
  after: z.string(),
});
export type ToolChange = z.infer<typeof toolChange>;

const serverTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** The arguments as a JSON schema. */
  inputSchema: z.string(),
  /** Whether the server says that it only reads; any other tool asks a person before each use. */
  reads: z.boolean(),
  /** `changed`: off, because its declaration is not the allowed one any more. */
  state: z.enum(['on', 'off', 'changed']),
  /** Digest of the declaration; switching the tool on allows exactly this one. */
  digest: z.string(),
  /** How the declaration differs from the allowed one. */
  changes: z.array(toolChange),
});
export type ServerToolView = z.infer<typeof serverTool>;

const toolServer = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  hasSecret: z.boolean(),
  isInUk: z.boolean(),
  /** False where this deployment does not let its tools be used. */
  isUsable: z.boolean(),
  userAgentIds: z.array(z.number().int()),
  tools: z.array(serverTool),
  /** Tools that are too long to be used. */
  leftOut: z.number().int(),
  addedBy: z.string(),
  createdAt: isoDate,
  checkedAt: isoDate,
});
export type ToolServerView = z.infer<typeof toolServer>;

const params = z.object({ id: z.string().regex(/^[0-9a-f]{24}$/) });
const one = z.object({ server: toolServer });
const userAgentIds = z.array(idParam).max(100);

export const listToolServers = endpoint({
  method: 'get',
  path: '/api/tool-servers',
  summary: 'The MCP servers whose tools the company’s agents may use; never their secrets',
  policy: 'owner',
  answer: z.object({
    /** Where servers may be, as the administrator of the deployment decided; none: no server can be used. */
    region: z.enum(['none', 'uk', 'outside-uk-accepted']),
    servers: z.array(toolServer),
  }),
});

export const addToolServer = endpoint({
  method: 'post',
  path: '/api/tool-servers',
  summary: 'Allow an MCP server. Its tools are read; each is off until it is switched on',
  policy: 'owner',
  rate: 'toolServers',
  body: z.object({
    name: shownName(limits.name, 'Name the server.'),
    url: z.string().trim().min(1, 'Enter the address of the server.').max(limits.url),
    /** Sent as a bearer token; null where the server asks for none. */
    secret: z
      .string()
      .trim()
      .min(1)
      .max(limits.secret)
      .regex(/^[\x21-\x7e]+$/, 'A token has no spaces and no accented letters.')
      .nullable(),
    isInUk: z.boolean(),
    userAgentIds,
  }),
  status: 201,
  answer: one,
});

export const changeToolServer = endpoint({
  method: 'patch',
  path: '/api/tool-servers/:id',
  summary: 'Choose the agents that may use the tools of a server',
  policy: 'owner',
  params,
  body: z.object({ userAgentIds }),
  answer: one,
});

export const checkToolServer = endpoint({
  method: 'post',
  path: '/api/tool-servers/:id/check',
  summary: 'Read the tools of a server again. A tool whose declaration has changed is off until it is allowed again',
  policy: 'owner',
  rate: 'toolServers',
  params,
  answer: one,
});

export const switchServerTool = endpoint({
  method: 'put',
  path: '/api/tool-servers/:id/tools',
  summary: 'Switch a tool of a server on, as it is declared now, or off',
  policy: 'owner',
  params,
  body: z.object({
    name: z.string().min(1).max(limits.toolName),
    /** The declaration that was shown; another one is refused. */
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    isOn: z.boolean(),
  }),
  answer: one,
});

export const removeToolServer = endpoint({
  method: 'delete',
  path: '/api/tool-servers/:id',
  summary: 'Remove an MCP server and its secret. No agent uses its tools any more',
  policy: 'owner',
  params,
  answer: z.object({ success: z.literal(true) }),
});
