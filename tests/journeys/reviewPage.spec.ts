import type { Page } from 'playwright/test';
import type { Interrupt } from '../../models/contracts/interrupts.ts';
import { makeProposal } from '../factories/interrupt.ts';
import { expectAccessible } from './expectAccessible.ts';
import { expectLoadingAndFailure } from './heldRead.ts';
import { expect, test } from './journey.ts';
import { type Arrived, arrive, arriveAnalysed, changeAnswer, newEmail, PASSWORD } from './person.ts';

const questionOf = async (page: Page, { agentId }: Arrived) =>
  ((await (await page.request.get(`/api/agents/${agentId}/interrupts`)).json()) as Interrupt[])[0] as Interrupt;
const rowsOf = (question: Interrupt) => question.view.rows?.rows ?? [];

/** Someone on the page of their review. */
async function openDesk(page: Page, search = '') {
  const person = await arriveAnalysed(page);
  const question = await questionOf(page, person);
  await page.goto(`/review/${question.id}${search}`);
  const row = page.getByRole('article');
  await expect(row).toBeVisible();
  const rows = rowsOf(question);
  return {
    person,
    question,
    rows,
    row,
    named: (at: number) => rows[at]?.name ?? '',
    shows: (at: number) => expect(row).toHaveAccessibleName(new RegExp(`^${rows[at]?.name},`)),
    decided: (count: number) =>
      expect(page.getByText(`${count} of ${rows.length} decided`, { exact: true })).toBeVisible(),
    drafted: async () =>
      (await questionOf(page, person)).draft?.rows.map(
        ({ id, outcome }) => `${rows.findIndex((it) => it.id === id)} ${outcome}`,
      ),
  };
}

test('keys act on the row that the page shows, and on no other; the address names it', async ({ page }) => {
  const { rows, row, shows, decided, drafted } = await openDesk(page);
  const list = page.getByRole('navigation', { name: 'Proposal' });
  await shows(0);
  await expect(list.locator('[aria-current]')).toHaveAttribute('data-row', '0');
  await list.locator('[data-row="0"]').focus();
  await page.keyboard.press('j');
  await shows(1);
  await expect(page).toHaveURL((url) => url.searchParams.get('row') === rows[1]?.id);
  await page.keyboard.press('r');
  await page.keyboard.press('n');
  await expect(row.getByLabel('Reason (optional)')).toBeFocused();
  await page.keyboard.type('Covered already');
  await page.keyboard.press('Enter');
  await decided(1);
  // The next undecided row follows; K leads back, and a reload shows the same row with its decision.
  await shows(2);
  await page.keyboard.press('k');
  await shows(1);
  await page.reload();
  await shows(1);
  await expect(row).toHaveAccessibleName(/, Rejected$/);
  await expect(row.getByLabel('Reason (optional)')).toHaveValue('Covered already');
  await expect(row.getByText(/^by you in the inbox, /)).toBeVisible();

  // A key that is pressed on another entry of the list opens that row, and decides nothing.
  await list.locator('[data-row="3"]').focus();
  await page.keyboard.press('r');
  await shows(3);
  await decided(1);
  await page.keyboard.press('r');
  await decided(2);
  await expect.poll(drafted).toEqual(['1 rejected', '3 rejected']);
  await page.keyboard.press('z');
  await decided(1);
  await expect.poll(drafted).toEqual(['1 rejected']);
});

