import { Button } from '@mantine/core';
import { IconBrandGoogle, IconBrandWindows } from '@tabler/icons-react';
import { rememberPlace } from '../../data/nextPlace.ts';
import classes from './AuthPage.module.css';

const PROVIDERS = [
  { id: 'google', name: 'Google', Icon: IconBrandGoogle },
  { id: 'microsoft', name: 'Microsoft', Icon: IconBrandWindows },
] as const;

/** A button for each configured login provider; nothing if there is none. */
export function ProviderLogins({
  providers,
  next,
}: {
  providers: Record<(typeof PROVIDERS)[number]['id'], boolean>;
  /** Path to open after the login; remembered while the browser is at the provider. */
  next: string;
}) {
  const configured = PROVIDERS.filter((provider) => providers[provider.id]);
  if (configured.length === 0) return null;
  return (
    <>
      <div className={classes.providers}>
        {configured.map(({ id, name, Icon }) => (
          <Button
            key={id}
            component="a"
            href={`/api/oauth/${id}/auth`}
            variant="default"
            leftSection={<Icon size={16} />}
            onClick={() => rememberPlace(next)}
          >
            Continue with {name}
          </Button>
        ))}
      </div>
      <div className={classes.or}>or with email</div>
    </>
  );
}
