import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { onAnswered } from '../../bot/engine/interrupts/applyConsequences.ts';
import type { ConversationRow } from '../../models/conversation.ts';
import type { Who } from '../../models/policies/who.ts';
import type { TurnRow } from '../../models/turn.ts';
import { connectTestStore, makeWho, nextNumber } from './account.ts';
import { makePlace, makeTurn, openPlace } from './turns.ts';

/**
 * Sets up a test file: the store, and before each test a new account with a person who talks. Their answers resume no
 * run.
 */
export function connectTalk(begin: (made: { accountId: number; who: Who }) => void) {
  connectTestStore();
  let who: Who;
  beforeAll(() => {
    onAnswered(async () => undefined);
  });
  afterAll(() => {
    onAnswered(() => Promise.reject(new Error('Nothing resumes runs in this process.')));
  });
  beforeEach(() => {
    who = makeWho({ accountId: nextNumber(), email: `ada${nextNumber()}@example.org` });
    begin({ accountId: who.accountId, who });
  });
  return {
    /** A conversation of the account, or of another. */
    open: (address = makePlace(), direct = false, accountId = who.accountId) => openPlace(accountId, address, direct),
    /** What they say in a conversation. */
    makeTurn: (conversation: ConversationRow, more: Partial<TurnRow> = {}): TurnRow =>
      makeTurn(conversation, {
        accountId: who.accountId,
        speaker: { userId: who.userId, platformId: null, name: 'Ada' },
        ...more,
      }),
  };
}

/** The error of a refusal with this code. */
export const refusal = (code: string) => expect.objectContaining({ code });
