import { Button, type ButtonProps, Loader } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';

/**
 * A button for work that takes a moment. While busy it shows a loader and ignores presses, but keeps the keyboard's
 * focus, which a disabled button would lose.
 */
export function WorkButton({
  busy = false,
  onClick,
  leftSection,
  ...rest
}: ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & { busy?: boolean }) {
  return (
    <Button
      {...rest}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      leftSection={busy ? <Loader size={14} color="currentColor" aria-hidden /> : leftSection}
      onClick={(event) => {
        // A click that is prevented submits no form either.
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
