import type { MessageRow } from '../../../../models/message.ts';
import { linkToChat } from '../../../engine/delivery/consent.ts';

type Derived = NonNullable<MessageRow['derived']>;

/** For messages whose counts may leave under every mode, and nothing else of them. */
export const onlyReference = (text: string): Derived => ({ redacted: text, reference: text });

const IDS = /\b[A-Z]{1,8}-?\d{1,6}\b/g;
const MOST_IDS = 20;

/** For answers over a log: redacted leaves the ids they speak of, reference-only their number. */
export function withIdsAlone(text: string): Derived {
  const ids = [...new Set(text.match(IDS) ?? [])];
  const named = ids.slice(0, MOST_IDS).join(', ');
  return {
    redacted: `${ids.length > 0 ? `It concerns ${named}. ` : ''}The answer is in Arc: ${linkToChat()}`,
    reference: `The answer is in Arc: ${linkToChat()}`,
  };
}
