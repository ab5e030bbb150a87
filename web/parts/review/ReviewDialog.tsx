import '../../styles/wholePage.ts';
import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { AnswerBody, Interrupt } from '../../../models/contracts/interrupts.ts';
import { closeToast } from '../../data/toasts.ts';
import { Notice } from '../Notice.tsx';
import { Skeleton } from '../Skeleton.tsx';
import classes from './Review.module.css';
import { ReviewTable } from './ReviewTable.tsx';

/** The row review as a dialog over the chat, the workspace or the inbox. */
export function ReviewDialog({
  interrupt,
  surface = 'inbox',
  onClose,
}: {
  interrupt: Interrupt | null;
  /** Where it was opened from; recorded with the answer. */
  surface?: NonNullable<AnswerBody['surface']>;
  onClose: () => void;
}) {
  const small = useMediaQuery('(max-width: 760px)');
  // Closes the toast that led here.
  useEffect(closeToast, []);
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen={small}
      size="min(1180px, calc(100vw - 48px))"
      padding={0}
      title={
        <>
          {interrupt?.context.title ?? interrupt?.view.label ?? 'Review'}
          {interrupt?.view.rows ? (
            <Link className={classes.asPage} to={`/review/${interrupt.id}`} onClick={onClose}>
              Open as a page
            </Link>
          ) : null}
        </>
      }
      closeButtonProps={{ 'aria-label': 'Close the review' }}
      styles={{
        header: { padding: '12px 20px', borderBottom: '1px solid var(--arc-line)' },
        title: { fontWeight: 600 },
        content: { display: 'flex', flexDirection: 'column', maxHeight: small ? undefined : 'calc(100dvh - 10dvh)' },
        body: { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0 },
      }}
    >
      {interrupt?.view.rows ? (
        <ReviewTable interrupt={interrupt} view={interrupt.view.rows} surface={surface} onDone={onClose} />
      ) : (
        <div style={{ padding: 24 }}>
          <Skeleton lines={5} />
          <Notice
            level={3}
            title="Looking for the question"
            text="It may have been withdrawn. Close this and check your inbox."
          />
        </div>
      )}
    </Modal>
  );
}
