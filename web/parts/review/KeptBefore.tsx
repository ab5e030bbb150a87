import { Button } from '@mantine/core';
import { count } from '../../data/words.ts';
import classes from './Review.module.css';

/** A button that shows the decisions kept from the previous review, with their number. */
export function KeptBefore({ kept, onShow }: { kept: number; onShow: () => void }) {
  if (kept === 0) return null;
  return (
    <div className={classes.mass}>
      <Button size="xs" variant="default" onClick={onShow}>
        Show the {count(kept, 'decision')} kept from before
      </Button>
    </div>
  );
}
