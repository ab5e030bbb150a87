import type { Access, ScopeValues } from './access.ts';

/** A person in a tool of customer relations; texts are empty where the tool has none. */
export type CrmContact = {
  id: string;
  name: string;
  /** The given name. */
  first: string;
  email: string;
  company: string;
  role: string;
  /** Whether the tool says that this person must not be written to. */
  isOptedOut: boolean;
};

/** A company in a tool of customer relations; texts are empty where the tool has none. */
export type CrmCompany = { id: string; name: string; domain: string; industry: string };

/** A page of a listing; `next` is null after the last one. */
export type CrmPage<T> = { rows: readonly T[]; next: string | null };

/** Which page of a listing is read. */
export type CrmFrom = {
  /** Words to look for; a tool that can't look for them lists all, and the caller compares. Empty for all. */
  words: string;
  cursor: string | null;
};

/** A mail of a draft, in the order in which the mails would be sent. */
export type CrmMail = { subject: string; text: string };

/** One mail, or several that follow each other, to be saved as a draft. */
export type CrmDraft = {
  /** Idempotency key: eight letters and digits. */
  key: string;
  name: string;
  mails: readonly CrmMail[];
  /** A page of Arc that the draft is from. */
  link: string;
};

/** A post that was published. */
export type CrmPost = { id: string; text: string; at: string; url: string; likes: number; reposts: number };

/** Saves drafts of mails. Nothing here sends, schedules or publishes. */
type CrmMails = {
  /** What a draft is in the tool: "draft campaigns without recipients". */
  noun: string;
  /** Whether what was chosen says where drafts go; absent where nothing has to be chosen for them. */
  isChosen?(values: ScopeValues): boolean;
  /**
   * Saves a draft; the same key saves it once, also after a crash.
   * @returns the link to the first part of it
   * @throws ProviderFailure
   */
  save(access: Access, values: ScopeValues, draft: CrmDraft): Promise<string>;
};

/** Reads contacts, companies and posts, and prepares drafts. Parts that a tool does not have are absent. */
export type CrmSource = {
  /** A page of the people in scope, opted-out ones included and marked. @throws ProviderFailure */
  listContacts?(access: Access, values: ScopeValues, from: CrmFrom): Promise<CrmPage<CrmContact>>;
  /** A page of companies. @throws ProviderFailure */
  listCompanies?(access: Access, values: ScopeValues, from: CrmFrom): Promise<CrmPage<CrmCompany>>;
  mails?: CrmMails;
  posts?: {
    /** The account's own newest posts, newest first. @throws ProviderFailure */
    list(access: Access): Promise<CrmPost[]>;
    /** Longest text of a post, as the tool counts it. */
    maxLength: number;
    /** The tool's page on which a person finds the text filled in, changes it, and posts it or does not. */
    composeUrl(text: string): string;
  };
};
