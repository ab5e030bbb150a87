import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Failure } from '../../../models/contracts/admin.ts';
import { drop, tryAgain, useFailures } from '../../data/admin.ts';
import { textOf } from '../../data/call.ts';
import { showFailure, showToast } from '../../data/toasts.ts';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { Notice } from '../../parts/Notice.tsx';
import { Page, PageHead } from '../../parts/Page.tsx';
import { Skeleton } from '../../parts/Skeleton.tsx';
import { type Column, SortableTable } from '../../parts/table/SortableTable.tsx';
import { WorkButton } from '../../parts/WorkButton.tsx';
import classes from './Admin.module.css';
import { AdminOnly } from './AdminOnly.tsx';
import { FAILURE_COLUMNS } from './failureColumns.tsx';

const columns: Column<Failure>[] = [
  ...FAILURE_COLUMNS,
  { id: 'again', header: 'Try again', width: '110px', cell: (failure) => <Again failure={failure} /> },
  { id: 'drop', header: 'Drop', width: '110px', cell: (failure) => <Drop failure={failure} /> },
];

function Again({ failure }: { failure: Failure }) {
  const [busy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    try {
      await tryAgain(failure);
      showToast({ title: 'Trying again', message: failure.what, tone: 'done' });
    } catch (error) {
      showFailure('Not tried again', textOf(error, 'Please try again.'));
    }
    setBusy(false);
  };
  return (
    <WorkButton
      size="xs"
      variant="default"
      busy={busy}
      aria-label={`Try again: ${failure.what} of ${failure.companyName}, ${failure.id.slice(-6)}`}
      onClick={() => void again()}
    >
      Try again
    </WorkButton>
  );
}

function Drop({ failure }: { failure: Failure }) {
  const of = `${failure.what} of ${failure.companyName}, ${failure.id.slice(-6)}`;
  const dropNow = async () => {
    try {
      await drop(failure);
      showToast({ title: 'Dropped', message: failure.what, tone: 'done' });
    } catch (error) {
      showFailure('Not dropped', textOf(error, 'Please try again.'));
    }
  };
  return <ConfirmButton label="Drop" of={of} sure={`Drop for good: ${of}`} onConfirm={dropNow} />;
}

/** Failures that Arc no longer retries, in any company, each with buttons to try again and to drop it. */
export function FailuresPage() {
  return (
    <AdminOnly title="What failed">
      <Failures />
    </AdminOnly>
  );
}

function Failures() {
  const { data, error, mutate } = useFailures();
  return (
    <Page title="What failed">
      <PageHead
        title="What failed"
        subtitle="Messages, questions, mails and webhooks that could not be delivered, and answers that could not be fully applied. No content is shown."
        before={
          <Link to="/admin" className={classes.back}>
            <IconArrowLeft size={16} aria-hidden />
            Back to Admin
          </Link>
        }
      />
      {error && !data ? (
        <Notice
          tone="error"
          title="The failures could not be loaded"
          text="Nothing was changed. Check your connection and try again."
          action={<Button onClick={() => void mutate()}>Try again</Button>}
        />
      ) : !data ? (
        <Skeleton lines={6} height={18} />
      ) : (
        <>
          {data.total > data.failures.length ? (
            <p className="soft">
              The newest {data.failures.length} of {data.total}.
            </p>
          ) : null}
          <SortableTable
            label="What failed"
            rows={data.failures}
            columns={columns}
            keyOf={({ kind, id }) => `${kind}:${id}`}
            empty="Nothing has failed."
          />
        </>
      )}
    </Page>
  );
}