test('an edit is kept only when it is saved; Escape leaves the row exactly as it was', async ({ page }) => {
  const { question, rows, row, shows, decided, drafted } = await openDesk(page);
  const isChoice = ({ options, choiceIsOptional }: (typeof rows)[number]) => options.length > 1 && !choiceIsOptional;
  const at = rows.findIndex((it) => !isChoice(it));
  const list = page.getByRole('navigation', { name: 'Proposal' });
  const open = async (position: number) => {
    await list.locator(`[data-row="${position}"]`).click();
    await shows(position);
  };
  const onDevice = () =>
    page.evaluate((id) => Object.keys(localStorage).filter((key) => key.endsWith(`.${id}`)), question.id);
  await open(at);
  await page.keyboard.press('r');
  await page.keyboard.press('n');
  await page.keyboard.type('Covered');
  await page.keyboard.press('Escape');
  await expect.poll(drafted).toEqual([`${at} rejected`]);
  // The reason is saved as it is typed: until its last letter is there, the draft goes on changing.
  await expect.poll(onDevice).toEqual([]);
  const before = (await questionOf(page, { agentId: question.userAgentId } as Arrived)).draft;
  const fields = row.getByRole('group', { name: /^Edit / });
  const heading = row.getByRole('heading', { level: 2 });
  const was = await heading.innerText();

  await page.keyboard.press('e');
  await expect(fields.getByRole('textbox').first()).toBeFocused();
  await page.keyboard.type('jar');
  await expect(row).toHaveAccessibleName(/, Rejected$/);
  await page.keyboard.press('Escape');
  await expect(fields).toHaveCount(0);
  await expect(heading).toHaveText(was);
  await expect(row).toHaveAccessibleName(/, Rejected$/);
  await expect(row.getByLabel('Reason (optional)')).toHaveValue('Covered');
  expect(await onDevice()).toEqual([]);
  // Opened again, the fields show the row, not what was discarded. Nothing was sent.
  await page.keyboard.press('e');
  await expect(fields.getByRole('textbox').first()).toHaveValue(was);
  await page.keyboard.press('Escape');
  expect((await questionOf(page, { agentId: question.userAgentId } as Arrived)).draft).toEqual(before);

  // What is typed outlives a reload, is no decision, and is not sent unseen.
  await page.keyboard.press('e');
  await page.keyboard.type(' again');
  await page.reload();
  await shows(at);
  await expect(fields.getByRole('textbox').first()).toHaveValue(`${was} again`);
  await expect(row).toHaveAccessibleName(/, Rejected$/);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('alert')).toContainText('has an edit that isn’t saved. Save or discard it, then send.');
  await expect(fields.getByRole('textbox').first()).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(row).toHaveAccessibleName(/, Accepted with edits$/);
  await expect(heading).toHaveText(`${was} again`);
  await expect.poll(drafted).toEqual([`${at} edited`]);
  // It is undone as one step.
  await page.keyboard.press('z');
  await expect(row).toHaveAccessibleName(/, Rejected$/);
  await expect(heading).toHaveText(was);
  await expect.poll(drafted).toEqual([`${at} rejected`]);

  // A row that needs a match is not accepted by an edit without one; accepting it keeps the edit.
  const choosing = rows.findIndex(isChoice);
  await open(choosing);
  await page.keyboard.press('e');
  await page.keyboard.type('Better ');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('alert')).toHaveText(
    `${rows[choosing]?.name} has more than one match. Choose one of them, then save the edit.`,
  );
  await decided(1);
  await row.getByRole('radio').nth(0).check();
  await expect(fields.getByRole('textbox').first()).toHaveValue(/Better /);
  await page.getByRole('button', { name: 'Accept', exact: true }).click();
  await decided(2);
  await expect.poll(drafted).toEqual(expect.arrayContaining([`${choosing} edited`]));
});

test('the field that E leads to is not behind the decision bar, nor are those that Tab leads to', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  const { rows, row, shows } = await openDesk(page);
  // A rejected row with options has its reason and its options above its fields.
  const at = rows.findIndex(({ options }) => options.length > 1);
  for (let moved = 0; moved < at; moved += 1) await page.keyboard.press('j');
  await shows(at);
  await page.keyboard.press('r');
  await page.keyboard.press('e');
  const fields = row.getByRole('group', { name: /^Edit / }).getByRole('textbox');
  for (const field of [fields.first(), fields.nth(1), fields.nth(2)]) {
    await expect(field).toBeFocused();
    const top = await page.getByRole('button', { name: 'Accept', exact: true }).boundingBox();
    const box = await field.boundingBox();
    // The bar begins above its buttons.
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan((top?.y ?? 0) - 20);
    await page.keyboard.press('Tab');
  }
});

