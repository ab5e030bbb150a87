import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
// Not lazy: most first visits open the landing page, so it loads with the frame.
import { HomePage } from './pages/home/HomePage.tsx';
import { PageFault } from './parts/PageFault.tsx';
import { Shell } from './parts/shell/Shell.tsx';

/** A page that loads when it is first opened. */
function page(load: () => Promise<ComponentType>) {
  const Loaded = lazy(async () => ({ default: await load() }));
  return (
    <PageFault>
      <Suspense fallback={null}>
        <Loaded />
      </Suspense>
    </PageFault>
  );
}

const auth = page(async () => (await import('./pages/auth/AuthPage.tsx')).AuthPage);
const workspace = page(async () => (await import('./pages/workspace/WorkspacePage.tsx')).WorkspacePage);
const audit = page(async () => (await import('./pages/audit/AuditPage.tsx')).AuditPage);
const agentInbox = page(async () => (await import('./pages/agent-inbox/AgentInboxPage.tsx')).AgentInboxPage);
const review = page(async () => (await import('./pages/review/ReviewPage.tsx')).ReviewPage);
const arcChat = page(async () => (await import('./pages/arc-chat/ArcChatPage.tsx')).ArcChatPage);
const admin = page(async () => (await import('./pages/admin/AdminPage.tsx')).AdminPage);
const tokens = page(async () => (await import('./pages/admin/TokensPage.tsx')).TokensPage);
const failures = page(async () => (await import('./pages/admin/FailuresPage.tsx')).FailuresPage);
const slack = page(async () => (await import('./pages/channels/SlackPage.tsx')).SlackPage);
const teams = page(async () => (await import('./pages/channels/TeamsPage.tsx')).TeamsPage);
const teamsTab = page(async () => (await import('./pages/teams-tab/TeamsTabPage.tsx')).TeamsTabPage);
const privacyPolicy = page(async () => (await import('./pages/legal/PrivacyPolicyPage.tsx')).PrivacyPolicyPage);
const terms = page(async () => (await import('./pages/legal/TermsPage.tsx')).TermsPage);
const agentPage = page(async () => (await import('./pages/agents/AgentPage.tsx')).AgentPage);
const auditor = page(async () => (await import('./pages/auditor/AuditorPage.tsx')).AuditorPage);
const unsubscribe = page(async () => (await import('./pages/unsubscribe/UnsubscribePage.tsx')).UnsubscribePage);
const anyOther = page(async () => (await import('./pages/agents/AnyOtherPage.tsx')).AnyOtherPage);

/** All routes of the product. */
export function Pages() {
  return (
    <Routes>
      {/* Framed by Teams, so without the product's own header and footer. */}
      <Route path="teams-tab" element={teamsTab} />
      {/* For people without an account: it reads no session. */}
      <Route path="auditor/:secret" element={auditor} />
      <Route
        element={
          <PageFault>
            <Shell />
          </PageFault>
        }
      >
        <Route
          index
          element={
            <PageFault>
              <HomePage />
            </PageFault>
          }
        />
        <Route path="auth" element={auth} />
        <Route path="workspace" element={workspace} />
        <Route path="agent-inbox" element={agentInbox} />
        <Route path="review/:id" element={review} />
        <Route path="agents/:agentId/:path" element={agentPage} />
        <Route path="audit" element={audit} />
        <Route path="arc-chat" element={arcChat} />
        <Route path="admin" element={admin} />
        <Route path="admin/tokens" element={tokens} />
        <Route path="admin/failures" element={failures} />
        <Route path="slack-agent" element={slack} />
        <Route path="teams-bot" element={teams} />
        <Route path="privacy-policy" element={privacyPolicy} />
        <Route path="terms-and-conditions" element={terms} />
        <Route path="unsubscribe/:token" element={unsubscribe} />
        <Route path="*" element={anyOther} />
      </Route>
    </Routes>
  );
}
