import type { Server } from 'socket.io';
import type { ClientEvents, ServerEvents } from '../../../models/contracts/realtime.ts';

export type ArcServer = Server<ClientEvents, ServerEvents>;

/** Every browser of an account. */
export const accountRoom = (accountId: number) => `account:${accountId}`;
/** One person's browsers within one account. */
export const conversationRoom = (accountId: number, conversation: string) => `account:${accountId}:${conversation}`;
