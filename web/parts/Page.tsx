import type { ReactNode } from 'react';
import classes from './Page.module.css';
import { usePageTitle } from './shell/pageTitle.ts';

/** Layout of a page; sets the title of the browser's tab. */
export function Page({
  title,
  children,
  narrow = false,
  reading = false,
}: {
  title: string;
  children: ReactNode;
  narrow?: boolean;
  reading?: boolean;
}) {
  usePageTitle(title);
  return (
    <div className={classes.page} data-narrow={narrow || undefined} data-reading={reading || undefined}>
      {children}
    </div>
  );
}

/** A page's heading with subtitle and actions. */
export function PageHead({
  title,
  subtitle,
  before,
  actions,
}: {
  title: string;
  subtitle?: string;
  before?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className={classes.head}>
      <div>
        {before}
        <h1>{title}</h1>
        {subtitle ? <p className="soft">{subtitle}</p> : null}
      </div>
      {actions ? <div className={classes.actions}>{actions}</div> : null}
    </header>
  );
}