test('a row with many quotations shows the first eight, and the rest on request', async ({ page, backstage }) => {
  const { accountId, agentId } = await arrive(page);
  const evidence = Array.from({ length: 9 }, (_, at) => ({
    ticketKey: `EX-${at}`,
    summary: `Dose ${at} in the wrong unit`,
    quote: `Dose ${at} in the wrong unit`,
  }));
  await backstage.ask(accountId, agentId, {
    interruptType: 'hazard_review',
    prompt: 'Which of these belong in the log?',
    context: { rows: [makeProposal({ evidence })] },
    draft: [],
  });
  const [asked] = await (await page.request.get(`/api/agents/${agentId}/interrupts`)).json();
  await page.goto(`/review/${asked.id}`);
  const quotes = page.getByRole('article').getByRole('blockquote');
  await expect(quotes).toHaveCount(8);
  await page.getByRole('button', { name: '8 of 9 tickets: show the rest' }).click();
  await expect(quotes).toHaveCount(9);
  await expect(page.getByRole('button', { name: /show the rest/ })).toHaveCount(0);
});

test('1, 2 and 3 choose a candidate, and F filters: J and K then stay among the rows shown', async ({ page }) => {
  const { rows, row, shows, decided } = await openDesk(page);
  const at = rows.findIndex(({ options, choiceIsOptional }) => options.length > 1 && !choiceIsOptional);
  await page.getByRole('navigation').locator(`[data-row="${at}"]`).click();
  await shows(at);
  await page.keyboard.press('a');
  await expect(page.getByRole('alert')).toContainText('more than one match');
  await decided(0);
  await page.keyboard.press('2');
  await expect(row.getByRole('radio').nth(1)).toBeChecked();
  await page.keyboard.press('9');
  await expect(row.getByRole('radio').nth(1)).toBeChecked();
  await page.keyboard.press('a');
  await decided(1);
  const said = page.getByRole('status').filter({ hasText: /decided$/ });
  await expect(said).toHaveText(`Row ${at + 1} accepted, 1 of ${rows.length} decided`);
  // One press back is the decision, two are the choice too.
  await page.keyboard.press('z');
  await decided(0);
  await expect(said).toHaveText(`Undone. 0 of ${rows.length} decided`);
  await shows(at);
  await expect(row.getByRole('radio').nth(1)).toBeChecked();
  await page.keyboard.press('z');
  await expect(row.getByRole('radio').nth(1)).not.toBeChecked();
  await page.keyboard.press('z');
  await expect(page.getByText('Nothing to undo.').first()).toBeVisible();
  await page.keyboard.press('2');
  await page.keyboard.press('a');
  await decided(1);

  const weak = rows.flatMap(({ isWeak }, index) => (isWeak ? [index] : []));
  expect(weak.length).toBeGreaterThan(1);
  expect(weak.length).toBeLessThan(rows.length);
  await page.keyboard.press('f');
  const filter = page.getByLabel('Show');
  await expect(filter).toBeFocused();
  await filter.selectOption({ label: `Weak evidence (${weak.length})` });
  await expect(page.getByRole('navigation', { name: 'Proposal' }).getByRole('button')).toHaveCount(weak.length);
  await page.reload();
  await expect(filter).toHaveValue('weak');
  await page.getByRole('navigation').locator(`[data-row="${weak[0]}"]`).click();
  await page.keyboard.press('j');
  await shows(weak[1] ?? 0);
  await page.keyboard.press('k');
  await page.keyboard.press('k');
  await shows(weak[0] ?? 0);
});

