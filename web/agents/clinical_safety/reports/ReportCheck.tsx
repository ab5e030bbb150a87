import { Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { MAX_REPORT_CHARACTERS } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import { plainTextOf } from '../../../data/call.ts';
import { showFailure } from '../../../data/toasts.ts';
import { MessageText } from '../../../parts/MessageText.tsx';
import { Callout } from '../../../parts/Notice.tsx';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import classes from './CaseReports.module.css';
import { checkReport } from './reports.ts';

const FAILED = 'CSCR Analysis Failed';

/** The check of a safety case report: a file or its text, and what was found in it. */
export function ReportCheck({ userAgentId }: { userAgentId: number }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState<'file' | 'text' | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [found, setFound] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const check = async (of: 'file' | 'text', given: File | string) => {
    setBusy(of);
    setFault(null);
    try {
      setFound(await checkReport(userAgentId, given));
    } catch (error) {
      const says = plainTextOf(error, 'The report was not read. Please try again.');
      setFound(null);
      setFault(says);
      showFailure(FAILED, says);
    }
    setBusy(null);
  };
  return (
    <section className={classes.section} aria-label="Check a safety case report">
      <h3>Check a safety case report</h3>
      <p className="soft small">
        Sections found and missing, places left open, and how it agrees with the newest analysis of your log. A Word
        document, Markdown, or pasted text; nothing is changed.
      </p>
      <input
        ref={input}
        type="file"
        accept=".docx,.md,.txt"
        hidden
        aria-label="Safety case report"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file) void check('file', file);
        }}
      />
      <div>
        <WorkButton
          variant="default"
          busy={busy === 'file'}
          disabled={busy === 'text'}
          onClick={() => input.current?.click()}
        >
          Choose a report to check
        </WorkButton>
      </div>
      <details>
        <summary className="soft small">Or paste its text</summary>
        <div className={classes.pasted}>
          <Textarea
            label="Text of the report"
            autosize
            minRows={4}
            maxRows={12}
            maxLength={MAX_REPORT_CHARACTERS}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <div>
            <WorkButton
              variant="default"
              busy={busy === 'text'}
              disabled={busy === 'file' || !text.trim()}
              onClick={() => check('text', text)}
            >
              Check the text
            </WorkButton>
          </div>
        </div>
      </details>
      {fault ? (
        <Callout tone="error" title={FAILED}>
          {fault}
        </Callout>
      ) : null}
      {found ? (
        <div className={classes.found} role="status">
          <MessageText text={found} />
        </div>
      ) : null}
    </section>
  );
}
