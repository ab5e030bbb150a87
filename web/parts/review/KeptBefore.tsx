import { Button } from '@mantine/core';
import { count } from '../../data/words.ts';
import classes from './Review.module.css';

/** Shows the decisions that were kept from the review before, and says how many they are. */
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
