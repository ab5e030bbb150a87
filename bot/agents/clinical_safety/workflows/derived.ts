import type { MessageRow } from '../../../../models/message.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';

type Derived = NonNullable<MessageRow['derived']>;

/** For messages with a version that may be sent in every consent mode, e.g. one with counts only. */
export const onlyReference = (text: string): Derived => ({ redacted: text, reference: text });

const IDS = /\b[A-Z]{1,8}-?\d{1,6}\b/g;
const MAX_IDS = 20;

/** For answers from a log: *redacted* sends the ids in it, *reference-only* just a link. */
export function withIdsOnly(text: string): Derived {
  const ids = [...new Set(text.match(IDS) ?? [])];
  const named = ids.slice(0, MAX_IDS).join(', ');
  return {
    redacted: `${ids.length > 0 ? `It concerns ${named}. ` : ''}The answer is in Arc: ${linkToChat()}`,
    reference: `The answer is in Arc: ${linkToChat()}`,
  };
}
