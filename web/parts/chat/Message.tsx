import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { Attachment, ChatMessage } from '../../../models/contracts/chat.ts';
import { download } from '../../data/call.ts';
import { showDownloadFailure } from '../../data/chat.ts';
import { momentOf, sizeOf } from '../../data/words.ts';
import { MessageText } from '../MessageText.tsx';
import { Monogram } from '../Monogram.tsx';
import { AskedRows } from './AskedRows.tsx';
import classes from './ChatWindow.module.css';
import { MessageActions } from './MessageActions.tsx';
import type { MessageContext } from './messageContext.ts';
import { ResultCard } from './ResultCard.tsx';
import { Sources } from './Sources.tsx';
import { withoutHeadline } from './withoutHeadline.ts';

const AskedHere = lazy(async () => ({ default: (await import('./AskedHere.tsx')).AskedHere }));

/** One message: sender, time, text, files and the card with figures. */
export function Message({ message, ...context }: { message: ChatMessage } & MessageContext) {
  const own = message.messageType === 'user';
  const pending = message.id === message.clientId;
  // A card with figures comes first, and the text line that repeats them is left out.
  const figured = (message.card?.figures?.length ?? 0) > 0;
  const headline = message.card?.headline;
  const words = figured && headline ? withoutHeadline(message.message, headline) : message.message;
  const sources = message.card?.sources;
  // Links take the place of the lines that name the same sources.
  const text = sources ? words.replace(/\n\nSources:\n(?:\[\d+\] .*\n?)+/, '\n') : words;
  const files = message.attachments.map((file) => <FileLink key={file.url} file={file} />);
  if (own) {
    return (
      <>
        <li className={classes.message} data-from="user">
          <div className={`${classes.body} ${pending ? classes.pending : ''}`}>
            <span className="hidden-label">You said:</span>
            {message.attachments.some((file) => file.name === message.message) ? null : (
              <MessageText text={message.message} />
            )}
            {files}
          </div>
          <time dateTime={message.timestamp}>{pending ? 'Sending…' : momentOf(message.timestamp)}</time>
        </li>
        {message.response ? (
          <li className={classes.message} data-from="assistant">
            <span className={classes.avatar}>
              <Monogram agentId={message.agentId} size={28} />
            </span>
            <div className={classes.body}>
              <MessageText text={message.response} />
            </div>
          </li>
        ) : null}
      </>
    );
  }
  return (
    <li className={classes.message} data-from={message.messageType} data-asks={message.card?.interruptId}>
      <span className={classes.avatar}>
        <Monogram agentId={message.agentId} size={28} />
      </span>
      <div className={classes.body}>
        <div className={classes.by}>
          <strong>{message.agentName ?? 'Arc'}</strong>
          <time dateTime={message.timestamp}>{momentOf(message.timestamp)}</time>
        </div>
        {figured ? <ResultCard message={message} {...context} /> : null}
        {message.card?.asked ? (
          <AskedRows message={message} asked={message.card.asked} agents={context.agents} />
        ) : text ? (
          <MessageText text={text} />
        ) : null}
        {sources ? <Sources sources={sources} /> : null}
        {message.kind === 'question-asked' && message.card?.interruptId ? (
          <Suspense fallback={null}>
            <AskedHere interrupt={context.interrupts.find((it) => it.id === message.card?.interruptId)} />
          </Suspense>
        ) : message.card && !figured && !sources ? (
          <ResultCard message={message} {...context} />
        ) : null}
        {files}
        {message.kind === 'text' && message.messageType === 'assistant' && context.askedBefore ? (
          <MessageActions
            message={message}
            asked={(message.id === context.newest && context.askedBefore.get(message.id)) || null}
          />
        ) : null}
      </div>
    </li>
  );
}

function FileLink({ file }: { file: Attachment }) {
  const save = () => {
    download(file.url, file.name).catch(showDownloadFailure);
  };
  return (
    <button type="button" className={classes.file} onClick={save}>
      <IconDownload size={16} aria-hidden />
      <span>{file.name}</span>
      <span className="soft">{sizeOf(file.size)}</span>
    </button>
  );
}
