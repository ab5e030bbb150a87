import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { ConnectorCard } from '../models/contracts/connectorCard.ts';
import { filesUnder, listSources, loadedWith } from './factories/sources.ts';

const VAGUE_FOLDERS = /^(utils?|helpers?|common|misc|lib|shared|services)$/;

const sources = listSources();
const product = sources.filter((path) => !path.startsWith('tests/'));

/** What a file imports: project files as paths from the root, packages by name. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].map(([, name = '']) =>
    name.startsWith('.') ? relative(process.cwd(), resolve(dirname(path), name)) : name,
  );
}

/** The layers of the product from the bottom up; a file may import from its own layer and those below. */
const LAYERS: [name: string, of: RegExp][] = [
  ['contracts', /^models\/contracts\//],
  ['environment', /^models\/(env|logger|background|secrets|workers)\.ts$/],
  ['embedded store', /^models\/store\/embedded\//],
  ['store', /^models\/store\//],
  ['policies and entities', /^(models|manifests)\//],
  ['engine', /^bot\/engine\//],
  ['agents and connectors', /^bot\/(agents|connectors)\//],
  ['edges', /^(bot\/channels|api|jobs|web)\//],
];
const layerOf = (path: string) => LAYERS.findIndex(([, of]) => of.test(path));

/** Circles of the import graph, type imports included, each as its files. */
function findCircles(files: readonly string[]): string[][] {
  const known = new Set(files);
  const imports = new Map(files.map((path) => [path, importsOf(path).filter((name) => known.has(name))]));
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[][] = [];
  const walk = (path: string, above: readonly string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      circles.push(above.slice(above.indexOf(path)));
      return;
    }
    state.set(path, 'open');
    for (const next of imports.get(path) ?? []) walk(next, [...above, path]);
    state.set(path, 'done');
  };
  for (const path of files) walk(path, []);
  return circles;
}

/** The rooms of the kernel from the bottom up; each imports only from those before it. */
const KERNEL = [
  'calls',
  'rates',
  'network',
  'handover',
  'files',
  'mail',
  'llm',
  'audit',
  'credits',
  'grants',
  'accounts',
  'access',
  'connectors',
  'payments',
  'erasure',
  'trackers',
  'logins',
  'documents',
  'conversations',
  'queries',
  'questions',
  'webhooks',
  'toolServers',
  'delivery',
  'interrupts',
  'workflows',
  'thinking',
  'crm',
  'intents',
  'agents',
  'turns',
  'automation',
  'desk',
  'outside',
  'notices',
  'failures',
  'administration',
  'sharing',
  'preferences',
  'accountRows',
];
const roomOfKernel = (path: string) => KERNEL.indexOf(/^bot\/engine\/(\w+)\//.exec(path)?.[1] ?? '');

/** The plug-in that a file belongs to: an agent, a channel or a connector, in bot/ or in web/. */
const plugInOf = (path: string) => /^((?:bot\/(?:agents|channels|connectors)|web\/agents)\/\w+)\//.exec(path)?.[1];

/** Files outside a plug-in that may import its contracts and entities. A new entry needs a reason. */
const PLUG_IN_READERS = [
  // The lists of plug-ins.
  'models/contracts/catalogue.ts',
  'models/contracts/channels.ts',
  'models/contracts/chat.ts',
  'models/contracts/errors.ts',
  'models/entities.ts',
  // Migrate rows that were written before the agent was a plug-in.
  'models/conversation.ts',
  'models/interrupt.ts',
  // One reads each channel's status with its own call, the other is the page that Teams frames.
  'web/pages/channels/channelStatus.ts',
  'web/pages/teams-tab/signInByTeams.ts',
];

/** Exports that the start scripts and the build of the pages use. */
const EXPORTED_FOR_THE_BUILD = ['api/start.ts: main', 'api/start.ts: start', 'web/data/schemasLeftOut.ts: z'];

/** The names in a list such as `type A, b as c`: as they are where they come from (0), or as they are here (-1). */
const namesIn = (list = '', side: 0 | -1): string[] =>
  list.split(',').flatMap(
    (part) =>
      part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/)
        .at(side) || [],
  );

/** Files of the kernel that may name the clinical role of the specification. A new entry needs a reason. */
const CLINICAL_ROLE_FILES = [
  'bot/engine/accountRows/members.ts',
  'bot/engine/accounts/eraseAccount.ts',
  'bot/engine/accounts/identify.ts',
  'bot/engine/accounts/members.ts',
  'bot/engine/accounts/signers.ts',
  'bot/engine/interrupts/signing.ts',
  'bot/engine/preferences/preferences.ts',
  // Counts who can sign what needs the role.
  'bot/engine/preferences/signers.ts',
];

/** Files of the edges that may name an agent. A new entry needs a reason. */
const AGENT_NAME_FILES = [
  // Hires the two agents of the demo company.
  'api/commands/seed.ts',
];

/**
 * Files that hash short texts on the main thread: secrets, keys of rows, what was shown. Bytes of files go through
 * `digestOf`, which hashes them off the main thread. A new entry needs a reason.
 */
const SHORT_TEXT_HASHES = [
  'bot/agents/clinical_safety/profiles/profiles.ts',
  'bot/agents/clinical_safety/tickets/matchEvidence.ts',
  'bot/agents/clinical_safety/tickets/proposals.ts',
  'bot/agents/developer/repository/proposal.ts',
  'bot/channels/slack/stream.ts',
  'bot/channels/teams/platform/adapter.ts',
  'bot/engine/access/accessTokens.ts',
  'bot/engine/accounts/codes.ts',
  'bot/engine/accounts/invitations.ts',
  'bot/engine/automation/jobs.ts',
  'bot/engine/connectors/oauthState.ts',
  'bot/engine/crm/saveMails.ts',
  'bot/engine/documents/workspace.ts',
  'bot/engine/interrupts/digest.ts',
  'bot/engine/rates/countHits.ts',
  'bot/engine/sharing/sharedLinks.ts',
  'bot/engine/thinking/serverTools.ts',
  'bot/engine/toolServers/declarations.ts',
  'models/auditEvent.ts',
  // Hashes a stream chunk by chunk; others get their turn in between.
  'models/files.ts',
  'models/tracing.ts',
];

/** Files of the kernel or the contracts that may name a channel. A new entry needs a reason. */
const CHANNEL_NAME_FILES = [
  // The list of the channels' cards.
  'models/contracts/channels.ts',
  // An error code that clients know.
  'models/contracts/errors.ts',
];

/** Files other than its card and its connector that may name a customer tool. A new entry needs a reason. */
const TOOL_NAME_FILES = [
  // Read the exports of trackers, which are recognised by their columns.
  'bot/agents/clinical_safety/reading/headerSynonyms.ts',
  'bot/agents/clinical_safety/tickets/readTickets.ts',
  'bot/agents/clinical_safety/tickets/relevanceFeatures.ts',
  'bot/agents/clinical_safety/worker/jobs.ts',
  // The specification fixes calls, buttons and notices of the designer that contain the name.
  'bot/agents/designer/designTool/connected.ts',
  'bot/agents/designer/workflows/proposal.ts',
  'models/contracts/designer/design.ts',
  'web/agents/designer/DesignerPanel.tsx',
  'web/data/oauthReturn.ts',
  'web/parts/shell/OAuthReturn.tsx',
  // The tools that an agent starts with.
  'models/contracts/clinical_safety/card.ts',
  'models/contracts/designer/card.ts',
  'models/contracts/developer/card.ts',
  'models/contracts/marketer/card.ts',
  'models/contracts/mdr/card.ts',
  'models/contracts/professionaliser/card.ts',
  // Host names of models, and of files in a channel.
  'models/contracts/publicModels.ts',
  'models/env.ts',
  // A drawing for each icon that a card names.
  'web/pages/dashboard/integrationDrawings.ts',
];

/** Pages that may name another company's channel. A new entry needs a reason. */
const CHANNEL_NAME_PAGES = [
  // Their pictures.
  'web/pages/dashboard/integrationDrawings.ts',
  // The specification fixes the addresses of their pages.
  'web/routes.tsx',
];

/** Files that may leave the account scope. A new entry needs a reason. */
const UNSCOPED_FILES = [
  // Commands and figures for the operator.
  'api/commands/auditVerify.ts',
  'api/commands/doctor/store.ts',
  'api/commands/secrets/places.ts',
  'api/commands/secrets/sealChains.ts',
  // Sessions are read before the account is known; figures span all accounts.
  'api/middleware/session.ts',
  'bot/engine/accounts/adminFigures.ts',
  // Export and erase a company's data completely.
  'bot/engine/accounts/companyExports.ts',
  'bot/engine/accounts/eraseAccount.ts',
  'bot/engine/accounts/exportAccount.ts',
  // Find what a crash left behind, or what is due, in any account.
  'bot/engine/accounts/planCredits.ts',
  'bot/engine/accounts/trial.ts',
  // A user's companies, for administrators.
  'bot/engine/administration/readUser.ts',
  'bot/engine/automation/pauseFailing.ts',
  'bot/engine/automation/startDueJobs.ts',
  'bot/engine/failures/failures.ts',
  // Figures for monitoring, without content.
  'bot/engine/failures/waitingWork.ts',
  'bot/engine/interrupts/applyConsequences.ts',
  'bot/engine/notices/digests.ts',
  'bot/engine/notices/planEnds.ts',
  'bot/engine/notices/reminders.ts',
  'bot/engine/outside/endQuestions.ts',
  // An event names a customer of the payment provider; the company follows from it.
  'bot/engine/payments/events.ts',
  'bot/engine/turns/finishTurns.ts',
  'bot/engine/workflows/sweepRuns.ts',
  'jobs/expireFiles.ts',
  'jobs/run.ts',
  'jobs/sweepBytes.ts',
  // Bytes are stored by file id, and the file's row is scoped.
  'models/files.ts',
];

describe('the structure of the code', () => {
  test('what an agent brings to the pages, and parts of several pages, take nothing from one page', () => {
    const files = [...filesUnder('web/agents'), ...filesUnder('web/parts')].filter((path) => /\.tsx?$/.test(path));
    const pages = files.filter((path) => /from '[./]*\/pages\//.test(readFileSync(path, 'utf8')));
    expect(pages).toEqual([]);
  });

  test('a layer imports only from its own or lower layers', () => {
    const upward = product.flatMap((path) =>
      importsOf(path)
        .filter((name) => layerOf(name) > layerOf(path))
        .map((name) => `${path} -> ${name}`),
    );
    expect(upward).toEqual([]);
  });

  test('no promise is left without a handler: background work goes through runInBackground', () => {
    // `void` silences the linter, but an unhandled rejection would still end the process.
    const silenced = product
      .filter((path) => !/^(web|models\/store\/embedded)\//.test(path))
      .flatMap((path) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .flatMap((line, index) => (/(^|[^:|<]\s)void\s+[a-z][\w.]*\(/i.test(line) ? [`${path}:${index + 1}`] : [])),
      );
    expect(silenced).toEqual([]);
  });

  test('routes go through the kernel: only commands access entities', () => {
    const entities = product.filter(
      (path) => /^models\/(?!store\/)/.test(path) && /= entity<\w+>\(/.test(readFileSync(path, 'utf8')),
    );
    const listed = loadedWith('models/entities.ts').flatMap((path) =>
      path.endsWith('/entities.ts') ? loadedWith(path) : [path],
    );
    expect(listed.sort()).toEqual(entities.sort());
    const asking = product
      .filter((path) => path.startsWith('api/') && !path.startsWith('api/commands/'))
      .flatMap((path) =>
        loadedWith(path)
          .filter((name) => entities.includes(name))
          .map((name) => `${path} -> ${name}`),
      );
    expect(asking).toEqual([]);
  });

  test('answers are built from rows only in api/present, one file per noun', () => {
    const presenting = product.filter(
      (path) => path.startsWith('api/routes/') && /toISOString|String\(row\._id\)/.test(readFileSync(path, 'utf8')),
    );
    expect(presenting).toEqual([]);
  });

  test('edges do not import each other, except the composition root and the jobs it starts', () => {
    const edgeOf = (path: string) => /^(bot\/channels\/\w+|api|jobs|web)\//.exec(path)?.[1];
    const sideways = product
      .filter((path) => path !== 'api/start.ts')
      .flatMap((path) =>
        importsOf(path)
          .filter((name) => edgeOf(path) && edgeOf(name) && edgeOf(name) !== edgeOf(path))
          .map((name) => `${path} -> ${name}`),
      );
    expect(sideways).toEqual([]);
  });

  test('there are no import cycles, not even of types', () => {
    expect(findCircles(product)).toEqual([]);
  });

  test('a room of the kernel imports only from the rooms before it', () => {
    expect(filesUnder('bot/engine').filter((path) => roomOfKernel(path) === -1)).toEqual([]);
    const back = product.flatMap((path) =>
      importsOf(path)
        .filter((name) => roomOfKernel(path) !== -1 && roomOfKernel(name) > roomOfKernel(path))
        .map((name) => `${path} -> ${name}`),
    );
    expect(back).toEqual([]);
  });

  test('a plug-in imports the kernel and the models, but no other plug-in', () => {
    const others = product.flatMap((path) =>
      importsOf(path)
        .filter((name) => plugInOf(path) && plugInOf(name) && plugInOf(name) !== plugInOf(path))
        .map((name) => `${path} -> ${name}`),
    );
    expect(others).toEqual([]);
  });

  test('the contracts and entities of a plug-in are imported only by itself and by the lists of plug-ins', () => {
    const named = (path: string) =>
      /(?:^bot\/(?:agents|channels)|^web\/agents|^models(?:\/contracts)?)\/(\w+)\//.exec(path)?.[1];
    const ids = new Set(product.flatMap((path) => /^bot\/(?:agents|channels)\/(\w+)\//.exec(path)?.[1] ?? []));
    const knows = product.flatMap((path) =>
      importsOf(path)
        .filter((name) => /^models\//.test(name) && ids.has(named(name) ?? '') && named(name) !== named(path))
        .map((name) => `${path} -> ${name}`),
    );
    const readers = new Set(knows.map((line) => line.split(' ')[0] ?? ''));
    expect([...readers].sort()).toEqual(PLUG_IN_READERS.toSorted());
  });

  test('only the lists of plug-ins and the server’s start import a plug-in by name', () => {
    const knows = product.flatMap((path) =>
      importsOf(path)
        .filter(
          (name) => /^bot\/(agents|connectors)\//.test(name) && plugInOf(name) && plugInOf(name) !== plugInOf(path),
        )
        .map((name) => `${path} -> ${name}`),
    );
    expect(knows.filter((line) => !/^bot\/(agents|connectors)\/index\.ts /.test(line))).toEqual([]);
  });

  test('pages do not import an agent’s folder: they use the lists in web/agents', () => {
    const knows = product
      .filter((path) => path.startsWith('web/'))
      .flatMap((path) =>
        importsOf(path)
          .filter((name) => /^web\/agents\/\w+\//.test(name) && plugInOf(name) !== plugInOf(path))
          .map((name) => `${path} -> ${name}`),
      );
    // The landing page loads the examples without the rest, so they have a list of their own.
    expect(knows.filter((line) => !/^web\/agents\/(index|examples)\.ts /.test(line))).toEqual([]);
    expect(knows).toContain('web/agents/index.ts -> web/agents/designer/index.ts');
  });

  test('the pages name no agent, neither by id nor by display name', async () => {
    const { AGENTS } = await import('../models/contracts/catalogue.ts');
    const names = new RegExp(AGENTS.flatMap(({ id, displayName }) => [`'${id}'`, `\\b${displayName}\\b`]).join('|'));
    const naming = product
      .filter((path) => /^web\/(?!agents\/)/.test(path))
      .filter((path) => names.test(readFileSync(path, 'utf8')));
    expect(naming).toEqual([]);
  });

  test('routes and commands do not name a channel: they go through the list', () => {
    const named = product.filter(
      (path) =>
        path.startsWith('api/') &&
        (/\b(slack|teams)/i.test(readFileSync(path, 'utf8')) ||
          importsOf(path).some((name) => /^bot\/channels\/\w+\//.test(name))),
    );
    expect(named).toEqual([]);
    const walk = product.filter((path) => importsOf(path).includes('bot/channels/index.ts'));
    // Except the server's start, and the commands that describe Arc to a platform or revoke its access there.
    expect(walk).toEqual(['api/commands/account.ts', 'api/commands/manifest.ts', 'api/start.ts']);
    expect(product.filter((path) => importsOf(path).includes('bot/connectors/index.ts'))).toEqual([
      'api/commands/account.ts',
      'api/start.ts',
    ]);
  });

  test('the kernel, the policies and the contracts name a channel only in its own folder', () => {
    const named = product
      .filter((path) => /^(bot\/engine|models\/policies|models\/contracts)\//.test(path))
      .filter((path) => !/^models\/contracts\/(arc|slack|teams)\//.test(path))
      .filter((path) => {
        const text = readFileSync(path, 'utf8');
        return /slack|teams/i.test(text) || text.includes("'arc'");
      });
    expect(named.sort()).toEqual([...CHANNEL_NAME_FILES].sort());
  });

  test('the pages name another company’s channel only on its own page', () => {
    const named = product
      .filter((path) => /^web\/(?!pages\/(?:channels|teams-tab)\/)/.test(path))
      .filter((path) => /slack|teams/i.test(readFileSync(path, 'utf8')));
    expect(named.sort()).toEqual([...CHANNEL_NAME_PAGES].sort());
  });

  test('every channel in the list of cards has its folder, in the same order', async () => {
    const [{ channels }, { CHANNELS }] = [
      await import('../bot/channels/index.ts'),
      await import('../models/contracts/channels.ts'),
    ];
    expect(channels.map(({ card }) => card)).toEqual([...CHANNELS]);
  });

  test('reading the list of channels loads no platform library; only configured channels load theirs', () => {
    const loaded = new Set<string>();
    const load = (path: string): void => {
      if (loaded.has(path)) return;
      loaded.add(path);
      if (!path.endsWith('.ts')) return;
      for (const name of loadedWith(path)) load(name);
    };
    load('bot/channels/index.ts');
    expect([...loaded].filter((name) => /^(@slack\/|bot(builder|framework)|socket\.io)/.test(name))).toEqual([]);
    expect(loaded).toContain('bot/channels/teams/index.ts');
  });

  test('a channel reads exactly the environment variables that it declares', async () => {
    const { channels } = await import('../bot/channels/index.ts');
    const folders = readdirSync('bot/channels', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(channels.map(({ card }) => card.id as string).sort()).toEqual(folders.map(({ name }) => name).sort());
    for (const { card, environment } of channels) {
      const read = filesUnder(`bot/channels/${card.id}`).flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\benv\.([A-Z_]+)\b/g)].map(([, name = '']) => name),
      );
      // The variables that its card needs are read where the environment is parsed.
      expect([...new Set([...read, ...card.needs])].sort()).toEqual([...environment].sort());
    }
  });

  test('every working connector has its folder, in the order of the cards', async () => {
    const [{ connectors }, { CONNECTORS }] = [
      await import('../bot/connectors/index.ts'),
      await import('../models/contracts/connectors.ts'),
    ];
    const cards: readonly ConnectorCard[] = CONNECTORS;
    expect(connectors.map(({ card }) => card)).toEqual(cards.filter(({ status }) => status === 'working'));
    const folders = readdirSync('bot/connectors', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(connectors.map(({ card }) => card.id).sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  test('a working connector says before it is connected what it reads, and its card names what it can do', async () => {
    const { connectors } = await import('../bot/connectors/index.ts');
    for (const { card, capabilities, documents, tickets, scope } of connectors) {
      expect([card.id, capabilities.includes('documents')]).toEqual([card.id, documents !== undefined]);
      expect([card.id, card.consent?.reads ?? '']).toEqual([card.id, expect.stringMatching(/\w.{20}/)]);
      expect([card.id, Boolean(card.tickets)]).toEqual([card.id, tickets !== undefined]);
      expect([card.id, capabilities.includes('tickets')]).toEqual([card.id, tickets !== undefined]);
      expect([card.id, Boolean(card.scoped)]).toEqual([card.id, scope !== undefined]);
    }
  });

  test('a connector reads exactly the variables that it declares, and no others of a connector exist', async () => {
    const { connectors } = await import('../bot/connectors/index.ts');
    for (const { card, environment, scopes } of connectors) {
      const read = filesUnder(`bot/connectors/${card.id}`).flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\benv\.([A-Z_]+)\b/g)].map(([, name = '']) => name),
      );
      expect([...new Set([...read, ...card.needs])].sort()).toEqual([...environment].sort());
      expect(Object.keys(scopes)).toEqual(card.tools.map(({ id }) => id));
    }
    const { variables } = await import('../models/env.ts');
    const { CONNECTORS } = await import('../models/contracts/connectors.ts');
    const prefixes = CONNECTORS.flatMap(({ needs }) => needs.map((name) => name.replace(/CLIENT_(ID|SECRET)$/, '')));
    const theirs = Object.keys(variables.shape).filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
    expect(theirs.sort()).toEqual(connectors.flatMap(({ environment }) => environment).sort());
  });

  test('only one file imports the OAuth library', () => {
    const knows = product.filter((path) => importsOf(path).includes('openid-client'));
    expect(knows).toEqual(['bot/engine/connectors/provider.ts']);
  });

  test('a customer tool is named only by its card and its connector', async () => {
    const { CONNECTORS } = await import('../models/contracts/connectors.ts');
    const cards: readonly ConnectorCard[] = CONNECTORS;
    const names = cards.flatMap(({ id, name, tools }) => [id, name, ...tools.flatMap((tool) => [tool.id, tool.name])]);
    // Whole words only: field names of the specification, e.g. figmaUrl, do not count.
    const word = new RegExp(`\\b(${names.join('|')})\\b(?!-gradient)`, 'i');
    const naming = product
      .filter((path) => !/^(bot\/connectors\/|models\/contracts\/connectors(\/|\.ts$))/.test(path))
      .filter((path) => word.test(readFileSync(path, 'utf8')));
    expect(naming.sort()).toEqual([...TOOL_NAME_FILES].sort());
  });

  // Paths, fields and ids that the specification fixes are in the agent's contracts.
  test('no file outside the agent’s folders contains clinical-safety words', () => {
    const speaks = product
      .filter((path) => !/clinical_safety\//.test(path))
      .filter((path) => /hazard/i.test(readFileSync(path, 'utf8')));
    expect(speaks).toEqual([]);
  });

  test('the kernel names no agent, and nothing clinical except the role of the specification', async () => {
    const { AGENTS } = await import('../models/contracts/catalogue.ts');
    const names = new RegExp(AGENTS.flatMap(({ id, displayName }) => [`'${id}'`, `\\b${displayName}\\b`]).join('|'));
    const kernel = product.filter((path) => path.startsWith('bot/engine/'));
    expect(kernel.filter((path) => names.test(readFileSync(path, 'utf8')))).toEqual([]);
    const clinical = kernel.filter((path) => /clinical|patient|safety|medical/i.test(readFileSync(path, 'utf8')));
    expect(clinical.sort()).toEqual(CLINICAL_ROLE_FILES);
  });

  test('routes, commands and jobs name no agent', async () => {
    const { AGENTS } = await import('../models/contracts/catalogue.ts');
    const names = new RegExp(AGENTS.flatMap(({ id, displayName }) => [`'${id}'`, `\\b${displayName}\\b`]).join('|'));
    const naming = product.filter((path) => /^(api|jobs)\//.test(path) && names.test(readFileSync(path, 'utf8')));
    expect(naming.sort()).toEqual(AGENT_NAME_FILES);
  });

  test('surfaces draw a question’s view and name no kind of question', async () => {
    const { agents } = await import('../bot/agents/index.ts');
    const modules: Record<string, unknown>[] = await Promise.all(
      readdirSync('bot/engine/questions/kinds').map((file) => import(`../bot/engine/questions/kinds/${file}`)),
    );
    const isKind = (it: unknown): it is { id: string } =>
      typeof it === 'object' && it !== null && 'id' in it && 'check' in it && 'view' in it;
    const kinds = [...modules.flatMap(Object.values), ...agents.flatMap((it) => it.questionKinds ?? [])].filter(isKind);
    const ids = kinds.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['approval', 'choices', 'hazard_review', 'match_review']));
    // These are also words of the platforms and of the pages, so only a comparison counts.
    const ordinary = ['input', 'decision', 'unknown'];
    const distinct = ids.filter((id) => !ordinary.includes(id));
    const named = new RegExp(`'(${distinct.join('|')})'|interruptType\\s*[!=]==`);
    const surfaces = product.filter((path) => /^(api|jobs|bot\/channels|web\/(?!agents\/))/.test(path));
    expect(surfaces.filter((path) => named.test(readFileSync(path, 'utf8')))).toEqual([]);
  });

  test('the bytes of files are hashed in one place; other files hash short texts', () => {
    const hashing = product.filter((path) => /\bcreateHash\b|subtle\.digest\b/.test(readFileSync(path, 'utf8')));
    expect(hashing.filter((path) => !path.startsWith('models/store/')).sort()).toEqual(
      ['models/digest.ts', ...SHORT_TEXT_HASHES].sort(),
    );
  });

  test('every export is imported by another file', () => {
    const imported = new Set<string>();
    const texts = [...sources, ...filesUnder('tests').filter((path) => path.endsWith('.mjs'))].map(
      (path) => [path, readFileSync(path, 'utf8')] as const,
    );
    for (const [path, text] of texts) {
      const from = (name: string) => relative(process.cwd(), resolve(dirname(path), name));
      const statements = text.matchAll(/^(?:import|export)\s+(?:type\s+)?([^;'"]*?)\s+from\s+'(\.[^']+)'/gm);
      for (const [, clause = '', name = ''] of statements) {
        const names = clause.includes('*') ? ['*'] : namesIn(/\{([^}]*)\}/.exec(clause)?.[1], 0);
        for (const it of names) imported.add(`${from(name)}: ${it}`);
      }
      // What is imported while the program runs may be any name that the same file has.
      for (const [, name = ''] of text.matchAll(/import\(\s*'(\.[^']+)'\s*\)/g))
        for (const word of new Set(text.match(/\w+/g))) imported.add(`${from(name)}: ${word}`);
    }
    const unused = texts
      .filter(([path]) => !path.startsWith('tests/'))
      .flatMap(([path, text]) => {
        const declared = text.matchAll(
          /^export (?:declare )?(?:async )?(?:const|function\*?|type|class|interface|let|enum) (\w+)/gm,
        );
        const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
        return [...[...declared].map(([, name = '']) => name), ...[...listed].flatMap(([, list]) => namesIn(list, -1))]
          .filter((name) => !imported.has(`${path}: ${name}`) && !imported.has(`${path}: *`))
          .map((name) => `${path}: ${name}`);
      });
    expect(unused.sort()).toEqual(EXPORTED_FOR_THE_BUILD);
  });

  test('the contracts import only zod', () => {
    const others = product
      .filter((path) => path.startsWith('models/contracts/'))
      .flatMap((path) => importsOf(path).filter((name) => name !== 'zod' && !name.startsWith('models/contracts/')));
    expect(others).toEqual([]);
  });

  test('pages import nothing of the models but the contracts', () => {
    const reached = product
      .filter((path) => path.startsWith('web/'))
      .flatMap((path) => importsOf(path).filter((name) => name.startsWith('models/')))
      .filter((name) => !name.startsWith('models/contracts/'));
    expect(reached).toEqual([]);
  });

  /** @shows S2-9.3 */
  test('pages scroll natively: no component brings its own scroll bar', () => {
    const own = product.filter(
      (path) => path.startsWith('web/') && /\b(ScrollArea|scrollAreaComponent)\b/.test(readFileSync(path, 'utf8')),
    );
    expect(own).toEqual([]);
  });

  test('a platform library is imported only by its channel', () => {
    const platform = /^(@slack\/|bot(builder|framework)|socket\.io$)/;
    const elsewhere = product
      .filter((path) => !path.startsWith('bot/channels/'))
      .flatMap((path) => importsOf(path).filter((name) => platform.test(name)));
    expect(elsewhere).toEqual([]);
  });

  test('only one file imports the Bot Framework library, which is past its end of life', () => {
    const knows = product.filter((path) => importsOf(path).some((name) => /^bot(builder|framework)/.test(name)));
    expect(knows).toEqual(['bot/channels/teams/platform/adapter.ts']);
  });

  test('only the store knows which database it is', () => {
    const knows = product
      .filter((path) => !path.startsWith('models/store/') && path !== 'models/workers.ts')
      .filter((path) => /embedded\//.test(readFileSync(path, 'utf8')));
    expect(knows).toEqual([]);
  });

  test('the embedded store is a package: the store’s connection alone imports it, and it imports nothing of the product', () => {
    const own = 'models/store/embedded/';
    const isOwn = (name: string) => name.startsWith(own) || name.startsWith('@arc/embedded-store');
    const [within, outside] = [true, false].map((is) => product.filter((path) => path.startsWith(own) === is));
    const importers = outside!.filter((path) => importsOf(path).some(isOwn));
    expect(importers).toEqual(['models/store/connect.ts']);
    const { dependencies } = JSON.parse(readFileSync(`${own}package.json`, 'utf8')) as { dependencies: object };
    const named = (path: string) =>
      [...readFileSync(path, 'utf8').matchAll(/^(?:import|export)[^;]*? from '([^'.][^']*)';$/gm)].map(
        ([, name = '']) => name,
      );
    const needed = new Set(within!.flatMap(named).filter((name) => !name.startsWith('node:')));
    const elsewhere = within!.flatMap(importsOf).filter((name) => /^(?!node:).*\//.test(name) && !name.startsWith(own));
    expect(elsewhere).toEqual([]);
    expect([...needed].sort()).toEqual(Object.keys(dependencies).sort());
  });

  test('only one file reads the environment', () => {
    const readers = product.filter(
      (path) => path !== 'models/env.ts' && /process\.env\b/.test(readFileSync(path, 'utf8')),
    );
    expect(readers).toEqual([]);
  });

  test('no regular expression is built at run time, because outside text in one can block the process', () => {
    const building = product.filter((path) => /\bRegExp\(/.test(readFileSync(path, 'utf8')));
    expect(building.sort()).toEqual([
      // The store's query language has patterns; only the product's own queries use them, and the store checks their
      // shape.
      'models/store/embedded/filter/regex.ts',
    ]);
  });

  test('query results have the entity’s type: nothing is cast after `lean()', () => {
    const casting = sources.filter((path) => /\.lean\(\)[\s),]*\sas\b/.test(readFileSync(path, 'utf8')));
    expect(casting).toEqual([]);
  });

  test('no folder has a vague name such as utils or helpers', () => {
    const drawers = sources.filter((path) => path.split(/[/.]/).some((part) => VAGUE_FOLDERS.test(part)));
    expect(drawers).toEqual([]);
  });

  test('files stay under 300 lines', () => {
    const long = product
      .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 300);
    expect(long).toEqual([]);
  });

  test('only listed files leave the account scope', () => {
    const round = product
      .filter((path) => !path.startsWith('models/store/'))
      .filter((path) =>
        /\bdangerously\w+\(|\bconnectedDatabase\(|\w\.collection\b|\$__collection\b/.test(readFileSync(path, 'utf8')),
      );
    expect(round.sort()).toEqual(UNSCOPED_FILES);
  });

  test('every job in the folder is in the list that is started, exactly once', async () => {
    const { JOBS } = await import('../jobs/index.ts');
    const files = filesUnder('jobs').map((path) => path.replace(/^jobs\/|\.ts$/g, ''));
    const jobs = files.filter((name) => !['index', 'job', 'run'].includes(name));
    expect(JOBS.map(({ name }) => name).sort()).toEqual(jobs.sort());
  });

  test('the worker threads of models/workers.ts are those of the build', async () => {
    const { WORKERS } = await import('../models/workers.ts');
    const build = readFileSync('build.mjs', 'utf8');
    for (const [name, file] of Object.entries(WORKERS)) expect(build).toContain(`${name}: '${file}'`);
  });

  test('a dynamic import with a computed name contains its folder', () => {
    // The bundler includes everything that the name could mean: without a folder, the whole repository.
    const loose = sources.filter((path) => /import\(`[./]*\$\{/.test(readFileSync(path, 'utf8')));
    expect(loose).toEqual([]);
  });
});
