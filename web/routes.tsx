import { type ComponentType, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
// Not lazy: it stands while the copy loads.
import { AuditorFrame } from './pages/auditor/AuditorFrame.tsx';
// Not lazy: most first visits open it, so it loads with the frame.
import { HomePage, loadHome } from './pages/home/HomePage.tsx';
import { type Later, later } from './parts/later.tsx';
import { PageFault } from './parts/PageFault.tsx';
import { Shell } from './parts/shell/Shell.tsx';

/** A page that loads when it is first opened. */
const page = (Page: ComponentType) => (
  <PageFault>
    <Suspense fallback={null}>
      <Page />
    </Suspense>
  </PageFault>
);

const Auth = later(async () => (await import('./pages/auth/AuthPage.tsx')).AuthPage);
const Workspace = later(async () => (await import('./pages/workspace/WorkspacePage.tsx')).WorkspacePage);
const Audit = later(async () => (await import('./pages/audit/AuditPage.tsx')).AuditPage);
const Rows = later(async () => (await import('./pages/rows/RowsPage.tsx')).RowsPage);
const AgentInbox = later(async () => (await import('./pages/agent-inbox/AgentInboxPage.tsx')).AgentInboxPage);
const Review = later(async () => (await import('./pages/review/ReviewPage.tsx')).ReviewPage);
const ArcChat = later(async () => (await import('./pages/arc-chat/ArcChatPage.tsx')).ArcChatPage);
const Admin = later(async () => (await import('./pages/admin/AdminPage.tsx')).AdminPage);
const Tokens = later(async () => (await import('./pages/admin/TokensPage.tsx')).TokensPage);
const Failures = later(async () => (await import('./pages/admin/FailuresPage.tsx')).FailuresPage);
const User = later(async () => (await import('./pages/admin/UserPage.tsx')).UserPage);
const Slack = later(async () => (await import('./pages/channels/SlackPage.tsx')).SlackPage);
const Teams = later(async () => (await import('./pages/channels/TeamsPage.tsx')).TeamsPage);
const TeamsTab = later(async () => (await import('./pages/teams-tab/TeamsTabPage.tsx')).TeamsTabPage);
const PrivacyPolicy = later(async () => (await import('./pages/legal/PrivacyPolicyPage.tsx')).PrivacyPolicyPage);
const Terms = later(async () => (await import('./pages/legal/TermsPage.tsx')).TermsPage);
const AgentPage = later(async () => (await import('./pages/agents/AgentPage.tsx')).AgentPage);
const Auditor = later(async () => (await import('./pages/auditor/AuditorPage.tsx')).AuditorPage);
const Unsubscribe = later(async () => (await import('./pages/unsubscribe/UnsubscribePage.tsx')).UnsubscribePage);
const AnyOther = later(async () => {
  const { AnyOtherPage, loadPageAt } = await import('./pages/agents/AnyOtherPage.tsx');
  // Where it can't be loaded, the page says so when it is drawn.
  await loadPageAt(window.location.pathname).catch(() => undefined);
  return AnyOtherPage;
});

/** The page of an address, of those whose files the server names in the document (api/present/pageLoads.ts). */
function pageAt(pathname: string): Later<object> {
  if (pathname.startsWith('/review/')) return Review;
  return { '/agent-inbox': AgentInbox, '/arc-chat': ArcChat, '/workspace': Workspace }[pathname] ?? AnyOther;
}

/** Loads what an address shows first, for a document that names those files: they have come with the entry script. */
export const loadFirst = (pathname: string): Promise<unknown> =>
  pathname === '/' ? loadHome() : pageAt(pathname).load();

/** All routes of the product. */
export function Pages() {
  return (
    <Routes>
      {/* Framed by Teams, so without the product's own header and footer. */}
      <Route path="teams-tab" element={page(TeamsTab)} />
      {/* For people without an account: it reads no session. */}
      <Route
        path="auditor/:secret"
        element={
          <AuditorFrame>
            <Auditor />
          </AuditorFrame>
        }
      />
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
        <Route path="auth" element={page(Auth)} />
        <Route path="workspace" element={page(Workspace)} />
        <Route path="rows" element={page(Rows)} />
        <Route path="agent-inbox" element={page(AgentInbox)} />
        <Route path="review/:id" element={page(Review)} />
        <Route path="agents/:agentId/:path" element={page(AgentPage)} />
        <Route path="audit" element={page(Audit)} />
        <Route path="arc-chat" element={page(ArcChat)} />
        <Route path="admin" element={page(Admin)} />
        <Route path="admin/tokens" element={page(Tokens)} />
        <Route path="admin/failures" element={page(Failures)} />
        <Route path="admin/users/:id" element={page(User)} />
        <Route path="slack-agent" element={page(Slack)} />
        <Route path="teams-bot" element={page(Teams)} />
        <Route path="privacy-policy" element={page(PrivacyPolicy)} />
        <Route path="terms-and-conditions" element={page(Terms)} />
        <Route path="unsubscribe/:token" element={page(Unsubscribe)} />
        <Route path="*" element={page(AnyOther)} />
      </Route>
    </Routes>
  );
}
