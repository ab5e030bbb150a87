import { Button } from '@mantine/core';
import { Notice } from './Notice.tsx';

/** Shown if the session could not be read, because it is unknown whether the person may see the page. */
export function SessionUnknown() {
  return (
    <Notice
      level={1}
      tone="error"
      title="Arc could not be reached"
      text="Nothing you saved is lost. Check your connection, then reload the page."
      action={<Button onClick={() => window.location.reload()}>Reload</Button>}
    />
  );
}
