const listeners = new Set<() => void>();

/** Says that this page has just sent a message: the list then always goes to its end. */
export function ownMessageSent(): void {
  for (const listener of listeners) listener();
}

/** Listens for it; gives back how to stop. */
export function onOwnMessage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
