import { AGENTS } from '../../../models/contracts/catalogue.ts';
import type { CatalogueAgent } from '../../../models/contracts/catalogueAgent.ts';

/** A request that another agent be asked. */
export type Asking = {
  agent: CatalogueAgent;
  /** What is before the request: names and courtesy, which say whom the message is to. */
  before: string;
  /** What the agent is to be asked, in the words of the message. */
  question: string;
};

/**
 * Names by which an agent is asked, in lower case. An id of two words needs "agent", because without it such words may
 * be the role of a person.
 */
const namesOf = ({ id, displayName }: CatalogueAgent): string[] => {
  const words = id.replaceAll('_', ' ');
  return [displayName.toLowerCase(), `${words} agent`, ...(words.includes(' ') ? [] : [words])];
};
const NAMED = AGENTS.flatMap((agent) => namesOf(agent).map((name) => ({ name, agent }))).sort(
  (one, other) => other.name.length - one.name.length,
);

const COURTESY =
  /^(?:hi|hello|hey|dear|ok|okay|so|please|pls|now|and|then|also|can you|could you|would you|will you|i want you to|i need you to)(?=[\s,.:;!-])/i;
const ASK = /^(?:ask|tell|have|get)\s+(?:(?:the|our)\s+)?/i;
const GAP = /^[\s,.:;!-]+/;
const LINK = /^[\s,:]+(?:(?:to|for)\s+)?/i;
const INDIRECT = /^(?:what|which|who|whom|whose|when|where|why|how|if|whether|about)\b[^\n?]*$/i;

/** The agent whose name a text begins with, and the name's length with its "@". */
function nameAt(text: string): { agent: CatalogueAgent; length: number } | null {
  const at = text.startsWith('@') ? 1 : 0;
  const line = text.slice(at, at + 60).toLowerCase();
  const found = NAMED.find(({ name }) => line.startsWith(name) && !/^[\p{L}\p{N}_-]/u.test(line.slice(name.length)));
  return found ? { agent: found.agent, length: at + found.name.length } : null;
}

/** Characters of courtesy and names at the beginning of a text. */
function lengthBefore(text: string): number {
  let at = 0;
  for (;;) {
    const rest = text.slice(at);
    const begins = COURTESY.exec(rest)?.[0].length ?? nameAt(rest)?.length;
    const gap = begins === undefined ? null : GAP.exec(rest.slice(begins));
    if (begins === undefined || !gap) return at;
    at += begins + gap[0].length;
  }
}

/**
 * The request of a message that another agent be asked; null where it begins with none. What stands further down may be
 * a document that was pasted, so it asks for nothing.
 */
export function readAsking(text: string): Asking | null {
  const message = text.trim();
  const at = lengthBefore(message);
  const verb = ASK.exec(message.slice(at))?.[0];
  const named = verb === undefined ? null : nameAt(message.slice(at + verb.length));
  if (verb === undefined || !named) return null;
  const rest = message.slice(at + verb.length + named.length);
  const link = LINK.exec(rest)?.[0];
  const question = link === undefined ? '' : rest.slice(link.length);
  if (question === '') return null;
  return {
    agent: named.agent,
    before: message.slice(0, at),
    question: INDIRECT.test(question) ? `${question.replace(/[.!]+$/, '')}?` : question,
  };
}

/** Whether a person's message names an agent in its first line, so that it may be asked without an approval. */
export function namesAgent(message: string, agent: CatalogueAgent): boolean {
  const [line = ''] = message.trim().toLowerCase().split('\n', 1);
  const words = ` ${(line.match(/[\p{L}\p{N}_-]+/gu) ?? []).join(' ')} `;
  return namesOf(agent).some((name) => words.includes(` ${name} `));
}
