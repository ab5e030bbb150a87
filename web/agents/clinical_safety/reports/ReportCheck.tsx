import { Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { MAX_REPORT_CHARACTERS } from '../../../../models/contracts/clinical_safety/reportCheck.ts';
import { WorkButton } from '../../../parts/WorkButton.tsx';
import { useTextAnswer } from '../TextAnswer.tsx';
import classes from './CaseReports.module.css';
import { checkReport } from './reports.ts';

/** The check of a safety case report: a file or its text, and what was found in it. */
export function ReportCheck({ userAgentId }: { userAgentId: number }) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const { busy, run, shown } = useTextAnswer<'file' | 'text'>(
    'CSCR Analysis Failed',
    'The report was not read. Please try again.',
  );
  const check = (of: 'file' | 'text', given: File | string) => run(of, () => checkReport(userAgentId, given));
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
      {shown}
    </section>
  );
}
