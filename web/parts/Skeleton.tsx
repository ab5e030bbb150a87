import classes from './Skeleton.module.css';

/** Grey lines where content is being read; screen readers hear "Loading". */
export function Skeleton({ lines = 3, height = 14 }: { lines?: number; height?: number }) {
  return (
    <div className={classes.stack} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <div key={at} className={classes.line} style={{ height, width: `${[100, 82, 91, 64][at % 4]}%` }} />
      ))}
    </div>
  );
}
