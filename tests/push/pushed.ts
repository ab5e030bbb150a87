import { execFileSync } from 'node:child_process';

const git = (directory: string, ...input: string[]) =>
  execFileSync('git', input, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

function isCommit(directory: string, sha: string): boolean {
  try {
    git(directory, 'cat-file', '-e', `${sha}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** Where a new branch left what the remote has; the empty tree if the remote has nothing. */
function branchingPoint(directory: string, local: string, remote: string): string {
  const first = git(directory, 'rev-list', '--reverse', local, '--not', `--remotes=${remote}`).split('\n')[0];
  if (!first) return local;
  return isCommit(directory, `${first}~1`) ? `${first}~1` : git(directory, 'hash-object', '-t', 'tree', '/dev/null');
}

/**
 * Lists the files that a push changes on the remote, from the root, deleted ones included.
 * @param lines git's input to a pre-push hook: "<local ref> <local sha> <remote ref> <remote sha>" per line
 * @param remote the remote's name
 */
export function filesPushed(lines: string, remote: string, directory = '.'): string[] {
  const files = lines
    .split('\n')
    .map((line) => line.trim().split(' '))
    // A deleted branch has no local commit.
    .filter(([, local]) => local && /[1-9a-f]/.test(local))
    .flatMap(([, local = '', , known = '']) => {
      const from = isCommit(directory, known) ? known : branchingPoint(directory, local, remote);
      return git(directory, 'diff', '--name-only', from, local).split('\n');
    });
  return [...new Set(files)].filter(Boolean);
}
