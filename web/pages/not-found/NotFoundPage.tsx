import { Button } from '@mantine/core';
import { IconCompass } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { Notice } from '../../parts/Notice.tsx';
import { Page } from '../../parts/Page.tsx';

/** Shown for unknown paths. */
export function NotFoundPage() {
  return (
    <Page title="Page Not Found" narrow>
      <Notice
        level={1}
        icon={<IconCompass size={20} />}
        title="Page Not Found"
        text="There is no page at this address. It may have moved, or the link may be incomplete."
        action={
          <Button component={Link} to="/">
            Back to Home
          </Button>
        }
      />
    </Page>
  );
}
