import { onboardingStatus, trialStatus } from '../../models/contracts/account.ts';
import { chatHistory } from '../../models/contracts/chat.ts';
import { readDesk } from '../../models/contracts/desk.ts';
import { oauthStatusAll } from '../../models/contracts/integrations.ts';
import { readInterrupt } from '../../models/contracts/interrupts.ts';
import type { PageLoad } from '../../models/contracts/pageLoad.ts';

/** First loads of the product's own pages. Agents declare those of theirs. */
export const PAGE_LOADS: readonly PageLoad[] = [
  {
    path: '/',
    modules: ['pages/dashboard/DashboardPage.tsx'],
    reads: [onboardingStatus, trialStatus, oauthStatusAll, readDesk],
  },
  { path: '/review/:id', modules: ['pages/review/ReviewPage.tsx'], reads: [readInterrupt] },
  { path: '/agent-inbox', modules: ['pages/agent-inbox/AgentInboxPage.tsx'], reads: [] },
  {
    path: '/arc-chat',
    modules: ['pages/arc-chat/ArcChatPage.tsx'],
    reads: [trialStatus, oauthStatusAll, chatHistory],
  },
  { path: '/workspace', modules: ['pages/workspace/WorkspacePage.tsx'], reads: [] },
];
