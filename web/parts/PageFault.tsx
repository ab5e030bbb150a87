import { Button } from '@mantine/core';
import { useRouteError } from 'react-router-dom';
import { Notice } from './Notice.tsx';
import { Page } from './Page.tsx';

/** What is shown when a page itself fails; a page that was replaced by a newer build only needs a reload. */
export function PageFault() {
  const error = useRouteError();
  const outdated = error instanceof TypeError && /import|fetch/i.test(error.message);
  return (
    <Page title="This page could not be shown" narrow>
      <Notice
        title={outdated ? 'This page was updated' : 'This page could not be shown'}
        text={
          outdated
            ? 'A newer version of Arc is there. Reload to go on; nothing you saved is lost.'
            : 'Nothing you saved is lost. Reload the page; if it stays so, tell support what you were doing.'
        }
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
        level={1}
      />
    </Page>
  );
}
