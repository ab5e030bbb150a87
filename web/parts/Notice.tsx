import type { ReactNode } from 'react';
import classes from './Notice.module.css';

/** An empty or error state: what the place is for or what happened, and the one next step. */
export function Notice({
  title,
  text,
  action,
  icon,
  tone = 'plain',
  level = 2,
}: {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
  tone?: 'plain' | 'error';
  level?: 1 | 2 | 3;
}) {
  const Heading = `h${level}` as const;
  return (
    <div className={classes.notice} role={tone === 'error' ? 'alert' : undefined} data-tone={tone}>
      {icon ? (
        <div className={classes.icon} aria-hidden>
          {icon}
        </div>
      ) : null}
      <Heading className={classes.title}>{title}</Heading>
      {text ? <p className={classes.text}>{text}</p> : null}
      {action ? <div className={classes.action}>{action}</div> : null}
    </div>
  );
}

/** A short message inside a page: an error, a warning or a hint. */
export function Callout({
  tone,
  title,
  children,
  action,
}: {
  tone: 'plain' | 'done' | 'waiting' | 'error';
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.callout} data-tone={tone} role={tone === 'error' ? 'alert' : undefined}>
      <div className={classes.calloutText}>
        {title ? <strong>{title}</strong> : null}
        {children ? <div>{children}</div> : null}
      </div>
      {action}
    </div>
  );
}
