import type { Interrupt } from '../../../models/contracts/interrupts.ts';
import { CallError, codeOf } from '../../data/call.ts';
import { readInterrupt, saveDraft, showInterrupt } from '../../data/interrupts.ts';
import { shownPerson } from '../../data/person.ts';
import {
  byId,
  type Clashes,
  changedRows,
  chosenMatches,
  combine,
  type Decisions,
  decidedRows,
  type Kept,
  readDraft,
  unsavedRows,
  withChanges,
} from './decisions.ts';
import { onUnsent, readUnsent, type Sent, type Unsent, writeUnsent } from './unsent.ts';

const SAVE_DELAY_MS = 350;
const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 30_000;
/** Sends without an answer that are remembered. */
const MAX_SENT = 8;

export type SaveState = 'saved' | 'saving' | 'waiting';

type Review = {
  decisions: Decisions;
  /** Rows that a colleague decided before this person's decision was sent. */
  clashes: Clashes;
  state: SaveState;
  /** Why rows are unsent; null without trouble. Both kinds are retried. */
  trouble: 'offline' | 'failed' | null;
  /** How many rows the server does not have yet. */
  unsent: number;
  /** Ids of those rows. */
  unsentRows: readonly string[];
  /** Whether those rows are stored on this device, so that they outlive a reload. */
  isOnDevice: boolean;
  /** Who else has saved here. */
  other: string | null;
  /** Rows whose decision came from the previous review and is unchanged. */
  carried: ReadonlySet<string>;
};

export type Keeper = ReturnType<typeof makeKeeper>;

/**
 * Keeps the decisions of a review: on this device at once, on the server after a short delay. Merges the changes of
 * colleagues.
 * @param notify called after each change
 */