test('two reviewers see who decided what before it is sent, and each is named after', async ({
  page,
  browser,
  baseURL,
}) => {
  const { question, rows, row, shows, decided } = await openDesk(page);
  const invited = await page.request.post('/api/account/members', { data: { email: newEmail(), roles: ['owner'] } });
  const token = new URL((await invited.json()).invitation.link).searchParams.get('invitation');
  const second = await browser.newContext({ baseURL: baseURL ?? '' });
  const joined = await second.request.post('/api/account/invitations/accept', {
    data: { token, password: PASSWORD, firstName: 'Ben', lastName: 'Hughes' },
  });
  expect(joined.ok()).toBe(true);
  const other = await second.newPage();
  await other.goto(`/review/${question.id}?row=${rows[1]?.id}`);
  await other.getByRole('article').focus();
  await other.keyboard.press('r');
  await expect(other.getByText(/^1 by you\. Saved/)).toBeVisible();
  await expect(page.getByText(`1 of ${rows.length} decided`, { exact: true })).toBeVisible();
  await page.getByRole('navigation').locator('[data-row="0"]').click();
  await shows(0);
  await page.keyboard.press('r');
  await decided(2);
  await expect(page.getByText(/^1 by Ben Hughes, 1 by you\. Saved/)).toBeVisible();
  await expect(row.getByText(/^by you in the inbox, /)).toBeVisible();
  await page.getByRole('navigation').locator('[data-row="1"]').click();
  await expect(row.getByText(/^by Ben Hughes in the inbox, /)).toBeVisible();

  // What Ada decided, Ben decides otherwise: Ada's undo leaves his decision alone, and says so.
  await page.getByRole('navigation').locator('[data-row="2"]').click();
  await shows(2);
  await page.keyboard.press('r');
  await decided(3);
  await other.getByRole('navigation').locator('[data-row="2"]').click();
  await expect(other.getByRole('article').getByText(/^by Ada Okafor in the inbox, /)).toBeVisible();
  await other.getByRole('article').getByLabel('Reason (optional)').fill('Seen in use');
  await other.getByRole('article').getByLabel('Reason (optional)').press('Enter');
  await page.getByRole('navigation').locator('[data-row="2"]').click();
  await expect(row.getByText(/^by Ben Hughes in the inbox, /)).toBeVisible();
  await page.keyboard.press('z');
  await expect(
    page.getByText('Nothing was undone. Somebody else has decided these rows since.', { exact: true }),
  ).toBeVisible();
  await decided(3);
  await expect(row.getByLabel('Reason (optional)')).toHaveValue('Seen in use');

  await page.getByRole('button', { name: /^Accept the \d+ undecided$/ }).click();
  await page.getByRole('button', { name: /with the closest match$/ }).click();
  await page.getByRole('button', { name: 'Send decisions' }).click();
  const all = `(${rows.length - 2} by Ada Okafor, 2 by Ben Hughes)`;
  await expect(page.getByText(all)).toBeVisible();
  await expect(row.getByText(/^by Ben Hughes in the inbox, /)).toBeVisible();
  const recorded = async () => {
    const { messages } = await (await page.request.get('/api/arc-chat/history?limit=50')).json();
    return messages.find(({ kind }: { kind: string }) => kind === 'review-complete')?.message ?? '';
  };
  await expect.poll(recorded).toContain(all);
  await second.close();
});

test('the keys work on a page just opened, without a click first, and when they follow each other at once', async ({
  page,
}) => {
  const { shows, decided, drafted } = await openDesk(page);
  await page.keyboard.press('j');
  await shows(1);
  await page.keyboard.press('r');
  await decided(1);
  // Each is heard, and the last acts on the row that the others led to.
  for (const key of ['j', 'j', 'j', 'r']) await page.keyboard.press(key);
  await shows(4);
  await decided(2);
  await expect.poll(drafted).toEqual(['1 rejected', '4 rejected']);
  // What is typed while the search still loads is searched for, and decides nothing.
  await page.keyboard.press('Escape');
  for (const key of ['Control+k', 'a', 'r', 'e', 'a']) await page.keyboard.press(key);
  await expect(page.getByRole('combobox', { name: 'Search everything' })).toHaveValue('area');
  await page.keyboard.press('Escape');
  await decided(2);
  await shows(4);
});

