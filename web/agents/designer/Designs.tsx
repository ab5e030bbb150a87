import { Button, SegmentedControl } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Design } from '../../../models/contracts/designer/design.ts';
import { download } from '../../data/call.ts';
import { showDownloadFailure } from '../../data/chat.ts';
import { momentOf } from '../../data/words.ts';
import classes from './Designer.module.css';

const WIDTHS = [
  { value: '1280', label: 'Desktop' },
  { value: '360', label: '360 px' },
];
const THEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/**
 * The chosen or newest design in full; the others as links.
 * @param isWaiting whether a question of the designer waits for an answer
 */
export function Designs({ designs, isWaiting }: { designs: readonly Design[]; isWaiting: boolean }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = designs.find(({ id }) => id === chosen) ?? designs[0];
  if (!shown)
    return isWaiting ? (
      <p className="soft">
        The design continues once its question is answered. <Link to="/agent-inbox">Answer it in the inbox</Link>
      </p>
    ) : (
      <p className="soft">No design yet. Describe a screen and run the workflow.</p>
    );
  return (
    <section className={classes.designs} aria-label="Designs">
      <OneDesign key={shown.id} design={shown} />
      {designs.length > 1 ? (
        <ul className={classes.earlier}>
          {designs
            .filter(({ id }) => id !== shown.id)
            .map(({ id, title, createdAt }) => (
              <li key={id}>
                <button type="button" onClick={() => setChosen(id)}>
                  {title}
                </button>
                <span className="soft">{momentOf(createdAt)}</span>
              </li>
            ))}
        </ul>
      ) : null}
    </section>
  );
}

/** The frames as pictures, and a prototype to try. */
function OneDesign({ design }: { design: Design }) {
  const [width, setWidth] = useState('1280');
  const [theme, setTheme] = useState('light');
  const [isOpen, setIsOpen] = useState(false);
  const frames = design.frames.filter((frame) => frame.theme === theme && String(frame.width) === width);
  const save = ({ url, name }: Design['prototype']) => {
    download(url, name).catch(showDownloadFailure);
  };
  return (
    <>
      <div className={classes.head}>
        <h3>{design.title}</h3>
        <span className="soft">{momentOf(design.createdAt)}</span>
      </div>
      <div className={classes.controls}>
        <SegmentedControl size="xs" aria-label="Width" data={WIDTHS} value={width} onChange={setWidth} />
        <SegmentedControl size="xs" aria-label="Theme" data={THEMES} value={theme} onChange={setTheme} />
      </div>
      <ul className={classes.frames} data-width={width}>
        {frames.map(({ url, state }) => (
          <li key={url}>
            <div className={classes.frame}>
              <img src={url} alt={`${design.title}, ${state}, ${theme}`} loading="lazy" />
            </div>
            <span className="soft">{state}</span>
          </li>
        ))}
      </ul>
      <div className={classes.controls}>
        <Button size="xs" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Close the prototype' : 'Try the prototype'}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => save(design.prototype)}
        >
          Prototype
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => save(design.archive)}
        >
          Frames
        </Button>
      </div>
      {isOpen ? (
        <iframe
          className={classes.preview}
          title={`Prototype of ${design.title}`}
          src={design.previewUrl}
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-modals"
        />
      ) : null}
    </>
  );
}
