import { type ReactNode, Suspense } from 'react';
import { Page } from '../../parts/Page.tsx';
import { PageFault } from '../../parts/PageFault.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import classes from './AuditorPage.module.css';

/** The frame of a read-only copy. It comes with the entry script, and stands while the copy itself still loads. */
export function AuditorFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <meta name="robots" content="noindex" />
      <header className={`${classes.header} no-print`}>
        <span className={classes.brand}>
          <img src="/arc.svg" alt="" width={24} height={24} />
          Arc
        </span>
        <span className="soft">Read-only copy</span>
      </header>
      <main id="main">
        <Page title="Read-only copy">
          <PageFault>
            <Suspense fallback={<Skeleton lines={5} />}>{children}</Suspense>
          </PageFault>
        </Page>
      </main>
    </>
  );
}
