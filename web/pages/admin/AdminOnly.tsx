import '../../styles/wholePage.ts';
import { Button } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../data/session.ts';
import { Notice } from '../../parts/Notice.tsx';
import { Page } from '../../parts/Page.tsx';
import { SessionEnded } from '../../parts/SessionEnded.tsx';
import { SessionUnknown } from '../../parts/SessionUnknown.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';

/** Shows a page to administrators; others see that access is denied. */
export function AdminOnly({ title, children }: { title: string; children: ReactNode }) {
  const { loading, user, error, ended } = useSession();
  if (user?.isAdmin) return children;
  return (
    <Page title={title} narrow={!loading}>
      {loading ? (
        <Skeleton lines={5} height={18} />
      ) : error ? (
        <SessionUnknown />
      ) : ended ? (
        <SessionEnded />
      ) : (
        <Notice
          level={1}
          icon={<IconShieldLock size={20} />}
          title="Access Denied"
          text="You need admin privileges to access this page."
          action={
            <Button component={Link} to="/">
              Return to Home
            </Button>
          }
        />
      )}
    </Page>
  );
}