export function makeKeeper(first: Interrupt, notify: () => void) {
  const { id, userAgentId } = first;
  const person = shownPerson() ?? '';
  const left = readUnsent(person, id);
  let base = left?.base ?? readDraft(first.draft);
  let mine = left?.mine ?? base;
  let clashes: Clashes = left?.clashes ?? {};
  // The answer of a send may never come: the page is reloaded, the line breaks. Until a later version is known, the
  // draft may be what was sent or what it was before, and one more send decides it: the server takes one per version.
  let sent: readonly Sent[] = left?.sent ?? [];
  let version = left?.version ?? first.draft?.version ?? 0;
  let kept = new Set(first.draft?.kept ?? []);
  let isOpen = first.status === 'pending';
  let state: SaveState = 'saved';
  let trouble: Review['trouble'] = null;
  let other: string | null = null;
  let isOnDevice = true;
  let saving: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_RETRY_MS;
  let view: Review;

  const sentRows = () => sent.map(({ rows }) => rows);
  const unsaved = () => unsavedRows(mine, base, sentRows());
  const noteSent = (rows: Decisions) => {
    sent = [...sent, { version, rows }].slice(-MAX_SENT);
    persist();
  };
  /** Sets the version that the server has: what was sent for an earlier one is saved or refused by now. */
  const reach = (next: number) => {
    version = next;
    sent = sent.filter((one) => one.version >= next);
  };

  const updateView = () => {
    const changed = unsaved();
    view = {
      decisions: mine,
      clashes,
      state: changed.length === 0 ? 'saved' : state,
      trouble: changed.length === 0 ? null : trouble,
      unsent: changed.length,
      unsentRows: changed,
      isOnDevice,
      other,
      carried: new Set([...kept].filter((row) => !changed.includes(row))),
    };
  };
  const draw = () => {
    updateView();
    notify();
  };
  const persist = () => {
    const isDone = unsaved().length === 0 && Object.keys(clashes).length === 0;
    const unsent: Unsent | null = isDone ? null : { userAgentId, version, base, mine, clashes, sent: [...sent] };
    isOnDevice = writeUnsent(person, id, unsent);
  };
  const saveAfter = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), milliseconds);
  };

  /** Merges the server's current draft. */
  const mergeDraft = (standing: Interrupt) => {
    const theirs = readDraft(standing.draft);
    const both = combine(mine, base, theirs, sentRows());
    clashes = { ...clashes, ...both.clashes };
    mine = both.decisions;
    base = theirs;
    reach(standing.draft?.version ?? 0);
    kept = new Set(standing.draft?.kept ?? []);
    if (standing.draft?.savedBy) other = standing.draft.savedBy;
    persist();
  };

  const send = async () => {
    for (let tries = 0; tries < 4 && isOpen && unsaved().length > 0; tries += 1) {
      const rows = mine;
      // Before it is sent: a reload may come before its answer.
      noteSent(rows);
      try {
        const saved = await saveDraft(id, decidedRows(rows), chosenMatches(rows), version);
        base = rows;
        reach(saved.draft?.version ?? version + 1);
        kept = new Set(saved.draft?.kept ?? []);
        persist();
        void showInterrupt(saved);
      } catch (error) {
        if (codeOf(error) !== 'conflict') {
          // Refused, not lost: the server has not saved it.
          if (error instanceof CallError && error.status < 500) sent = sent.filter((one) => one.rows !== rows);
          throw error;
        }
        const standing = await readInterrupt(userAgentId, id);
        if (standing) await showInterrupt(standing);
        // While an answer is being sent, the version must stay the one that its sender saw.
        if (!isOpen) return;
        // Answered or withdrawn in the meantime: unsent decisions stay on this device, and the review shows them.
        if (standing?.status !== 'pending') isOpen = false;
        else mergeDraft(standing);
      }
    }
  };

  const save = (): Promise<void> => {
    saving ??= (async () => {
      clearTimeout(timer);
      state = 'saving';
      draw();
      try {
        await send();
        wait = FIRST_RETRY_MS;
        state = 'saved';
        trouble = null;
        if (isOpen && unsaved().length > 0) saveAfter(SAVE_DELAY_MS);
      } catch (error) {
        state = 'waiting';
        trouble = error instanceof CallError ? 'failed' : 'offline';
        saveAfter(wait);
        wait = Math.min(MAX_RETRY_MS, wait * 2);
      } finally {
        saving = null;
        draw();
      }
    })();
    return saving;
  };

  onUnsent(person, id, (elsewhere) => {
    // Decisions of another tab are applied here too, so that neither tab overwrites the other's.
    if (elsewhere) {
      mine = withChanges(mine, elsewhere.base, elsewhere.mine);
      clashes = { ...elsewhere.clashes, ...clashes };
      draw();
    }
  });
  updateView();

  return {
    current: () => view,
    /** Decides rows or removes decisions. */
    decide(changes: readonly Kept[], removed: readonly string[] = []): void {
      if (!isOpen) return;
      const next = { ...mine, ...byId(changes) };
      for (const row of removed) delete next[row];
      const settled = { ...clashes };
      for (const row of [...changes.map((change) => change.id), ...removed]) delete settled[row];
      mine = next;
      clashes = settled;
      persist();
      if (state === 'saved') state = 'saving';
      draw();
      // While offline, a retry is already scheduled.
      if (trouble !== 'offline' || navigator.onLine) saveAfter(SAVE_DELAY_MS);
    },
    /** Resolves a clash: keeps theirs, or decides mine again. */
    settle(row: string, whose: 'mine' | 'theirs'): void {
      const own = clashes[row];
      if (own === undefined) return;
      if (whose === 'mine') {
        if (own) this.decide([own]);
        else this.decide([], [row]);
        return;
      }
      const { [row]: _, ...rest } = clashes;
      clashes = rest;
      persist();
      draw();
    },
    /** Processes the question's newest state from the socket or the poll. */
    note(interrupt: Interrupt): void {
      if (interrupt.status !== 'pending') {
        isOpen = false;
        clearTimeout(timer);
        return;
      }
      if (!isOpen) return;
      if ((interrupt.draft?.version ?? 0) > version && !saving) {
        mergeDraft(interrupt);
        draw();
      }
      if (unsaved().length > 0 && state === 'saved') saveAfter(0);
    },
    save,
    /** Saves unsent decisions in a request that outlives the page (`keepalive`). */
    leave(): void {
      clearTimeout(timer);
      if (!isOpen || unsaved().length === 0) return;
      noteSent(mine);
      void saveDraft(id, decidedRows(mine), chosenMatches(mine), version, { keepalive: true }).catch(() => undefined);
    },
    /** Sends the answer. Drafts are not saved during the request; stored decisions are removed after it. */
    async answering(send: (draftVersion: number) => Promise<Interrupt>): Promise<Interrupt> {
      clearTimeout(timer);
      isOpen = false;
      try {
        // A draft save in progress creates a new version; an answer with the old version would be refused.
        await saving;
        clearTimeout(timer);
        const answered = await send(version);
        base = mine;
        sent = [];
        clashes = {};
        // The first of two signatures: the review stays open, with what was signed as its draft.
        isOpen = answered.status === 'pending';
        version = answered.draft?.version ?? version;
        kept = new Set(answered.draft?.kept ?? []);
        persist();
        draw();
        return answered;
      } catch (error) {
        isOpen = true;
        saveAfter(SAVE_DELAY_MS);
        throw error;
      }
    },
    /** Discards the unsent decisions of a closed question. */
    discard(): void {
      mine = base;
      sent = [];
      clashes = {};
      persist();
      draw();
    },
    /** Decisions made here that are missing from a closed question. */
    leftOver: (): Kept[] => changedRows(mine, base).flatMap((row) => mine[row] ?? []),
    /** Reads the question again. @returns whether a colleague changed rows that this page did not show */
    async readAgain(): Promise<boolean> {
      const standing = await readInterrupt(userAgentId, id);
      if (!standing) return false;
      await showInterrupt(standing);
      const before = mine;
      if (standing.status === 'pending' && (standing.draft?.version ?? 0) > version) mergeDraft(standing);
      draw();
      return changedRows(before, mine).length > 0;
    },
  };
}
