import '../../styles/wholePage.ts';
import { Button } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SessionUser } from '../../../models/contracts/auth.ts';
import { webAgent } from '../../agents/index.ts';
import { useAgents } from '../../data/agents.ts';
import { textOf } from '../../data/call.ts';
import { putSample, useHistory } from '../../data/chat.ts';
import { useInterrupts } from '../../data/interrupts.ts';
import { showFailure } from '../../data/toasts.ts';
import { AutomationPanel } from '../automation/AutomationPanel.tsx';
import { Callout, Notice } from '../Notice.tsx';
import { Skeleton } from '../Skeleton.tsx';
import { WorkButton } from '../WorkButton.tsx';
import classes from './ChatWindow.module.css';
import { Composer } from './Composer.tsx';
import { MessageList } from './MessageList.tsx';
import { QuickActions } from './QuickActions.tsx';
import { ThreadBar } from './ThreadBar.tsx';
import { useUpload } from './useUpload.ts';

const ReviewDialog = lazy(async () => ({ default: (await import('../review/ReviewDialog.tsx')).ReviewDialog }));

/** The chat with the agents: history, running work, files and the message box. */
export function ChatWindow({ user }: { user: SessionUser }) {
  const history = useHistory(true);
  const foot = useRef<HTMLDivElement>(null);
  const hired = useAgents(true).data;
  const agents = hired ?? [];
  const ids = agents.filter((agent) => agent.status === 'onboarded').map((agent) => agent.id);
  const { data: interrupts = [] } = useInterrupts(ids);
  const [reviewing, setReviewing] = useState<number | null>(null);
  const [sampling, setSampling] = useState(false);
  const files = webAgent(history.data?.spokenTo)?.files;
  const uploading = useUpload(files);

  const trySample = async () => {
    if (sampling) return;
    setSampling(true);
    try {
      await putSample();
    } catch (error) {
      showFailure('The sample could not be loaded', textOf(error, 'Nothing was changed. Please try again.'));
    }
    setSampling(false);
  };

  if (history.error && !history.data) {
    return (
      <Notice
        tone="error"
        title="The conversation could not be loaded"
        text="Nothing is lost. Check your connection and try again."
        action={<Button onClick={() => void history.mutate()}>Try again</Button>}
      />
    );
  }
  const data = history.data;
  const empty = data?.messages.length === 0 && data.working.length === 0;
  const onboarded = agents.filter((agent) => agent.status === 'onboarded');
  const ready = onboarded.length > 0;

  return (
    <div className={classes.layout}>
      <section
        className={`card ${classes.window}`}
        aria-label="Chat"
        data-dragging={uploading.dragging || undefined}
        {...uploading.dropTarget}
      >
        {data ? <ThreadBar history={data} agents={onboarded} /> : null}
        {!data ? (
          <div className={classes.loading}>
            <Skeleton lines={6} height={18} />
          </div>
        ) : empty ? (
          <div className={classes.empty}>
            <Notice
              icon={<IconMessageCircle size={20} />}
              title="Talk to your agents"
              text={files?.invitation ?? 'Give them work, or ask what they can do.'}
              action={
                files ? (
                  <>
                    <WorkButton onClick={trySample} busy={sampling}>
                      Try it with a sample
                    </WorkButton>
                    <Button variant="default" onClick={uploading.choose}>
                      Upload a file
                    </Button>
                  </>
                ) : null
              }
            />
          </div>
        ) : (
          <MessageList
            key={data.conversation}
            history={data}
            foot={foot}
            interrupts={interrupts}
            agents={agents}
            onReview={setReviewing}
            onUpload={uploading.choose}
            onSample={trySample}
          />
        )}
        {data && hired && !ready ? (
          <div className={classes.notice}>
            <Callout tone="waiting" title="No agent is onboarded yet">
              <Link to="/#team">Hire and onboard one</Link> to get answers here.
            </Callout>
          </div>
        ) : null}
        <div ref={foot} className={classes.foot}>
          {data ? (
            <QuickActions
              history={data}
              interrupts={interrupts}
              agents={onboarded}
              user={user}
              isUploading={uploading.busy}
              onReview={setReviewing}
            />
          ) : null}
          <Composer uploading={uploading} attach={files?.attach ?? 'Attach a file'} />
        </div>
        {uploading.dragging ? (
          <div className={classes.drop} aria-hidden>
            {files?.drop ?? 'Drop a file'}
          </div>
        ) : null}
      </section>
      {files ? (
        <files.Panel
          ready={data?.ready ?? null}
          sources={data?.sources ?? {}}
          isWorking={data?.working.some((run) => run.status === 'working') ?? false}
          uploading={uploading}
          onSample={empty ? null : trySample}
          sampling={sampling}
        />
      ) : null}
      <AutomationPanel />
      {reviewing !== null ? (
        <Suspense fallback={null}>
          <ReviewDialog
            interrupt={interrupts.find((it) => it.id === reviewing) ?? null}
            surface="arc-chat"
            onClose={() => setReviewing(null)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}