test('keys that follow each other at once, at any moment of the page’s work, are all obeyed', async ({ page }) => {
  const { rows, shows } = await openDesk(page);
  const steps = Math.min(8, rows.length - 1);
  // On a slow device a new URL is drawn long after its key.
  const device = await page.context().newCDPSession(page);
  await device.send('Emulation.setCPUThrottlingRate', { rate: 8 });
  // Down and up again. Between two keys the page does some more of its work each time, a task at once.
  const places = await page.evaluate(async (count) => {
    const press = (key: string) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    const task = () =>
      new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(null);
      });
    const reached: (string | null)[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (let at = 0; at < count; at += 1) {
        press(round % 2 === 0 ? 'j' : 'k');
        // As after every real key, what it left to do at once is done.
        await null;
        for (let tasks = 0; tasks < (at + round) % 7; tasks += 1) await task();
      }
      await task();
      reached.push(document.querySelector('nav [aria-current]')?.getAttribute('data-row') ?? null);
    }
    return reached;
  }, steps);
  expect(places).toEqual(Array.from({ length: 4 }, (_, round) => (round % 2 === 0 ? `${steps}` : '0')));
  await shows(0);
});

test('a key that is pressed as soon as the rows are drawn, before the next frame, is obeyed', async ({ page }) => {
  const person = await arriveAnalysed(page);
  const { id } = await questionOf(page, person);
  await page.addInitScript(() => {
    // Frames come late on a busy device. The key comes with the first row.
    window.requestAnimationFrame = () => 0;
    new MutationObserver((_, observer) => {
      if (!document.querySelector('article')) return;
      observer.disconnect();
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true }));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`/review/${id}`);
  await expect(page.getByRole('article')).toHaveAccessibleName(/, Rejected$/);
});

test('R rejects and leaves the keys alone; the reason is written where it is asked for', async ({ page }) => {
  const { row, shows, decided, drafted } = await openDesk(page);
  for (const key of ['r', 'j', 'r', 'Enter', 'k']) await page.keyboard.press(key);
  await shows(1);
  await decided(2);
  await expect(row.getByLabel('Reason (optional)')).toHaveValue('');
  await page.keyboard.press('n');
  await page.keyboard.type('jar');
  await expect(row.getByLabel('Reason (optional)')).toHaveValue('jar');
  await page.keyboard.press('Enter');
  await shows(2);
  await expect.poll(drafted).toEqual(['0 rejected', '1 rejected']);
  // There is no reason before a decision, and the key says so.
  await page.keyboard.press('n');
  await expect(page.getByText(/takes a reason after “Reject”\. Nothing was changed\.$/).first()).toBeVisible();
  await decided(2);
});

for (const [width, height] of [
  [360, 640],
  [1280, 480],
] as const) {
  test(`at ${width} × ${height} a key first brings its row into view, and decides only what was seen`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    const { row, shows, decided } = await openDesk(page);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const isRowSeen = async () =>
      ((await row.boundingBox())?.y ?? -1) >= 54 && ((await row.boundingBox())?.y ?? height) <= height - 96;
    expect(await isRowSeen()).toBe(false);
    await page.keyboard.press('a');
    await expect.poll(isRowSeen).toBe(true);
    await shows(0);
    await decided(0);
    await page.keyboard.press('j');
    await shows(1);
    expect(await isRowSeen()).toBe(true);
    await page.keyboard.press('r');
    await decided(1);
    // Moving decides nothing: it works from anywhere, and leads to what it shows.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.keyboard.press('j');
    await shows(2);
    expect(await isRowSeen()).toBe(true);
  });
}

