import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import classes from './Review.module.css';
import { clashText } from './reviewText.ts';

/** Says that a colleague decided rows differently, with a button to the first. The foot announces it to screen readers. */
export function ClashBar({ rows, by, onShow }: { rows: number; by: string | null; onShow: () => void }) {
  if (rows === 0) return null;
  return (
    <div className={classes.unsent}>
      <IconUsers size={20} stroke={1.7} aria-hidden />
      <p>
        <strong>{clashText(rows, by)}</strong>{' '}
        <span className={classes.wide}>Choose which {rows === 1 ? 'decision' : 'decisions'} to keep.</span>
      </p>
      <Button size="xs" variant="default" onClick={onShow}>
        Look at {rows === 1 ? 'it' : 'them'}
      </Button>
    </div>
  );
}
