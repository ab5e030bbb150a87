/** Whether something does its work in this version, or is offered before it can. */
export type WorkStatus = 'working' | 'in-preparation';

/** The agents that can be hired and the tools they use: specification 2, section 3. */
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
  /** What calls name it by. */
  action: string;
  /** To choose it by. */
  label: string;
  /** As a refusal names it. */
  doing: string;
  status: WorkStatus;
  /** What it has to be told, as the field for it is called, with an example; absent where it needs no words. */
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
  /** The tools that are part of it: built in, the switch gates them, and they work where it does. */
  tools?: readonly { id: string; name: string; description: string }[];
  /** Listed first, hireable by visitors. */
  priority: boolean;
  /** Every page, channel and call that offers the agent's work goes by this. */
  status: WorkStatus;
  /** What an agent that works can't do yet, as the end of a sentence. */
  inPreparation?: string;
  /** What it does for whoever writes to it from a channel, a sentence, as a channel's directory shows it. */
  inChannels?: string;
  /** What people may ask it first. */
  suggestions?: readonly { title: string; message: string }[];
  /** What else they may ask it, as examples. */
  examples?: readonly string[];
  /** Its work that can be scheduled. */
  schedules?: readonly Schedule[];
  /** What can be searched for from a message box, and the name by which a channel asks. */
  search?: { id: string; title: string; description: string; hint: string };
  /** Its calls that read results, by the beginning of their paths: pages repeat them once an analysis changed. */
  reads?: readonly string[];
};
