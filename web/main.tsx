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

/** Lets styles apply that were held back for the words of the document (api/present/firstPage.ts). */
async function releaseStyles(): Promise<void> {
  const held = [...document.querySelectorAll<HTMLLinkElement>('link[data-held]')];
  await Promise.all(
    held.map(async (link) => {
      // A sheet that has not come is waited for, whether it can be loaded or not.
      if (!link.sheet)
        await new Promise((resolve) => ['load', 'error'].map((it) => link.addEventListener(it, resolve)));
      link.media = 'all';
    }),
  );
}

const isForVisitor = document.documentElement.hasAttribute('data-visitor');
/** Whether the document names the files that its address shows first: they come with this script. */
const isNamed = document.querySelector('link[rel="preload"][as="fetch"]') !== null;
const first: Promise<unknown>[] = isForVisitor
  ? [loadFirst('/')]
  : isNamed
    ? [loadFirst(window.location.pathname), SignedIn.load()]
    : [];
// What can't be loaded now is loaded when it is drawn, and says so there.
void Promise.allSettled([releaseStyles(), ...first]).then(draw);
