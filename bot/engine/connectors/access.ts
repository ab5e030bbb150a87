/** A call to a provider; `isRead` marks a POST that changes nothing, so that it may be sent again. */
export type SendInit = RequestInit & { isRead?: boolean };

/**
 * Calls the provider with a grant's token; `address` is a URL of the provider. The caller handles the answer, except
 * 401, 429 and 5xx.
 * @throws ProviderFailure
 */
export type Send = (address: string, init?: SendInit) => Promise<Response>;

/** What a grant gives access to, e.g. a workspace; stored encrypted with the tokens. */
export type Place = {
  id: string;
  name: string;
  /** Origin of its API, where each customer has one of its own: "https://quillmere.crm.example". */
  origin?: string;
};

/** What is chosen to be read, by the id of its field: `{ project: 'cloud-1/NRL' }`. */
export type ScopeValues = Readonly<Record<string, string>>;

/** A grant, open: how to call its provider, and where it leads. */
export type Access = { send: Send; place: Place; scopes: string[] };
