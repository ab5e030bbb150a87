import { OWN_ROWS } from '../../bot/agents/clinical_safety/tools/records.ts';
import { agents } from '../../bot/agents/index.ts';
import { openAccountRows } from '../../bot/engine/accountRows/openAccountRows.ts';
import { registerAgents } from '../../bot/engine/agents/registry.ts';
import { connectStore } from '../../models/store/connect.ts';
import { runInAccount } from '../../models/store/context.ts';
import { fillMadeUpAccount } from '../agents/clinical_safety/conversation/madeUpAccount.ts';
import type { OpenRows } from './scoreConversation.ts';

const ACCOUNT = 1;
const FIRST_ID = 100;

/** Fills an embedded store in DATA_DIR with the made-up account. */
export async function openMadeUpAccount(): Promise<{ openRows: OpenRows; close(): Promise<void> }> {
  registerAgents(agents);
  const store = await connectStore('', 'eval');
  await fillMadeUpAccount(ACCOUNT, FIRST_ID);
  return {
    openRows: (line) => runInAccount(ACCOUNT, () => openAccountRows(ACCOUNT, line, OWN_ROWS)),
    close: () => store.close(),
  };
}
