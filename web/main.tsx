import './styles/mantine.css';
import './styles/tokens.css';
import './styles/base.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { SWRConfig } from 'swr';
import { readingRules } from './data/useCall.ts';
import { SignedIn } from './parts/shell/Header.tsx';
import { loadFirst, Pages } from './routes.tsx';
import { cssVariables, theme } from './theme.ts';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');

// Mantine writes its variables itself: its style sheet of them would be another 3 kB to load.
const draw = () =>
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        deduplicateCssVariables={false}
        defaultColorScheme="auto"
      >
        <SWRConfig value={readingRules}>
          <BrowserRouter>
            <Pages />
          </BrowserRouter>
        </SWRConfig>
      </MantineProvider>
    </StrictMode>,
  );

const isForVisitor = document.documentElement.hasAttribute('data-visitor');
/** Whether the document names the files that its address shows first: they come with this script. */
const isNamed = document.querySelector('link[rel="preload"][as="fetch"]') !== null;
if (isForVisitor) void loadFirst('/').then(draw, draw);
else if (isNamed) void Promise.all([loadFirst(window.location.pathname), SignedIn.load()]).then(draw, draw);
else draw();
