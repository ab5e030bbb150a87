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
} from './decisions.ts';
import { onUnsent, readUnsent, type Unsent, writeUnsent } from './unsent.ts';

const PAUSE_MS = 350;
const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 30_000;

export type SaveState = 'saved' | 'saving' | 'waiting';

export type Review = {
  decisions: Decisions;
  /** Rows that somebody else decided while this person's decision was not sent. */
  clashes: Clashes;
  state: SaveState;
  /** Why rows wait to be sent; null while all goes well. Both kinds are tried again. */
  trouble: 'offline' | 'failed' | null;
  /** How many rows the server does not have yet. */
  unsent: number;
  /** Whether those rows are kept on this device, and outlive a reload. */
  isOnDevice: boolean;
  /** Who else has saved here. */
  other: string | null;
  /** The rows whose decision came from the review before and was not touched since. */
  carried: ReadonlySet<string>;
};

export type Keeper = ReturnType<typeof makeKeeper>;

/** The same rows, each as one set says where it has changed since the other. */
function withChanges(onto: Decisions, base: Decisions, changed: Decisions): Decisions {
  const next = { ...onto };
  for (const id of changedRows(changed, base)) {
    const row = changed[id];
    if (row) next[id] = row;
    else delete next[id];
  }
  return next;
}

/**
 * Keeps the decisions of a review: on this device at once, on the server a moment later, together with what others decide.
 * @param tell called after each change
 */
export function makeKeeper(first: Interrupt, tell: () => void) {
  const { id, userAgentId } = first;
  const person = shownPerson() ?? '';
  const left = readUnsent(person, id);
  let base = left?.base ?? readDraft(first.draft);
  let mine = left?.mine ?? base;
  let clashes: Clashes = left?.clashes ?? {};
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

  const look = () => {
    const changed = changedRows(mine, base);
    view = {
      decisions: mine,
      clashes,
      state: changed.length === 0 ? 'saved' : state,
      trouble: changed.length === 0 ? null : trouble,
      unsent: changed.length,
      isOnDevice,
      other,
      carried: new Set([...kept].filter((row) => !changed.includes(row))),
    };
  };
  const draw = () => {
    look();
    tell();
  };
  const persist = () => {
    const isDone = changedRows(mine, base).length === 0 && Object.keys(clashes).length === 0;
    const unsent: Unsent | null = isDone ? null : { userAgentId, version, base, mine, clashes };
    isOnDevice = writeUnsent(person, id, unsent);
  };
  const later = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => void save(), milliseconds);
  };

  /** Takes the draft as it stands on the server. */
  const take = (standing: Interrupt) => {
    const theirs = readDraft(standing.draft);
    const both = combine(mine, base, theirs);
    clashes = { ...clashes, ...both.clashes };
    mine = both.decisions;
    base = theirs;
    version = standing.draft?.version ?? 0;
    kept = new Set(standing.draft?.kept ?? []);
    if (standing.draft?.savedBy) other = standing.draft.savedBy;
    persist();
  };

  const send = async () => {
    for (let tries = 0; tries < 4 && isOpen && changedRows(mine, base).length > 0; tries += 1) {
      const sent = mine;
      try {
        const saved = await saveDraft(id, decidedRows(sent), chosenMatches(sent), version);
        base = sent;
        version = saved.draft?.version ?? version + 1;
        kept = new Set(saved.draft?.kept ?? []);
        persist();
        void showInterrupt(saved);
      } catch (error) {
        if (codeOf(error) !== 'conflict') throw error;
        const standing = await readInterrupt(userAgentId, id);
        if (standing) await showInterrupt(standing);
        // An answer that is on its way is held against the draft that its sender saw.
        if (!isOpen) return;
        // Answered or withdrawn in between: what was not sent stays on this device, where the review shows it.
        if (standing?.status !== 'pending') isOpen = false;
        else take(standing);
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
        if (isOpen && changedRows(mine, base).length > 0) later(PAUSE_MS);
      } catch (error) {
        state = 'waiting';
        trouble = error instanceof CallError ? 'failed' : 'offline';
        later(wait);
        wait = Math.min(MAX_RETRY_MS, wait * 2);
      } finally {
        saving = null;
        draw();
      }
    })();
    return saving;
  };

  onUnsent(person, id, (elsewhere) => {
    // What another tab decides is decided here too, so that neither tab's copy replaces the other's.
    if (elsewhere) {
      mine = withChanges(mine, elsewhere.base, elsewhere.mine);
      clashes = { ...elsewhere.clashes, ...clashes };
      draw();
    }
  });
  look();

  return {
    current: () => view,
    /** Decides rows, or takes decisions back. Kept on this device at once and on the server a moment later. */
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
      // Without a line the retry is set already.
      if (trouble !== 'offline' || navigator.onLine) later(PAUSE_MS);
    },
    /** Settles a clash: theirs stands, or mine is decided again. */
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
    /** Takes what the server says of the question now, by the live line or the poll. */
    note(interrupt: Interrupt): void {
      if (interrupt.status !== 'pending') {
        isOpen = false;
        clearTimeout(timer);
        return;
      }
      if (!isOpen) return;
      if ((interrupt.draft?.version ?? 0) > version && !saving) {
        take(interrupt);
        draw();
      }
      if (changedRows(mine, base).length > 0 && state === 'saved') later(0);
    },
    save,
    /** Saves what is not saved, in a call that outlives the page. */
    leave(): void {
      clearTimeout(timer);
      if (!isOpen || changedRows(mine, base).length === 0) return;
      void saveDraft(id, decidedRows(mine), chosenMatches(mine), version, { keepalive: true }).catch(() => undefined);
    },
    /** Sends the answer. Nothing is saved while it is on its way, and nothing is kept after it. */
    async answering(send: (draftVersion: number) => Promise<unknown>): Promise<void> {
      clearTimeout(timer);
      isOpen = false;
      try {
        // A draft of one's own that is on its way makes a new version: sent before it, the answer would be refused.
        await saving;
        clearTimeout(timer);
        await send(version);
        base = mine;
        clashes = {};
        persist();
        draw();
      } catch (error) {
        isOpen = true;
        later(PAUSE_MS);
        throw error;
      }
    },
    /** Gives up what was not sent: the question is closed. */
    discard(): void {
      mine = base;
      clashes = {};
      persist();
      draw();
    },
    /** The decisions made here that a closed question does not have. */
    leftOver: (): Kept[] => changedRows(mine, base).flatMap((row) => mine[row] ?? []),
    /** Reads what stands on the server now. @returns whether somebody else changed rows that this page did not show */
    async readAgain(): Promise<boolean> {
      const standing = await readInterrupt(userAgentId, id);
      if (!standing) return false;
      await showInterrupt(standing);
      const before = mine;
      if (standing.status === 'pending' && (standing.draft?.version ?? 0) > version) take(standing);
      draw();
      return changedRows(before, mine).length > 0;
    },
  };
}
