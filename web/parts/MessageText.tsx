import { Fragment, type ReactNode } from 'react';
import classes from './MessageText.module.css';
import { boldParts, messageBlocks } from './messageBlocks.ts';

/** An agent's text: bullets and numbers become lists, text between double asterisks is bold. */
export function MessageText({ text }: { text: string }) {
  return (
    <div className={classes.text}>
      {messageBlocks(text).map((block, at) => {
        const items = block.lines.map((line, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
          <li key={row}>{withBold(line)}</li>
        ));
        // biome-ignore-start lint/suspicious/noArrayIndexKey: the text does not change
        if (block.kind === 'bullets') return <ul key={at}>{items}</ul>;
        if (block.kind === 'numbers') {
          return (
            <ol key={at} start={block.start}>
              {items}
            </ol>
          );
        }
        return (
          <p key={at}>
            {block.lines.map((line, row) => (
              <Fragment key={row}>
                {row > 0 ? <br /> : null}
                {withBold(line)}
              </Fragment>
            ))}
          </p>
        );
        // biome-ignore-end lint/suspicious/noArrayIndexKey: the text does not change
      })}
    </div>
  );
}

function withBold(line: string): ReactNode[] {
  return boldParts(line).map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
    at % 2 === 1 ? <strong key={at}>{part}</strong> : part,
  );
}
