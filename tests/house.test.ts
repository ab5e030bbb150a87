import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { ConnectorCard } from '../models/contracts/connectorCard.ts';
import { filesUnder, listSources } from './factories/sources.ts';

const DRAWERS = /^(utils?|helpers?|common|misc|lib|shared|services)$/;

const sources = listSources();
const product = sources.filter((path) => !path.startsWith('tests/'));

/** What a file imports, project files as paths from the root, packages by name. */
function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const found = text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
  return [...found].map(([, name = '']) =>
    name.startsWith('.') ? relative(process.cwd(), resolve(dirname(path), name)) : name,
  );
}

/** What loading a file loads with it: its imports but for those of types alone, which are gone when it runs. */
function loadedWith(path: string): string[] {
  const statements = readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)'/gm);
  return [...statements].map(([, name = '']) =>
    name.startsWith('.') ? relative(process.cwd(), resolve(dirname(path), name)) : name,
  );
}

/** The layers of the house from the bottom up; a file may import from its own and from those below. */
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

/** What files import each other in a circle, types included: circles of the import graph, each as its files. */
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

/** The rooms of the kernel from the bottom up; each imports from those before it alone. */
const KERNEL = [
  'calls',
  'files',
  'mail',
  'llm',
  'audit',
  'credits',
  'grants',
  'accounts',
  'connectors',
  'documents',
  'conversations',
  'questions',
  'delivery',
  'interrupts',
  'workflows',
  'agents',
  'turns',
  'automation',
  'preferences',
];
const roomOfKernel = (path: string) => KERNEL.indexOf(/^bot\/engine\/(\w+)\//.exec(path)?.[1] ?? '');

/** The plug-in that a file belongs to: an agent, a channel or a connector, on either side. */
const plugInOf = (path: string) => /^((?:bot\/(?:agents|channels|connectors)|web\/agents)\/\w+)\//.exec(path)?.[1];

/** Who reads what a plug-in has on the floor without belonging to it: another file has to say why here. */
const FLOOR_READERS = [
  // The lists.
  'models/contracts/catalogue.ts',
  'models/contracts/channels.ts',
  'models/contracts/chat.ts',
  'models/contracts/errors.ts',
  'models/entities.ts',
  // The status of each channel by its own call, and the page that Teams frames.
  'web/pages/channels/channelStatus.ts',
  'web/pages/teams-tab/signInByTeams.ts',
];

/**
 * Where a word of clinical safety stands outside its folders: another one has to say why here. What the specification
 * fixes (paths, fields and ids) stands in the agent's contracts.
 */
const FIXED_WORDS = [
  // Lists every entity.
  'models/entities.ts',
  // How rows of before become those of today.
  'models/conversation.ts',
  'models/interrupt.ts',
];

/** Where the kernel names the role that the specification fixes: another one has to say why here. */
const CLINICAL_ROLE_NAMED = [
  'bot/engine/accounts/eraseAccount.ts',
  'bot/engine/accounts/identify.ts',
  'bot/engine/accounts/members.ts',
  'bot/engine/preferences/preferences.ts',
];

/** Where the kernel or the contracts name a channel: another one has to say why here. */
const CHANNELS_NAMED = [
  // The list of their cards.
  'models/contracts/channels.ts',
  // A code that clients know.
  'models/contracts/errors.ts',
];

/** Where a tool of the customer is named outside its card and its connector: another one has to say why here. */
const TOOLS_NAMED = [
  // Reads the exports of trackers, by their columns.
  'bot/agents/clinical_safety/reading/headerSynonyms.ts',
  'bot/agents/clinical_safety/tickets/readTickets.ts',
  'bot/agents/clinical_safety/tickets/relevanceFeatures.ts',
  'bot/agents/clinical_safety/worker/jobs.ts',
  // The specification gives the designer's calls, buttons and notices with the name in them.
  'bot/agents/designer/calls/index.ts',
  'bot/agents/designer/workflows/proposal.ts',
  'models/contracts/designer/design.ts',
  'web/agents/designer/DesignerPanel.tsx',
  'web/data/oauthReturn.ts',
  'web/parts/shell/OAuthReturn.tsx',
  // Which tools an agent begins with.
  'models/contracts/catalogue.ts',
  'models/contracts/clinical_safety/card.ts',
  'models/contracts/designer/card.ts',
  // Hosts of models, and of files in a channel.
  'models/contracts/publicModels.ts',
  'models/env.ts',
  // A drawing for each icon that a card names.
  'web/pages/dashboard/integrationDrawings.ts',
];

/** Where the pages name a channel of another company: another one has to say why here. */
const CHANNELS_ON_PAGES = [
  // Their pictures.
  'web/pages/dashboard/integrationDrawings.ts',
  // The addresses of their pages are fixed by the specification.
  'web/routes.tsx',
];

/** Each reads or sweeps every account, or keeps what belongs to none: another one has to say why here. */
const ROUND_THE_SCOPE = [
  // Commands and figures of the machine's owner.
  'api/commands/auditVerify.ts',
  // Sessions are read before an account is known; the queue is of no account.
  'api/middleware/session.ts',
  'bot/engine/accounts/adminFigures.ts',
  // A company's data whole, taken out or away.
  'bot/engine/accounts/eraseAccount.ts',
  'bot/engine/accounts/exportAccount.ts',
  // What a crash left, or what is due, in whichever account.
  'bot/engine/accounts/trial.ts',
  'bot/engine/automation/startDueJobs.ts',
  'bot/engine/delivery/sweepDeliveries.ts',
  'bot/engine/interrupts/applyConsequences.ts',
  'bot/engine/turns/finishTurns.ts',
  'bot/engine/turns/processTurn.ts',
  'bot/engine/workflows/lease.ts',
  'bot/engine/workflows/sweepRuns.ts',
  'jobs/expireFiles.ts',
  'jobs/run.ts',
  'jobs/sweepBytes.ts',
  // Bytes are kept by a file's id, which its row scopes.
  'models/files.ts',
];

describe('the house', () => {
  test('imports run downward', () => {
    const upward = product.flatMap((path) =>
      importsOf(path)
        .filter((name) => layerOf(name) > layerOf(path))
        .map((name) => `${path} -> ${name}`),
    );
    expect(upward).toEqual([]);
  });

  test('no promise is left without a handler: what nobody waits for goes through runInBackground', () => {
    // `void` silences the linter and leaves the rejection to end the process.
    const silenced = product
      .filter((path) => !/^(web|models\/store\/embedded)\//.test(path))
      .flatMap((path) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .flatMap((line, index) => (/(^|[^:|<]\s)void\s+[a-z][\w.]*\(/i.test(line) ? [`${path}:${index + 1}`] : [])),
      );
    expect(silenced).toEqual([]);
  });

  test('the calls of the edge ask the kernel: only commands touch an entity', () => {
    const entities = product.filter(
      (path) => /^models\/(?!store\/)/.test(path) && /= entity<\w+>\(/.test(readFileSync(path, 'utf8')),
    );
    expect(loadedWith('models/entities.ts').sort()).toEqual(entities.sort());
    const asking = product
      .filter((path) => path.startsWith('api/') && !path.startsWith('api/commands/'))
      .flatMap((path) =>
        loadedWith(path)
          .filter((name) => entities.includes(name))
          .map((name) => `${path} -> ${name}`),
      );
    expect(asking).toEqual([]);
  });

  test('rows become answers in api/present, one file a noun', () => {
    const presenting = product.filter(
      (path) => path.startsWith('api/routes/') && /toISOString|String\(row\._id\)/.test(readFileSync(path, 'utf8')),
    );
    expect(presenting).toEqual([]);
  });

  test('edges do not import each other, but for the composition root and the jobs it starts', () => {
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

  test('no files import each other in a circle, for their types neither', () => {
    expect(findCircles(product)).toEqual([]);
  });

  test('the rooms of the kernel stand on those before them', () => {
    expect(filesUnder('bot/engine').filter((path) => roomOfKernel(path) === -1)).toEqual([]);
    const back = product.flatMap((path) =>
      importsOf(path)
        .filter((name) => roomOfKernel(path) !== -1 && roomOfKernel(name) > roomOfKernel(path))
        .map((name) => `${path} -> ${name}`),
    );
    expect(back).toEqual([]);
  });

  test('a plug-in knows the kernel and the models, and no other plug-in', () => {
    const others = product.flatMap((path) =>
      importsOf(path)
        .filter((name) => plugInOf(path) && plugInOf(name) && plugInOf(name) !== plugInOf(path))
        .map((name) => `${path} -> ${name}`),
    );
    expect(others).toEqual([]);
  });

  test('what a plug-in has on the floor is its own: its contracts and entities are read by itself and by the lists', () => {
    const named = (path: string) =>
      /(?:^bot\/(?:agents|channels)|^web\/agents|^models(?:\/contracts)?)\/(\w+)\//.exec(path)?.[1];
    const ids = new Set(product.flatMap((path) => /^bot\/(?:agents|channels)\/(\w+)\//.exec(path)?.[1] ?? []));
    const knows = product.flatMap((path) =>
      importsOf(path)
        .filter((name) => /^models\//.test(name) && ids.has(named(name) ?? '') && named(name) !== named(path))
        .map((name) => `${path} -> ${name}`),
    );
    const readers = new Set(knows.map((line) => line.split(' ')[0] ?? ''));
    expect([...readers].sort()).toEqual(FLOOR_READERS.toSorted());
  });

  test('nothing but their lists, and who starts everything, knows a plug-in by name', () => {
    const knows = product.flatMap((path) =>
      importsOf(path)
        .filter(
          (name) => /^bot\/(agents|connectors)\//.test(name) && plugInOf(name) && plugInOf(name) !== plugInOf(path),
        )
        .map((name) => `${path} -> ${name}`),
    );
    expect(knows.filter((line) => !/^bot\/(agents|connectors)\/index\.ts /.test(line))).toEqual([]);
  });

  test('the pages know no agent’s folder: what it brings comes through the lists of web/agents', () => {
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

  test('the pages name no agent, by its id or by its person', async () => {
    const { AGENTS } = await import('../models/contracts/catalogue.ts');
    const names = new RegExp(AGENTS.flatMap(({ id, displayName }) => [`'${id}'`, `\\b${displayName}\\b`]).join('|'));
    const naming = product
      .filter((path) => /^web\/(?!agents\/)/.test(path))
      .filter((path) => names.test(readFileSync(path, 'utf8')));
    expect(naming).toEqual([]);
  });

  test('the calls and commands of the edge know no channel by name: they walk the list', () => {
    const named = product.filter(
      (path) =>
        path.startsWith('api/') &&
        (/\b(slack|teams)/i.test(readFileSync(path, 'utf8')) ||
          importsOf(path).some((name) => /^bot\/channels\/\w+\//.test(name))),
    );
    expect(named).toEqual([]);
    const walk = product.filter((path) => importsOf(path).includes('bot/channels/index.ts'));
    // Who starts everything, and who writes what platforms are told about Arc.
    expect(walk).toEqual(['api/commands/manifest.ts', 'api/start.ts']);
    expect(product.filter((path) => importsOf(path).includes('bot/connectors/index.ts'))).toEqual(['api/start.ts']);
  });

  test('the kernel, the policies and the contracts name no channel but in its own folder', () => {
    const named = product
      .filter((path) => /^(bot\/engine|models\/policies|models\/contracts)\//.test(path))
      .filter((path) => !/^models\/contracts\/(arc|slack|teams)\//.test(path))
      .filter((path) => {
        const text = readFileSync(path, 'utf8');
        return /slack|teams/i.test(text) || text.includes("'arc'");
      });
    expect(named.sort()).toEqual([...CHANNELS_NAMED].sort());
  });

  test('the pages name no channel of another company but on its own page', () => {
    const named = product
      .filter((path) => /^web\/(?!pages\/(?:channels|teams-tab)\/)/.test(path))
      .filter((path) => /slack|teams/i.test(readFileSync(path, 'utf8')));
    expect(named.sort()).toEqual([...CHANNELS_ON_PAGES].sort());
  });

  test('every channel of the list of cards has its folder, in the same order', async () => {
    const [{ channels }, { CHANNELS }] = [
      await import('../bot/channels/index.ts'),
      await import('../models/contracts/channels.ts'),
    ];
    expect(channels.map(({ card }) => card)).toEqual([...CHANNELS]);
  });

  test('to read the list of channels loads no platform’s library: that is for those that are configured', () => {
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

  test('a channel reads the variables of the environment that it declares, and declares no other', async () => {
    const { channels } = await import('../bot/channels/index.ts');
    const folders = readdirSync('bot/channels', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(channels.map(({ card }) => card.id as string).sort()).toEqual(folders.map(({ name }) => name).sort());
    for (const { card, environment } of channels) {
      const read = filesUnder(`bot/channels/${card.id}`).flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/\benv\.([A-Z_]+)\b/g)].map(([, name = '']) => name),
      );
      // What its card needs is read where the environment is.
      expect([...new Set([...read, ...card.needs])].sort()).toEqual([...environment].sort());
    }
  });

  test('every connector whose card says that it works has its folder, in the order of the cards', async () => {
    const [{ connectors }, { CONNECTORS }] = [
      await import('../bot/connectors/index.ts'),
      await import('../models/contracts/connectors.ts'),
    ];
    const cards: readonly ConnectorCard[] = CONNECTORS;
    expect(connectors.map(({ card }) => card)).toEqual(cards.filter(({ status }) => status === 'working'));
    const folders = readdirSync('bot/connectors', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(connectors.map(({ card }) => card.id).sort()).toEqual(folders.map(({ name }) => name).sort());
  });

  test('a connector reads the variables that it declares, and the environment has no others of a connector', async () => {
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

  test('the library that speaks OAuth is known to one file', () => {
    const knows = product.filter((path) => importsOf(path).includes('openid-client'));
    expect(knows).toEqual(['bot/engine/connectors/provider.ts']);
  });

  test('a tool of the customer is named by its card and its connector alone', async () => {
    const { CONNECTORS } = await import('../models/contracts/connectors.ts');
    const cards: readonly ConnectorCard[] = CONNECTORS;
    const names = cards.flatMap(({ id, name, tools }) => [id, name, ...tools.flatMap((tool) => [tool.id, tool.name])]);
    // Whole words: the names of fields that the specification gives, e.g. figmaUrl, are no mention.
    const word = new RegExp(`\\b(${names.join('|')})\\b(?!-gradient)`, 'i');
    const naming = product
      .filter((path) => !/^(bot\/connectors\/|models\/contracts\/connectors(\/|\.ts$))/.test(path))
      .filter((path) => word.test(readFileSync(path, 'utf8')));
    expect(naming.sort()).toEqual([...TOOLS_NAMED].sort());
  });

  test('the kernel, the channels and the edges speak of no hazard', () => {
    const speaks = product
      .filter((path) => !/clinical_safety\//.test(path))
      .filter((path) => /hazard/i.test(readFileSync(path, 'utf8')));
    expect(speaks.sort()).toEqual([...FIXED_WORDS].sort());
  });

  test('the kernel names no agent, no agent’s person, and nothing clinical but the role that the specification fixes', async () => {
    const { AGENTS } = await import('../models/contracts/catalogue.ts');
    const names = new RegExp(AGENTS.flatMap(({ id, displayName }) => [`'${id}'`, `\\b${displayName}\\b`]).join('|'));
    const kernel = product.filter((path) => path.startsWith('bot/engine/'));
    expect(kernel.filter((path) => names.test(readFileSync(path, 'utf8')))).toEqual([]);
    const clinical = kernel.filter((path) => /clinical|patient|safety|medical/i.test(readFileSync(path, 'utf8')));
    expect(clinical.sort()).toEqual(CLINICAL_ROLE_NAMED);
  });

  test('nothing is exported that no other file uses', () => {
    const words = new Map(
      [...sources, ...filesUnder('tests').filter((path) => path.endsWith('.mjs'))].map((path) => [
        path,
        new Set(readFileSync(path, 'utf8').match(/\w+/g)),
      ]),
    );
    const users = new Map<string, number>();
    for (const names of words.values()) for (const name of names) users.set(name, (users.get(name) ?? 0) + 1);
    const unused = product.flatMap((path) =>
      [
        ...readFileSync(path, 'utf8').matchAll(
          /^export (?:async )?(?:const|function\*?|type|class|interface|let) (\w+)/gm,
        ),
      ].flatMap(([, name = '']) => (users.get(name) === 1 ? [`${path}: ${name}`] : [])),
    );
    expect(unused).toEqual([]);
  });

  test('the floor knows zod and nothing else', () => {
    const others = product
      .filter((path) => path.startsWith('models/contracts/'))
      .flatMap((path) => importsOf(path).filter((name) => name !== 'zod' && !name.startsWith('models/contracts/')));
    expect(others).toEqual([]);
  });

  test('pages reach the contracts and nothing else of the models', () => {
    const reached = product
      .filter((path) => path.startsWith('web/'))
      .flatMap((path) => importsOf(path).filter((name) => name.startsWith('models/')))
      .filter((name) => !name.startsWith('models/contracts/'));
    expect(reached).toEqual([]);
  });

  /** @shows S2-9.3 */
  test('pages scroll natively: no component brings a scroll bar of its own', () => {
    const own = product.filter(
      (path) => path.startsWith('web/') && /\b(ScrollArea|scrollAreaComponent)\b/.test(readFileSync(path, 'utf8')),
    );
    expect(own).toEqual([]);
  });

  test('platform libraries stay in their channel', () => {
    const platform = /^(@slack\/|bot(builder|framework)|socket\.io$)/;
    const elsewhere = product
      .filter((path) => !path.startsWith('bot/channels/'))
      .flatMap((path) => importsOf(path).filter((name) => platform.test(name)));
    expect(elsewhere).toEqual([]);
  });

  test('the Bot Framework’s library, past its end of life, is known to one file', () => {
    const knows = product.filter((path) => importsOf(path).some((name) => /^bot(builder|framework)/.test(name)));
    expect(knows).toEqual(['bot/channels/teams/platform/adapter.ts']);
  });

  test('nothing but the store knows which database it is', () => {
    const knows = product
      .filter((path) => !path.startsWith('models/store/') && path !== 'models/workers.ts')
      .filter((path) => /embedded\//.test(readFileSync(path, 'utf8')));
    expect(knows).toEqual([]);
  });

  test('the environment is read in one file', () => {
    const readers = product.filter(
      (path) => path !== 'models/env.ts' && /process\.env\b/.test(readFileSync(path, 'utf8')),
    );
    expect(readers).toEqual([]);
  });

  test('no pattern is built at run time: text from outside in one can stop the process', () => {
    const building = product.filter((path) => /\bRegExp\(/.test(readFileSync(path, 'utf8')));
    expect(building.sort()).toEqual([
      // The store's own language has patterns; its callers are the product's queries, and it watches their shape.
      'models/store/embedded/aggregate/operators/text.ts',
      'models/store/embedded/filter/regex.ts',
    ]);
  });

  test('what reading gives has its type from the entity: nothing is cast after `lean()`', () => {
    const casting = sources.filter((path) => /\.lean\(\)[\s),]*\sas\b/.test(readFileSync(path, 'utf8')));
    expect(casting).toEqual([]);
  });

  test('there are no drawers', () => {
    const drawers = sources.filter((path) => path.split(/[/.]/).some((part) => DRAWERS.test(part)));
    expect(drawers).toEqual([]);
  });

  test('files stay small', () => {
    const long = product
      .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 300);
    expect(long).toEqual([]);
  });

  test('what goes round the account’s scope is done here and nowhere else', () => {
    const round = product
      .filter((path) => !path.startsWith('models/store/'))
      .filter((path) =>
        /\bdangerously\w+\(|\bconnectedDatabase\(|\w\.collection\b|\$__collection\b/.test(readFileSync(path, 'utf8')),
      );
    expect(round.sort()).toEqual(ROUND_THE_SCOPE);
  });

  test('every job of the folder is in the list that is started, once', async () => {
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

  test('what is imported by a name that is made up at run time stands in a folder that the import names', () => {
    // All that the name could stand for is built in: without a folder that is the whole repository.
    const loose = sources.filter((path) => /import\(`[./]*\$\{/.test(readFileSync(path, 'utf8')));
    expect(loose).toEqual([]);
  });
});
