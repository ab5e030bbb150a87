import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { WorkspaceDocument } from '../../../models/contracts/documents.ts';
import { FILE_KINDS } from '../../agents/index.ts';
import { CallError, textOf } from '../../data/call.ts';
import {
  DOCUMENT_TYPES,
  documentFault,
  removeDocument,
  sendDocument,
  sendDocumentToChat,
  useDocuments,
} from '../../data/documents.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { count, momentOf, sizeOf } from '../../data/words.ts';
import { Callout, Notice } from '../../parts/Notice.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { Tag } from '../../parts/Tag.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './SandboxDocuments.module.css';

/** Documents kept in Arc while no external workspace is connected: list, add, open, use in the chat, delete. */
export function SandboxDocuments({ chat }: { chat: boolean }) {
  const { data, error, mutate } = useDocuments();
  const [adding, setAdding] = useState<string | null>(null);
  const [fault, setFault] = useState<{ title: string; text: string } | null>(null);
  const input = useRef<HTMLInputElement>(null);

  const add = async (files: readonly File[]) => {
    setFault(null);
    for (const file of files) {
      const wrong = documentFault(file);
      if (wrong) {
        setFault({ title: wrong.title, text: `${file.name} was not added. ${wrong.message}` });
        continue;
      }
      setAdding(file.name);
      try {
        await sendDocument(file);
        showToast({ title: 'Document added', message: file.name, tone: 'done' });
      } catch (failure) {
        setFault({
          title: 'Upload failed',
          text: `${file.name} was not added. ${textOf(failure, 'Failed to upload file. Please try again.')}`,
        });
      }
    }
    setAdding(null);
  };

  // A closed workspace stays readable, but an empty one has nothing to show.
  const isShown = !data || data.open || data.documents.length > 0 || fault !== null;
  return (
    <>
      {/* Always there: a file dialog gives what was chosen to the field that opened it, whatever is shown by then. */}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={DOCUMENT_TYPES}
        aria-label="Documents to add"
        onChange={(event) => {
          void add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      {isShown ? (
        <section
          className={`card ${classes.documents}`}
          aria-labelledby="sandbox-documents"
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            void add([...event.dataTransfer.files]);
          }}
        >
          <div className={classes.head}>
            <h3 id="sandbox-documents">Sandbox workspace</h3>
            <Tag>Documents kept in Arc</Tag>
            <span className="soft small figures">{data ? count(data.documents.length, 'document') : ''}</span>
            {data?.open && data.documents.length > 0 ? (
              <AddButton adding={adding} onClick={() => input.current?.click()} />
            ) : null}
          </div>
          {fault ? (
            <Callout tone="error" title={fault.title}>
              {fault.text}
            </Callout>
          ) : null}
          {error && !data ? (
            <Notice
              level={3}
              tone="error"
              title="The documents could not be loaded"
              text="They are safe on the server. Check your connection and try again."
              action={<Button onClick={() => void mutate()}>Try again</Button>}
            />
          ) : !data ? (
            <Skeleton lines={3} />
          ) : (
            <>
              {data.open ? null : (
                <p className="soft">Your company now uses another workspace. Documents added here stay readable.</p>
              )}
              {data.documents.length === 0 ? (
                <div className={classes.empty}>
                  <p>
                    Add what your agents should know: a risk file, a ticket export, a specification. They stay in Arc,
                    in your account only.
                  </p>
                  <AddButton adding={adding} onClick={() => input.current?.click()} />
                  <p className="soft small">PDF, Word, Excel, CSV, Markdown or text, up to 10 MB each.</p>
                </div>
              ) : (
                <ul className={classes.list}>
                  {data.documents.map((document) => (
                    <DocumentLine key={document.id} document={document} chat={chat} />
                  ))}
                </ul>
              )}
            </>
          )}
        </section>
      ) : null}
    </>
  );
}

function AddButton({ adding, onClick }: { adding: string | null; onClick: () => void }) {
  return (
    <WorkButton className={classes.add} size="xs" variant="default" busy={adding !== null} onClick={onClick}>
      {adding === null ? 'Add documents' : `Adding ${adding}`}
    </WorkButton>
  );
}

function DocumentLine({ document, chat }: { document: WorkspaceDocument; chat: boolean }) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>, failed: string) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      showFailure(failed, error instanceof CallError ? textOf(error, '') : 'Check your connection and try again.');
    }
    setBusy(false);
  };
  const use = () =>
    attempt(async () => {
      const { kind, rowCount } = await sendDocumentToChat({ id: document.id });
      showToast({
        title: `${FILE_KINDS[kind] ?? 'File'} added to the chat`,
        message: `${document.name}, ${count(rowCount, 'row')}`,
        tone: 'done',
      });
    }, 'Not added to the chat');
  const remove = () => attempt(() => removeDocument(document.id), 'Not deleted');
  return (
    <li>
      <div className={classes.name}>
        <a href={document.url} download={document.name}>
          {document.name}
        </a>
        <p className="soft small">
          {sizeOf(document.size)}, added by {document.addedBy}, {momentOf(document.addedAt)}
        </p>
      </div>
      {asking ? (
        <div className={classes.actions} data-focus-home tabIndex={-1}>
          <span className="soft">Delete permanently?</span>
          <Button autoFocus size="xs" variant="default" onClick={() => setAsking(false)}>
            Keep
          </Button>
          <WorkButton size="xs" color="red" busy={busy} onClick={remove}>
            Delete {document.name}
          </WorkButton>
        </div>
      ) : (
        <div className={classes.actions}>
          {chat && document.analysable ? (
            <WorkButton
              size="xs"
              variant="default"
              busy={busy}
              onClick={use}
              aria-label={`Use ${document.name} in the chat`}
            >
              Use in the chat
            </WorkButton>
          ) : null}
          {document.deletable ? (
            <Button size="xs" variant="default" onClick={() => setAsking(true)} aria-label={`Delete ${document.name}`}>
              Delete
            </Button>
          ) : null}
        </div>
      )}
    </li>
  );
}
