import type { ApiAnswer } from './provider.ts';

type TreeEntry = { path: string; content: string };
type Commit = { message: string; tree: string; parents: string[] };
type Pull = { title: string; head: string; base: string; body: string; html_url: string };

const found = (body: object): ApiAnswer => ({ status: 200, body });
const refused = (status: number): ApiAnswer => ({ status, body: { message: 'no' } });

/** The code of one GitHub repository: files of its default branch, git objects, branches and pull requests. */
export function makeGit() {
  const files = new Map<string, Buffer>();
  const trees = new Map<string, { base: string; entries: TreeEntry[] }>();
  const commits = new Map<string, Commit>();
  const branches = new Map([['main', 'c0']]);
  const pulls: Pull[] = [];
  /** Entries of a folder that are neither files nor folders. */
  const links = ['linked'];

  const put = <T>(objects: Map<string, T>, kind: string, object: T): ApiAnswer => {
    const sha = `${kind}${objects.size + 1}`;
    objects.set(sha, object);
    return { status: 201, body: { sha } };
  };

  function readContents(path: string): ApiAnswer {
    const file = files.get(path);
    if (file) {
      const isLarge = file.length > 1_000_000;
      const content = isLarge
        ? { encoding: 'none', content: '' }
        : { encoding: 'base64', content: file.toString('base64') };
      return found({ type: 'file', path, size: file.length, ...content });
    }
    const within = path === '' ? '' : `${path}/`;
    const names = [...files.keys()].filter((name) => name.startsWith(within));
    if (names.length === 0) return refused(404);
    const entries = new Map<string, object>();
    for (const name of names) {
      const [first = '', ...rest] = name.slice(within.length).split('/');
      const at = within + first;
      entries.set(at, { type: rest.length > 0 ? 'dir' : 'file', path: at, size: files.get(at)?.length ?? 0 });
    }
    const other = within === '' ? links.map((at) => ({ type: 'symlink', path: at, size: 1 })) : [];
    return found([...entries.values(), ...other]);
  }

  function write(path: string, body: string): ApiAnswer {
    const given = JSON.parse(body) as Record<string, never>;
    if (path === '/git/trees') return put(trees, 't', { base: given.base_tree ?? '', entries: given.tree ?? [] });
    if (path === '/git/commits') return put(commits, 'c', given as unknown as Commit);
    if (path === '/git/refs') {
      const { ref, sha } = given as unknown as { ref: string; sha: string };
      const name = ref.replace('refs/heads/', '');
      if (branches.has(name)) return refused(422);
      branches.set(name, sha);
      return { status: 201, body: { ref } };
    }
    const pull = given as unknown as Pull;
    if (path !== '/pulls' || !branches.has(pull.head)) return refused(404);
    if (pulls.some(({ head }) => head === pull.head)) return refused(422);
    pull.html_url = `https://github.com/acme/nrl/pull/${pulls.length + 1}`;
    pulls.push(pull);
    return { status: 201, body: pull };
  }

  return {
    ...{ files, trees, commits, branches, pulls },
    clear() {
      for (const objects of [files, trees, commits, branches]) objects.clear();
      branches.set('main', 'c0');
      pulls.length = 0;
    },
    answer(method: string, path: string, query: URLSearchParams, body: string): ApiAnswer {
      if (method === 'POST') return write(path, body);
      if (path === '') return found({ full_name: 'acme/nrl', default_branch: 'main' });
      if (path === '/pulls') return found(pulls.filter(({ head }) => `acme:${head}` === query.get('head')));
      const [, kind = '', name = ''] = /^\/(contents|git\/ref\/heads|git\/commits)\/?(.*)$/.exec(path) ?? [];
      if (kind === 'contents') return readContents(decodeURIComponent(name));
      const sha = branches.get(name);
      if (kind === 'git/ref/heads') return sha ? found({ object: { sha } }) : refused(404);
      return kind === 'git/commits' ? found({ sha: name, tree: { sha: `tree-of-${name}` } }) : refused(404);
    },
  };
}
