/** A person of a fake tool of customer relations. */
export type FakePerson = {
  first: string;
  last: string;
  email: string;
  company: string;
  role: string;
  isOptedOut: boolean;
};
export type FakeCompany = { name: string; domain: string; industry: string };

/** What a fake tool of customer relations holds, by ids; the choice beside the tested one holds `others`. */
export function makeRecords() {
  const people = new Map<string, FakePerson>();
  const others = new Map<string, FakePerson>();
  const companies = new Map<string, FakeCompany>();
  return {
    people,
    others,
    companies,
    /** Rows of a page. */
    pageSize: 100,
    /** Calls that are refused with 429 next. */
    limited: 0,
    clear() {
      for (const held of [people, others, companies]) held.clear();
      this.pageSize = 100;
      this.limited = 0;
    },
    /** Whether the next call is over the limit. */
    takeLimit(): boolean {
      if (this.limited === 0) return false;
      this.limited -= 1;
      return true;
    },
    /** A page from an offset, and the offset of the next one. */
    pageOf<T>(rows: readonly T[], offset: number): { rows: T[]; next: number | null } {
      const end = offset + this.pageSize;
      return { rows: rows.slice(offset, end), next: end < rows.length ? end : null };
    },
  };
}
