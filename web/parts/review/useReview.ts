import { useCallback, useEffect, useRef, useState } from 'react';
import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { codeOf } from '../../data/call.ts';
import { readInterrupt, saveDraft, showInterrupt } from '../../data/interrupts.ts';
import { alike, byId, chosenMatches, combine, type Decisions, decidedRows, type Kept, readDraft } from './decisions.ts';

const PAUSE = 350;
export type SaveState = 'saved' | 'saving' | 'unsaved' | 'failed';

/**
 * The decisions of one review: kept on the server a moment after each change and when the page is left, brought
 * together with what another reviewer saved in between.
 */
export function useReview(interrupt: Interrupt) {
  const [decisions, setDecisions] = useState<Decisions>(() => readDraft(interrupt.draft));
  const [state, setState] = useState<SaveState>('saved');
  const [other, setOther] = useState<string | null>(null);
  const mine = useRef(decisions);
  const base = useRef(decisions);
  const version = useRef(interrupt.draft?.version ?? 0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const saving = useRef(false);
  const { id, userAgentId } = interrupt;
  // What is answered has no draft any more.
  const open = useRef(true);
  if (interrupt.status !== 'pending') open.current = false;

  const take = useCallback((changed: Interrupt) => {
    const theirs = readDraft(changed.draft);
    mine.current = combine(mine.current, base.current, theirs);
    base.current = theirs;
    version.current = changed.draft?.version ?? 0;
    setDecisions(mine.current);
  }, []);

  const save = useCallback(async () => {
    if (saving.current || !open.current) return;
    saving.current = true;
    try {
      for (let tries = 0; tries < 4 && !alike(mine.current, base.current); tries += 1) {
        setState('saving');
        const sent = mine.current;
        try {
          const saved = await saveDraft(id, decidedRows(sent), chosenMatches(sent), version.current);
          base.current = sent;
          version.current = saved.draft?.version ?? version.current + 1;
          void showInterrupt(saved);
        } catch (error) {
          if (codeOf(error) !== 'conflict') throw error;
          const standing = await readInterrupt(userAgentId, id);
          if (standing?.status !== 'pending') {
            if (standing) await showInterrupt(standing);
            return;
          }
          if (standing.draft?.savedBy) setOther(standing.draft.savedBy);
          take(standing);
        }
      }
      setState(alike(mine.current, base.current) ? 'saved' : 'unsaved');
    } catch {
      setState('failed');
    } finally {
      saving.current = false;
    }
  }, [id, userAgentId, take]);

  const decide = useCallback(
    (changes: readonly Kept[], removed: readonly string[] = []) => {
      const next = { ...mine.current, ...byId(changes) };
      for (const gone of removed) delete next[gone];
      mine.current = next;
      setDecisions(next);
      setState('unsaved');
      clearTimeout(timer.current);
      timer.current = setTimeout(save, PAUSE);
    },
    [save],
  );

  // Another reviewer's save reaches this page by the live line or the poll.
  useEffect(() => {
    const seen = interrupt.draft;
    if (!seen || seen.version <= version.current || saving.current) return;
    if (seen.savedBy) setOther(seen.savedBy);
    take(interrupt);
  }, [interrupt, take]);

  // Leaving the page, by whatever way, saves what has not been saved.
  useEffect(() => {
    const leave = () => {
      clearTimeout(timer.current);
      if (!open.current || alike(mine.current, base.current)) return;
      const rows = decidedRows(mine.current);
      const chosen = chosenMatches(mine.current);
      void saveDraft(id, rows, chosen, version.current, { keepalive: true }).catch(() => undefined);
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [id]);

  /** Keeps nothing while the answer is on its way, and nothing after it. */
  const answering = useCallback(
    async (send: () => Promise<unknown>) => {
      clearTimeout(timer.current);
      open.current = false;
      try {
        await send();
      } catch (error) {
        open.current = true;
        timer.current = setTimeout(save, PAUSE);
        throw error;
      }
    },
    [save],
  );

  return { kept: decisions, decide, state, other, retry: save, answering };
}
