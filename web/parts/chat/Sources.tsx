import { Link } from 'react-router-dom';
import type { Source } from '../../../models/contracts/chat.ts';
import classes from './ChatWindow.module.css';

/** The sources of an answer, each a link to the row that it names. */
export function Sources({ sources }: { sources: readonly Source[] }) {
  return (
    <ul className={classes.sources} aria-label="Sources">
      {sources.map(({ number, label, path }) => (
        <li key={`${number} ${label}`}>
          <span className="soft">[{number}]</span> <Link to={path}>{label}</Link>
        </li>
      ))}
    </ul>
  );
}