test('on a phone the row’s text is in view at once, over a bar of one line, and nothing unseen is decided', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const { row, shows, decided } = await openDesk(page);
  const accept = page.getByRole('button', { name: 'Accept', exact: true });
  const send = page.getByRole('button', { name: 'Send decisions' });
  const text = row.locator('[data-text]');
  const boxOf = async (part: typeof accept) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const bar = await boxOf(accept);
  // Two lines of the text at least, and the bar below them to the end of the screen.
  expect((await boxOf(text)).y + 40).toBeLessThan(bar.y);
  expect(640 - bar.y).toBeLessThanOrEqual(56);
  for (const name of ['Edit', 'Reject'])
    expect((await boxOf(page.getByRole('button', { name, exact: true }))).y).toBe(bar.y);
  const sending = await boxOf(send);
  expect(sending.y).toBeGreaterThanOrEqual(bar.y);
  expect(sending.y + sending.height).toBeLessThanOrEqual(bar.y + bar.height + 1);
  expect(sending.x + sending.width).toBeLessThanOrEqual(360);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(page.getByText(/is in view now\. Nothing was decided; press again\.$/)).toBeVisible();
  await decided(0);
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await decided(1);
  await shows(1);
  // With undo it is one line still.
  const undo = await boxOf(page.getByRole('button', { name: 'Undo' }));
  expect(undo.y).toBe((await boxOf(accept)).y);
  await expect(page.getByLabel('Show')).toBeHidden();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByLabel('Show')).toBeVisible();
  await expectAccessible(page, 'a review on a phone');
});

test('decisions made offline wait on the device, in order, and the page says so once', async ({ page, context }) => {
  const { row, shows, decided, drafted } = await openDesk(page);
  await row.focus();
  await context.setOffline(true);
  await expect(page.getByText('You’re offline.')).toHaveCount(1);
  await page.keyboard.press('r');
  await page.keyboard.press('Enter');
  await shows(1);
  await page.keyboard.press('r');
  await decided(2);
  await expect(page.getByText('2 decisions not sent yet.')).toHaveCount(1);
  expect(await page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('arc.review.')))).toBe(true);
  // Leaving with decisions that wait warns: see reviewOffline.spec.ts. Another place of the product says it once too.
  await page.getByRole('link', { name: /^Question \d+$/ }).click();
  await expect(page.getByText('2 decisions not sent yet.')).toHaveCount(1);
  await page.goBack();
  await context.setOffline(false);
  await expect(page.getByText(/not sent yet|offline/)).toHaveCount(0, { timeout: 20_000 });
  await expect.poll(drafted).toEqual(['0 rejected', '1 rejected']);
});

test('a decision that came too late is listed apart, and is not shown as the row’s', async ({ page, context }) => {
  const { person, question, rows, row, named, decided } = await openDesk(page);
  await page.keyboard.press('a');
  await decided(1);
  await expect(page.getByText('1 by you. Saved', { exact: true })).toBeVisible();
  await context.setOffline(true);
  await page.keyboard.press('r');
  await decided(2);
  const again = `/api/clinical-safety-agent/${person.agentId}/analyze-hazard-log`;
  expect((await page.request.post(again, { data: { withdrawQuestion: question.id } })).ok()).toBe(true);
  await context.setOffline(false);
  await expect(page.getByText('1 decision of yours came too late')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText(new RegExp(`${named(1)} rejected\\.$`))).toBeVisible();
  await expect(row).toHaveAccessibleName(`${named(1)}, Not decided`);
  const list = page.getByRole('navigation', { name: 'Proposal' });
  await expect(list.locator('[data-row="1"]')).toContainText('Not decided');
  await expect(list.locator('[data-row="0"]')).toContainText('Accepted');
  await expect(page.getByLabel('Show')).toContainText(`Undecided (${rows.length - 1})`);
});

