import { IconArrowUp, IconLoader2, IconPaperclip } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, useEffect } from 'react';
import { LIMITS } from '../../../models/contracts/limits.ts';
import { codeOf, textOf } from '../../data/call.ts';
import { send } from '../../data/chat.ts';
import { keepDraft, useDraft } from '../../data/drafts.ts';
import { showFailure } from '../../data/toasts.ts';
import { takeVisitorGoal, visitorGoal } from '../../data/visitorTeam.ts';
import classes from './ChatWindow.module.css';
import { ownMessageSent } from './ownMessage.ts';
import type { Uploading } from './useUpload.ts';

const DRAFT = 'chat';

/** The message box. Enter sends, Shift+Enter starts a new line; the draft outlives a reload. */
export function Composer({ uploading, attach }: { uploading: Uploading; attach: string }) {
  const [text, setText] = useDraft(DRAFT, () => visitorGoal() ?? '');
  // Not while rendering, because React may render the box and drop it before it is shown.
  useEffect(() => {
    const goal = takeVisitorGoal();
    if (goal) keepDraft(DRAFT, goal);
  }, []);

  const submit = async () => {
    const words = text.trim();
    if (!words) return;
    setText('');
    ownMessageSent();
    try {
      await send(words);
    } catch (error) {
      // Restores the text, unless the person has typed something new.
      keepDraft(DRAFT, words);
      setText((now) => now || words);
      const known = codeOf(error);
      showFailure(
        'Message not sent',
        known && known !== 'internal' ? textOf(error, '') : 'Failed to send message. Please try again.',
      );
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  };
  return (
    <form
      className={classes.composer}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <button
        type="button"
        className={classes.composerButton}
        aria-label={attach}
        disabled={uploading.busy}
        onClick={uploading.choose}
      >
        {uploading.busy ? <IconLoader2 size={20} aria-hidden /> : <IconPaperclip size={20} aria-hidden />}
      </button>
      <textarea
        rows={1}
        data-focus-home
        aria-label="Message"
        placeholder="Write to your agents"
        maxLength={LIMITS.chatMessage}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" className={classes.composerButton} aria-label="Send" disabled={!text.trim()}>
        <IconArrowUp size={20} aria-hidden />
      </button>
    </form>
  );
}
