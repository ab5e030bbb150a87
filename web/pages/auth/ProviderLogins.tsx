import { Button } from '@mantine/core';
import { IconBrandGoogle, IconBrandWindows } from '@tabler/icons-react';
import classes from './AuthPage.module.css';

/** A button for each provider that this server has configured; nothing where there is none. */
export function ProviderLogins({ providers }: { providers: { google: boolean; microsoft: boolean } }) {
  if (!providers.google && !providers.microsoft) return null;
  return (
    <>
      <div className={classes.providers}>
        {providers.google ? (
          <Button
            component="a"
            href="/api/oauth/google/auth"
            variant="default"
            leftSection={<IconBrandGoogle size={16} />}
          >
            Continue with Google
          </Button>
        ) : null}
        {providers.microsoft ? (
          <Button
            component="a"
            href="/api/oauth/microsoft/auth"
            variant="default"
            leftSection={<IconBrandWindows size={16} />}
          >
            Continue with Microsoft
          </Button>
        ) : null}
      </div>
      <div className={classes.or}>or with e-mail</div>
    </>
  );
}
