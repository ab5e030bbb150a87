import { Button } from '@mantine/core';
import { Notice } from './Notice.tsx';
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
