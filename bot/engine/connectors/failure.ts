/**
 * A failed call to a provider. It holds nothing that the provider sent, so that tokens reach no message and no log
 * line.
 */
export class ProviderFailure extends Error {
  /** refused: the provider answered no; unavailable: no answer, or a fault of the provider. */
  readonly kind: 'refused' | 'unavailable';
  constructor(kind: ProviderFailure['kind'], what: string) {
    super(what);
    this.name = 'ProviderFailure';
    this.kind = kind;
  }
}

/** Statuses that concern the provider's own state, not the request. */
export const isUnavailable = (status: number): boolean => status >= 500 || status === 429;

/** Whether the provider answered no. */
export const isRefused = (error: unknown): error is ProviderFailure =>
  error instanceof ProviderFailure && error.kind === 'refused';

/** The provider does not accept a cursor any more: reading begins anew. */
export class CursorRefused extends ProviderFailure {
  constructor() {
    super('refused', 'the cursor is not accepted');
    this.name = 'CursorRefused';
  }
}
