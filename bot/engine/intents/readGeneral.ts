import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { AgentId } from '../../../models/contracts/catalogueAgent.ts';
import type { GeneralIntent } from './generalIntent.ts';
import { findOtherAgent } from './otherAgents.ts';
import { PATTERNS } from './patterns.ts';
import { isSmallTalk } from './smallTalk.ts';

export type { GeneralIntent } from './generalIntent.ts';

const NAMES = AGENTS.map(({ displayName }) => displayName.toLowerCase());
/** Greetings and courtesy before a request. */
const POLITE =
  /^(?:(?:hi|hello|hey|hiya|dear|good (?:morning|afternoon|evening)|ok|okay|so|right|well|please|pls|sorry|now|and|then|also|quick question|could you|can you|would you|will you|can we|could we|i want to|i would like to|i'd like to|i need to|we need to|we want to|let's|let us|kindly|help!+)[\s,.:;!-]+)+/;
const ENDS = /[\s,]*(?:please|pls|thanks|thank you|cheers)?[\s.?!]*$/;

/** A text as the patterns read it: in lower case, straight quotes, without courtesy and names of agents around it. */
function plain(text: string): string {
  const line = text.trim().toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').slice(0, 400);
  const named = NAMES.reduce(
    (rest, name) =>
      rest.startsWith(`@${name}`) || rest.startsWith(name) ? rest.slice(rest.indexOf(name) + name.length) : rest,
    line.replace(POLITE, ''),
  );
  return named
    .replace(/^[\s,:!.-]+/, '')
    .replace(POLITE, '')
    .replace(ENDS, '');
}

/**
 * The general intent of a message to an agent; null where it wants something else.
 * @param agentId the agent that is spoken to: its own work is never another agent's
 */
export function readGeneral(text: string, agentId: AgentId): GeneralIntent | null {
  if (isSmallTalk(text, NAMES)) return 'small-talk';
  const line = plain(text);
  const whole = text.trim().toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ').slice(0, 400);
  // "We want to sell …" is a goal, and courtesy before any other request.
  const found = PATTERNS.find(
    ([intent, pattern]) => pattern.test(line) || (intent === 'goal' && pattern.test(whole)),
  )?.[0];
  if (found) return found;
  return findOtherAgent(line, agentId) ? 'other-agent' : null;
}