test('on a phone, Accept and “Reject the undecided” are never neighbours', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { decided } = await openDesk(page);
  const accept = page.getByRole('button', { name: 'Accept', exact: true });
  const mass = page.getByRole('button', { name: /^Reject the \d+ undecided$/ });
  await page.getByRole('button', { name: 'More', exact: true }).click();
  for (const scroll of [0, 100_000]) {
    await page.evaluate((top) => window.scrollTo(0, top), scroll);
    const [near, far] = [await accept.boundingBox(), await mass.boundingBox()];
    expect(Math.abs((near?.y ?? 0) - (far?.y ?? 0))).toBeGreaterThan(160);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await mass.click();
  await page.getByRole('button', { name: /^Keep them undecided$/ }).click();
  await decided(0);
});

test('the page of a review is accessible', async ({ page }) => {
  const { row } = await openDesk(page);
  await expectAccessible(page, 'a review');
  await row.focus();
  await page.keyboard.press('e');
  await expectAccessible(page, 'a row that is edited');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Reject the \d+ undecided$/ }).click();
  await expectAccessible(page, 'the question before many rows are decided');
});

/**
 * @shows /review/:id signed out, /review/:id loading, /review/:id error, /review/:id empty, /review/:id no permission
 */
test('the page of a review says that it loads, fails, does not exist, or is only to be read', async ({ page }) => {
  await page.goto('/review/7');
  await expect(page.getByText('Please sign in to review what your agents propose.')).toBeVisible();
  const person = await arriveAnalysed(page);
  const { id } = await questionOf(page, person);
  await expectLoadingAndFailure(page, `/review/${id}`, `**/api/interrupts/${id}`);
  await expect(page.getByRole('article')).toBeVisible();
  for (const missing of ['999999', 'none']) {
    await page.goto(`/review/${missing}`);
    await expect(page.getByText('This review can’t be shown')).toBeVisible();
  }
  await expectAccessible(page, 'a review that does not exist');
  await changeAnswer<Interrupt>(page, `**/api/interrupts/${id}`, (question) => ({
    ...question,
    abilities: { answer: false, waitsFor: 'This question waits for the account owner.' },
  }));
  await page.goto(`/review/${id}`);
  await expect(page.getByText('This question waits for the account owner.')).toBeVisible();
  await page.getByRole('article').focus();
  await page.keyboard.press('r');
  await expect(page.getByRole('button', { name: 'Reject', exact: true })).toHaveCount(0);
  await expect(page.getByRole('article')).toHaveAccessibleName(/, Not decided$/);
  await expectAccessible(page, 'a review to read');
  await changeAnswer<Interrupt>(page, `**/api/interrupts/${id}`, (question) => ({ ...question, status: 'cancelled' }));
  await page.goto(`/review/${id}`);
  await expect(page.getByText('Withdrawn before it was answered')).toBeVisible();
  await expect(page.getByText('This question is closed.')).toHaveCount(0);
  await expectAccessible(page, 'a withdrawn review');
  await page.getByRole('link', { name: 'See what waits in the inbox' }).click();
  await expect(page).toHaveURL('/agent-inbox');
});

test('a log without tickets is complete, not reviewed, and offers no merge', async ({ page }) => {
  const person = await arrive(page);
  const log = 'Hazard ID,Hazard name,Cause,Severity,Likelihood,Risk\nHAZ1,Wrong dose,Unit mix-up,Major,Medium,3\n';
  await page.request.post('/api/arc-chat/upload-hazard-log', {
    multipart: {
      sessionId: 'chat_1',
      hazardLogFile: { name: 'log.csv', mimeType: 'text/csv', buffer: Buffer.from(log) },
    },
  });
  await page.request.post(`/api/clinical-safety-agent/${person.agentId}/analyze-hazard-log`, { data: {} });
  const latest = async () => (await page.request.get(`/api/hazard-analysis/latest/${person.userId}`)).json();
  await expect.poll(async () => (await latest())?.status, { timeout: 30_000 }).toBe('complete');
  await page.goto('/workspace');
  await page.getByRole('tab', { name: 'Workspace' }).click();
  await expect(page.getByText('Complete', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: /Merge new lines/ })).toHaveCount(0);
  await expect(page.getByText('Reviewed', { exact: true })).toHaveCount(0);
});
