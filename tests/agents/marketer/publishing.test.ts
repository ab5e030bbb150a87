/** @environment connectors */
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import type { Copy } from '../../../bot/agents/marketer/copy/composeCopy.ts';
import { publishableOf } from '../../../bot/agents/marketer/copy/publishable.ts';
import { saveCopy } from '../../../bot/agents/marketer/workflows/saveCopy.ts';
import { runInAccount } from '../../../models/store/context.ts';
import { connectTool, openConnector } from '../../factories/connect.ts';
import { CRM_TOOLS } from '../../factories/crmTools.ts';
import { type Person, signUp } from '../../factories/person.ts';
import { type Server, startServer } from '../../factories/server.ts';
import type { startMailchimp } from '../../fakes/mailchimp.ts';

let server: Server;
let fake: Awaited<ReturnType<typeof startMailchimp>>;
let stopTwitter: () => Promise<void>;
let owner: Person;
beforeAll(async () => {
  server = await startServer();
  const [mailchimp, twitter] = [await CRM_TOOLS.mailchimp(), await CRM_TOOLS.twitter()];
  fake = mailchimp.fake as typeof fake;
  openConnector(mailchimp.plugIn, fake);
  openConnector(twitter.plugIn, twitter.fake);
  stopTwitter = twitter.fake.stop;
});
afterAll(async () => {
  jest.restoreAllMocks();
  await server.stop();
  await Promise.all([fake.stop(), stopTwitter()]);
});
beforeEach(async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  owner = await signUp(server);
  fake.clear();
});

const quote = (text: string) => ({ text, place: 'Brief.docx' });
const copyOf = (mail: Copy['texts'][number]['parts'], post = [quote('Rota plans shifts.')]): Copy =>
  ({
    texts: [
      { title: 'Post', parts: [{ label: 'P', pieces: post }] },
      { title: 'Mail', parts: mail },
    ],
  }) as unknown as Copy;
const MAIL = [
  { label: 'Subject', pieces: [quote('Plan shifts')] },
  { label: 'Text', pieces: [quote('Rota plans shifts.'), quote('It prints them.')] },
  { label: 'Call to action', pieces: [quote('Ask for a demo.')] },
];

test('what can go into a tool has no place that a person must fill', () => {
  expect(publishableOf(copyOf(MAIL))).toEqual({
    mail: { subject: 'Plan shifts', text: 'Rota plans shifts.\n\nIt prints them.\n\nAsk for a demo.' },
    post: 'Rota plans shifts.',
  });
  const gap = { label: 'Call to action', pieces: [{ gap: 'call to action' }] };
  expect(publishableOf(copyOf([...MAIL.slice(0, 2), gap]))).toMatchObject({ mail: null });
});

describe('final copy', () => {
  const save = (publishable = publishableOf(copyOf(MAIL))) =>
    runInAccount(owner.user.accountId, () =>
      saveCopy(
        { _id: new Types.ObjectId('0123456789abcdef01234567'), accountId: owner.user.accountId },
        {
          ...{ title: 'Rota', fileName: 'Rota, copy final.md', type: 'text/markdown' },
          ...{ document: Buffer.from('# Rota'), publishable },
        },
      ),
    );

  test('goes to connected tools as a draft and a link, once; nothing is published', async () => {
    await connectTool(owner, 'mailchimp');
    await owner.browser
      .put('/api/connectors/mailchimp/scope')
      .send({ values: { audience: 'a1/Trusts' } })
      .expect(200);
    await connectTool(owner, 'twitter');
    for (const _again of [1, 2])
      expect(await save()).toEqual([
        expect.stringContaining(
          'The mail: Saved in Mailchimp as draft campaigns without recipients, not sent: https://',
        ),
        expect.stringContaining('https://x.com/intent/post?text=Rota+plans+shifts.'),
      ]);
    expect(fake.campaigns).toMatchObject([
      {
        status: 'save',
        settings: { subject_line: 'Plan shifts' },
        plain_text: expect.stringContaining('It prints them.'),
      },
    ]);
    expect(fake.campaigns[0]).not.toHaveProperty('recipients');
  });

  test('goes to the sandbox workspace where no such tool is connected', async () => {
    await owner.browser.post('/api/integrations/toggle').send({ integrationId: 'sandbox', enabled: true }).expect(200);
    expect(await save()).toEqual(['A copy is in the sandbox workspace.']);
  });
});
