import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { type ArcServer, accountRoom } from './rooms.ts';

/** Questions of other processes older than this aren't announced: pages have already fetched them. */
const MAX_AGE_MS = 15_000;
const MAX_REMEMBERED = 1000;

type Asked = Pick<InterruptRow, 'userAgentId' | 'agentName' | 'prompt'>;

export type QuestionAnnouncer = ReturnType<typeof makeQuestionAnnouncer>;

/** Announces new questions to browsers, each once per process, whichever process asked it. */
export function makeQuestionAnnouncer(io: ArcServer) {
  const announced = new Set<number>();
  const announce = (accountId: number, interruptId: number, { userAgentId, agentName, prompt }: Asked) => {
    if (announced.has(interruptId)) return;
    announced.add(interruptId);
    if (announced.size > MAX_REMEMBERED)
      for (const oldest of [...announced].slice(0, MAX_REMEMBERED / 2)) announced.delete(oldest);
    io.to(accountRoom(accountId)).emit('asked', { interruptId, userAgentId, agentName, prompt });
  };
  return {
    announce,
    /** Announces questions that other processes have just asked, if a browser of the account is connected here. */
    async announceRecent(accountId: number): Promise<void> {
      if (!io.sockets.adapter.rooms.has(accountRoom(accountId))) return;
      try {
        const asked = {
          accountId,
          status: 'pending' as const,
          createdAt: { $gt: new Date(Date.now() - MAX_AGE_MS) },
        };
        const fields = { userAgentId: 1, agentName: 1, prompt: 1 };
        const rows = await runInAccount(accountId, () => Interrupt.find(asked, fields).sort({ _id: 1 }).lean());
        for (const row of rows) announce(accountId, row._id, row);
      } catch (error) {
        logger.warn({ err: error }, 'could not read the questions of other processes');
      }
    },
  };
}
