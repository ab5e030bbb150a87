import { createBrowserRouter } from 'react-router-dom';
import { PageFault } from './parts/PageFault.tsx';
import { Shell } from './parts/shell/Shell.tsx';

/** Every address of the product. Each page is loaded when it is first opened. */
export const router = createBrowserRouter([
  {
    Component: Shell,
    ErrorBoundary: PageFault,
    HydrateFallback: () => null,
    children: [
      {
        ErrorBoundary: PageFault,
        children: [
          { index: true, lazy: async () => ({ Component: (await import('./pages/home/HomePage.tsx')).HomePage }) },
          { path: 'auth', lazy: async () => ({ Component: (await import('./pages/auth/AuthPage.tsx')).AuthPage }) },
          {
            path: 'workspace',
            lazy: async () => ({ Component: (await import('./pages/workspace/WorkspacePage.tsx')).WorkspacePage }),
          },
          {
            path: 'agent-inbox',
            lazy: async () => ({ Component: (await import('./pages/agent-inbox/AgentInboxPage.tsx')).AgentInboxPage }),
          },
          {
            path: 'arc-chat',
            lazy: async () => ({ Component: (await import('./pages/arc-chat/ArcChatPage.tsx')).ArcChatPage }),
          },
          {
            path: '*',
            lazy: async () => ({ Component: (await import('./pages/not-found/NotFoundPage.tsx')).NotFoundPage }),
          },
        ],
      },
    ],
  },
]);
