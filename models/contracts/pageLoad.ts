import type { Endpoint } from './endpoint.ts';

/** What a page of signed-in people needs before it shows its content. The server names it in the document's head. */
export type PageLoad = {
  /** The page's address, in Express style; a parameter stands for an id: `/things/:id`. */
  path: string;
  /** Source files of the page that load when it is opened, from `web/`. */
  modules: readonly string[];
  /** Calls that it makes by itself, besides those of every page. Parameters have the names of the address's. */
  reads: readonly Pick<Endpoint, 'path'>[];
};
