import type { Router } from 'express';
import { readDesk } from '../../bot/engine/desk/readDesk.ts';
import { search } from '../../bot/engine/desk/search.ts';
import * as contract from '../../models/contracts/desk.ts';
import { bind } from '../middleware/bind.ts';

/** The dashboard's strip for who comes back, and the search over everything. */
export function deskRoutes(router: Router): void {
  bind(router, contract.readDesk, ({ who }) => readDesk(who), {
    topics: ['interrupts', 'analysis', 'automation', 'agents', 'account'],
  });
  bind(router, contract.searchEverything, async ({ who, query }) => ({ found: await search(who, query.words) }));
}
