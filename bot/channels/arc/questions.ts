import { Interrupt, type InterruptRow } from '../../../models/interrupt.ts';
import { logger } from '../../../models/logger.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { type ArcServer, accountRoom } from './rooms.ts';

/** What another process asked longer ago than this is no news any more: pages have read it. */
const NEWS_MILLISECONDS = 15_000;
const REMEMBERED = 1000;

type Asked = Pick<InterruptRow, 'userAgentId' | 'agentName' | 'prompt'>;

export type QuestionTeller = ReturnType<typeof makeQuestionTeller>;

/** Tells browsers of questions just asked, each question once from this process, whichever process asked it. */
export function makeQuestionTeller(io: ArcServer) {
  const told = new Set<number>();
  const tell = (accountId: number, interruptId: number, { userAgentId, agentName, prompt }: Asked) => {
    if (told.has(interruptId)) return;
    told.add(interruptId);
    if (told.size > REMEMBERED) for (const oldest of [...told].slice(0, REMEMBERED / 2)) told.delete(oldest);
    io.to(accountRoom(accountId)).emit('asked', { interruptId, userAgentId, agentName, prompt });
  };
  return {
    tell,
    /** Looks, where somebody of the account listens here, for what other processes have just asked. */
    async tellOthers(accountId: number): Promise<void> {
      if (!io.sockets.adapter.rooms.has(accountRoom(accountId))) return;
      try {
        const asked = {
          accountId,
          status: 'pending' as const,
          createdAt: { $gt: new Date(Date.now() - NEWS_MILLISECONDS) },
        };
        const fields = { userAgentId: 1, agentName: 1, prompt: 1 };
        const rows = await runInAccount(accountId, () => Interrupt.find(asked, fields).sort({ _id: 1 }).lean());
        for (const row of rows) tell(accountId, row._id, row);
      } catch (error) {
        logger.warn({ err: error }, 'questions of other processes not read');
      }
    },
  };
}
