import type { GeneralIntent } from '../../../engine/intents/readGeneral.ts';

/** The intent of a question to this agent. */
export type Intent =
  | GeneralIntent
  /** Rows of the result or the account, or one of them. */
  | 'query'
  | 'about-one'
  /** Kinds of hazard in general. */
  | 'knowledge'
  | 'why'
  | 'change'
  | 'clause'
  | 'rules'
  | 'incident'
  | 'language'
  /** Work that the agent does, asked for in words that start none. */
  | 'work'
  | 'unknown';
