import { Fragment, type ReactNode } from 'react';
import classes from './MessageText.module.css';

/** An agent's words: lines that begin with a bullet become a list, text between double asterisks is bold. */
export function MessageText({ text }: { text: string }) {
  const blocks: { list: boolean; lines: string[] }[] = [];
  for (const line of text.split('\n')) {
    const bullet = /^\s*(?:[•*-]|\d+\.)\s+/.test(line) && !/^\s*\*\*/.test(line);
    const last = blocks.at(-1);
    if (line.trim() === '') blocks.push({ list: false, lines: [] });
    else if (last && last.list === bullet && last.lines.length > 0) last.lines.push(line);
    else blocks.push({ list: bullet, lines: [line] });
  }
  return (
    <div className={classes.text}>
      {blocks
        .filter((block) => block.lines.length > 0)
        .map((block, at) =>
          block.list ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
            <ul key={at}>
              {block.lines.map((line, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
                <li key={row}>{withBold(line.replace(/^\s*(?:[•*-]|\d+\.)\s+/, ''))}</li>
              ))}
            </ul>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
            <p key={at}>
              {block.lines.map((line, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
                <Fragment key={row}>
                  {row > 0 ? <br /> : null}
                  {withBold(line)}
                </Fragment>
              ))}
            </p>
          ),
        )}
    </div>
  );
}

function withBold(line: string): ReactNode[] {
  return line.split(/\*\*(.+?)\*\*/g).map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change
    at % 2 === 1 ? <strong key={at}>{part}</strong> : part,
  );
}
