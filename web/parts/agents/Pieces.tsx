import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { download } from '../../data/call.ts';
import { showDownloadFailure } from '../../data/chat.ts';
import classes from './Pieces.module.css';

/** What an agent has made, as its panel lists it. */
export function Pieces({
  label,
  waiting,
  empty,
  children,
}: {
  /** The list's name for screen readers. */
  label: string;
  /** Says that work waits for an answer; null where nothing waits. */
  waiting: string | null;
  /** What to do while there is nothing; null where there is something. */
  empty: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={classes.list} aria-label={label}>
      {waiting ? (
        <p className="soft">
          {waiting} <Link to="/agent-inbox">Answer it in the inbox</Link>
        </p>
      ) : null}
      {empty ? <p className="soft">{empty}</p> : null}
      {children}
    </section>
  );
}

/** One thing that an agent has made. */
export function Piece({
  title,
  aside,
  source,
  children,
}: {
  title: string;
  /** Beside the title: its state or its time. */
  aside?: ReactNode;
  /** Below the title: what it was made from, and when. */
  source?: ReactNode;
  children: ReactNode;
}) {
  return (
    <article className={classes.piece} aria-label={title}>
      <div className={classes.head}>
        <h3>{title}</h3>
        {aside}
      </div>
      {source ? <p className="soft small">{source}</p> : null}
      {children}
    </article>
  );
}

/** A file to download. `label` is on its button; `fullLabel` also says of what, for screen readers. */
type PieceFile = { url: string; name: string; label: string; fullLabel: string };

/** The buttons that download files of a piece; nothing without files. */
export function PieceFiles({ files }: { files: readonly PieceFile[] }) {
  if (files.length === 0) return null;
  return (
    <div className={classes.files}>
      {files.map(({ url, name, label, fullLabel }) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          aria-label={fullLabel}
          onClick={() => {
            download(url, name).catch(showDownloadFailure);
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** The files of a piece under labels in their order; a file beyond them keeps its name. */
export const filesOf = (
  title: string,
  files: readonly { url: string; name: string }[],
  labels: readonly string[],
): PieceFile[] =>
  files.map((file, at) => {
    const label = labels[at] ?? file.name;
    return { ...file, label, fullLabel: `${label} of ${title}` };
  });
