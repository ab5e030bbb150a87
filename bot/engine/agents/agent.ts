import type { AgentId } from '../../../models/contracts/catalogue.ts';
import type { ConversationRow } from '../../../models/conversation.ts';
import type { UserAgentRow } from '../../../models/userAgent.ts';

/** What is to be done about something a person said. */
export type Route = { workflow: string; goal: string; state: Record<string, unknown> };

export type Heard = { text: string; conversation: ConversationRow; userAgent: UserAgentRow; messageId: string };

/** An agent's own part: it says which of its workflows a person's words ask for. */
export type Agent = { id: AgentId; route(heard: Heard): Promise<Route> | Route };
