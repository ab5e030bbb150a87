import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { AgentId, CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';

/** Starts of a request for work. */
const REQUEST =
  /^(?:write|draft|draw|design|sketch|mock|search|look|summari[sz]e|put together|make|create|build|code|develop|program|prepare|plan|post|publish|compose|translate|research|find|organi[sz]e|format|fix|deploy|need|want|ask|tell|have|let|get|give|i need|we need|i want|we want|you)\b/;
/** A named agent is meant where somebody is to ask it or it is to do something: "can she …", "ask her". */
const ASKED = /^(?:ask|tell|have|let|get|can|could|would|will|is|does)$/;

const wordsOf = (line: string): readonly string[] => line.match(/[\p{L}\p{N}'-]+/gu) ?? [];

/**
 * Another agent whose work a message asks for: by its name behind a verb of asking, or by a word for its work in a
 * request. Null where it asks for nobody else's.
 * @param line the text in lower case, without courtesy
 */
export function findOtherAgent(line: string, agentId: AgentId): CatalogueAgent | null {
  const words = wordsOf(line);
  const named = AGENTS.find(({ id, displayName }) => {
    const at = words.indexOf(displayName.toLowerCase());
    return id !== agentId && at >= 0 && (at === 0 || ASKED.test(words[at - 1] ?? ''));
  });
  if (named) return named;
  if (!REQUEST.test(line)) return null;
  const has = ({ work = [] }: CatalogueAgent) => work.some((phrase) => ` ${words.join(' ')} `.includes(` ${phrase} `));
  const own = AGENTS.find(({ id }) => id === agentId);
  if (own && has(own)) return null;
  return AGENTS.find((agent) => agent.id !== agentId && has(agent)) ?? null;
}
