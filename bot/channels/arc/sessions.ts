import { runInBackground } from '../../../models/background.ts';
import { personKey } from '../../../models/contracts/auth.ts';
import { LIMITS } from '../../../models/contracts/limits.ts';
import type { Who } from '../../../models/policies/who.ts';
import { changes } from '../../../models/store/revisions.ts';
import { type ArcServer, accountRoom } from './rooms.ts';

type Connection = { once(event: 'close', listener: () => void): unknown };

/** Limits the open sockets of each session. @returns claims a socket; false when the session is at its limit */
export function makeSocketLimit(): (session: string, connection: Connection) => boolean {
  const open = new Map<string, number>();
  return (session, connection) => {
    const taken = open.get(session) ?? 0;
    if (taken >= LIMITS.socketsPerSession) return false;
    open.set(session, taken + 1);
    connection.once('close', () => {
      const left = (open.get(session) ?? 1) - 1;
      if (left > 0) open.set(session, left);
      else open.delete(session);
    });
    return true;
  };
}

/**
 * Closes the sockets of sessions and memberships that have ended, here or in another process, as soon as their account
 * changes. If the store doesn't answer, sockets stay open: every message is checked again.
 */
export function closeEndedSockets(io: ArcServer, whoIs: (request: unknown) => Promise<Who | null>): void {
  const close = async (accountId: number) => {
    for (const id of [...(io.sockets.adapter.rooms.get(accountRoom(accountId)) ?? [])]) {
      const socket = io.sockets.sockets.get(id);
      const who = socket && (await whoIs(socket.request));
      if (socket && (!who || personKey(who) !== personKey(socket.data.who as Who))) socket.disconnect(true);
    }
  };
  changes.on('changed', (accountId, topics) => {
    if (topics.includes('account')) runInBackground('closing ended sockets', close(accountId));
  });
}
