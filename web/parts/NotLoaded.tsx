import { Button } from '@mantine/core';
import { Callout, Notice } from './Notice.tsx';
import { Skeleton } from './Skeleton.tsx';

/** What stands in place of a page's content while it loads, and after that failed. */
export function NotLoaded({ failed, retry }: { failed: boolean; retry: () => unknown }) {
  return failed ? (
    <Notice
      tone="error"
      title="This could not be loaded"
      text="It is kept on the server. Please try again."
      action={
        <Button variant="default" onClick={() => void retry()}>
          Try again
        </Button>
      }
    />
  ) : (
    <Skeleton lines={5} />
  );
}

/** The same inside a page whose other sections are shown; the title says what failed: "The members could not be loaded". */
export function SectionNotLoaded({
  title,
  failed,
  retry,
  lines = 3,
}: {
  title: string;
  failed: boolean;
  retry: () => unknown;
  /** Height of the skeleton, in lines. */
  lines?: number;
}) {
  return failed ? (
    <Callout
      tone="error"
      title={title}
      action={
        <Button size="xs" variant="default" onClick={() => void retry()}>
          Try again
        </Button>
      }
    />
  ) : (
    <Skeleton lines={lines} />
  );
}
