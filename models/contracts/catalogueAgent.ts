/** Whether something works in this version, or is shown before it does. */
export type WorkStatus = 'working' | 'in-preparation';

/** The agents that can be hired (docs/spec-coverage.md, S2 section 3). */
export const AGENT_IDS = [
  'mdr',
  'clinical_safety',
  'developer',
  'designer',
  'marketer',
  'outreach',
  'ops',
  'researcher',
  'professionaliser',
] as const;
export type AgentId = (typeof AGENT_IDS)[number];

/** Whether a value is the id of an agent of the catalogue. */
export function isAgentId(value: unknown): value is AgentId {
  return AGENT_IDS.some((id) => id === value);
}

/** Work that an agent can do on a schedule. */
export type Schedule = {
  /** The action's name in API calls. */
  action: string;
  /** Display name. */
  label: string;
  /** The work as a refusal names it: "Writing a technical file". */
  doing: string;
  status: WorkStatus;
  /** The label of the text field for the request, with an example; absent where no text is needed. */
  needs?: { label: string; example: string };
};

export type CatalogueAgent = {
  id: AgentId;
  /** The persona's first name. */
  displayName: string;
  role: string;
  description: string;
  /** Two letters, shown on the gradient. */
  monogram: string;
  gradient: [string, string];
  defaultTools: string[];
  /** Built-in tools: the switch enables them, and they work where the agent does. */
  tools?: readonly { id: string; name: string; description: string }[];
  /** Listed first, and shown to visitors as available to hire. */
  priority: boolean;
  /** Answers messages that name nobody and ask for no agent's work, before the other working agents. */
  isDefault?: boolean;
  /** Visitors see the specification's Enterprise card, without a button to hire. Who may hire it goes by the plan alone. */
  isShownAsEnterprise?: boolean;
  /** Pages, channels and calls decide by this whether to offer the agent's work. */
  status: WorkStatus;
  /** What a working agent can't do yet, phrased as the end of a sentence. */
  inPreparation?: string;
  /** Phrases for its work, in lower case, by which another agent recognises a request that is not its own. */
  work?: readonly string[];
  /** What it does in a channel: one sentence for the channel's app directory. */
  inChannels?: string;
  /** Suggested first messages. */
  suggestions?: readonly { title: string; message: string }[];
  /** Further example messages. */
  examples?: readonly string[];
  /** Work that can be scheduled. */
  schedules?: readonly Schedule[];
  /** Its search in a platform's message box, and the id that the platform calls it by. */
  search?: { id: string; title: string; description: string; hint: string };
  /** Its pages that people go to and fro between, in the header and the search. */
  places?: readonly { title: string; path: string; note: string }[];
  /** Path prefixes of its calls that read results: pages repeat these calls once an analysis has changed. */
  reads?: readonly string[];
};
