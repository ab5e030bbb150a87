import { Button } from '@mantine/core';
import { Notice } from './Notice.tsx';

/** It could not be read who is signed in: neither the page nor a refusal may be shown. */
export function SessionUnknown() {
  return (
    <Notice
      level={1}
      tone="error"
      title="Arc could not be reached"
      text="Check your connection, then reload the page. Nothing you saved is lost."
      action={<Button onClick={() => window.location.reload()}>Reload</Button>}
    />
  );
}
