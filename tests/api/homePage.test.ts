/** @environment store */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createApp } from '../../api/app.ts';
import { Account } from '../../models/account.ts';
import { Interrupt } from '../../models/interrupt.ts';
import type { Who } from '../../models/policies/who.ts';
import { runInAccount } from '../../models/store/context.ts';
import { connectTestStore, nextNumber } from '../factories/account.ts';
import { makeInterrupt } from '../factories/interrupt.ts';
import { addMember } from '../factories/members.ts';

connectTestStore();

const directory = mkdtempSync(join(tmpdir(), 'arc-home-'));
beforeAll(() => writeFileSync(join(directory, 'index.html'), '<html><body><div id="root"></div></body></html>'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The home page as a browser gets it whose session is this member's; a session that can't be read where it is null. */
async function homeOf(who: Partial<Who> | null, cookie = 'arc.sid=x') {
  const app = createApp({
    webDirectory: directory,
    session(request, _response, next) {
      if (!who) return next(new Error('no store'));
      Object.assign(request, { session: { userId: who.userId, accountId: who.accountId, since: Date.now() } });
      next();
    },
  });
  return supertest(app).get('/').set({ Accept: 'text/html', Cookie: cookie }).expect(200);
}

/** The owner of a company that has come as far as the team in its onboarding. */
async function addOwner(): Promise<Who> {
  const who = await addMember({ roles: ['owner'] });
  const onboarding = { completed: false, step: 'team' as const };
  await runInAccount(who.accountId, () => Account.create({ _id: who.accountId, name: 'Ward', onboarding }));
  return who;
}

async function addQuestion({ accountId }: Who): Promise<void> {
  const row = makeInterrupt({ _id: nextNumber(), accountId, agentName: 'Clara', interruptType: 'approval' });
  await runInAccount(accountId, () => Interrupt.create({ ...row, askKey: `${row._id}` } as never));
}

test('the home page says what waits for its person, and is kept by no shared cache', async () => {
  const who = await addOwner();
  await addQuestion(who);
  // On a machine with other work the reads may take longer than the page waits for them: it is asked for again.
  let home = await homeOf(who);
  for (let again = 0; again < 10 && !home.text.includes('Waiting for you'); again += 1) home = await homeOf(who);
  const { text, headers } = home;
  expect(text).toContain('<dt>Waiting for you</dt><dd>Approval</dd><dd class="soft">Clara</dd>');
  // Its trial has not begun, so that nothing but the plans can be opened.
  expect(text).toContain('<span class="soft">Team</span>');
  expect(text).toContain('<a href="#billing">Billing</a>');
  expect(headers['cache-control']).toBe('private, no-cache');
  expect(headers.vary).toContain('Cookie');
});

test('nobody gets the words of another company, of an ended session, or without a session', async () => {
  await addQuestion(await addOwner());
  const other = await addOwner();
  for (const [who, cookie] of [
    [other, undefined],
    [{ ...other, userId: nextNumber() }, undefined],
    [{}, undefined],
    [other, 'other=1'],
  ] as const)
    expect((await homeOf(who, cookie)).text).not.toContain('Waiting for you');
});

test('is sent without words where the session can’t be read', async () => {
  expect((await homeOf(null)).text).toContain('<div id="root"></div>');
});
