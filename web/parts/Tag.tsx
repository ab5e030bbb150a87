import type { ReactNode } from 'react';
import classes from './Tag.module.css';

export type TagTone = 'plain' | 'accent' | 'done' | 'waiting' | 'error' | 'outline' | 'blue';

/** A short state beside a name. Its words carry the meaning; the colour only repeats it. */
export function Tag({ tone = 'plain', children }: { tone?: TagTone; children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone}>
      {children}
    </span>
  );
}
