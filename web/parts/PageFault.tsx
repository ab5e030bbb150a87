import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Notice } from './Notice.tsx';
import { Page } from './Page.tsx';

type State = { error: Error | null; path: string };

/** Error boundary of a page. If a newer build replaced the page's files, a reload is enough. */
export class PageFault extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null, path: window.location.pathname };

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error, path: window.location.pathname };
  }

  /** Clears the error when the user opens another page. */
  override componentDidUpdate(): void {
    if (this.state.error && this.state.path !== window.location.pathname) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const outdated = error instanceof TypeError && /import|module/i.test(error.message);
    const title = outdated ? 'This page was updated' : 'This page could not be shown';
    return (
      <Page title={title} narrow>
        <Notice
          level={1}
          tone="error"
          title={title}
          text={
            outdated
              ? 'Nothing you saved is lost. Reload to use the new version of Arc.'
              : 'Nothing you saved is lost. Reload the page. If it happens again, tell support what you were doing.'
          }
          action={<Button onClick={() => window.location.reload()}>Reload</Button>}
        />
      </Page>
    );
  }
}
