import type { GeneralIntent } from '../../../engine/intents/readGeneral.ts';

/** What a person wants of this agent in a question. */
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
  | 'unknown';
