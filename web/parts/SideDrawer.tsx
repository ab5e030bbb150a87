import '@mantine/core/styles/Drawer.layer.css';
import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './SideDrawer.module.css';

/** A panel at the right edge with one thing in full. Closing it returns the focus. */
export function SideDrawer({
  title,
  close,
  onClose,
  children,
}: {
  title: string;
  /** Label of the button that closes it. */
  close: string;
  onClose: () => void;
  children: ReactNode;
}) {
  // Drawn only while it is open, so it returns the focus itself.
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // One that the address opened has no opener: then the page's main part takes the focus.
      const back = opener === document.body ? document.getElementById('main') : opener;
      if (back instanceof HTMLElement) setTimeout(() => back.focus({ preventScroll: back !== opener }), 0);
    },
    [opener],
  );
  return (
    <Drawer.Root opened onClose={onClose} position="right" size={480} returnFocus={false}>
      <Drawer.Overlay />
      <Drawer.Content>
        {/* Not Drawer.Header: its header element counts as a second banner of the page. */}
        <div className={classes.head}>
          <Drawer.Title className={classes.title}>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label={close} />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
