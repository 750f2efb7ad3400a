import { join } from 'node:path';
import type { Place } from './place.ts';

/** Where an agent leaves HEAD, its commits and devflow's branch. `commits` lists what it has committed itself. */
export interface Tampering {
  name: string;
  tamper(place: Place, branch: string): { commits: string[] };
}

function commit(place: Place, name: string): string {
  place.write(join(place.worktree, name), `${name}\n`);
  place.git(place.worktree, 'add', name);
  place.git(place.worktree, 'commit', '-q', '-m', name);
  return place.git(place.worktree, 'rev-parse', 'HEAD');
}

export const TAMPERINGS: Tampering[] = [
  {
    name: 'a detached HEAD',
    tamper(place) {
      place.git(place.worktree, 'checkout', '-q', '--detach');
      return { commits: [] };
    },
  },
  {
    name: 'a commit on a detached HEAD',
    tamper(place) {
      place.git(place.worktree, 'checkout', '-q', '--detach');
      return { commits: [commit(place, 'detached.txt')] };
    },
  },
  {
    name: 'a commit on another branch',
    tamper(place) {
      place.git(place.worktree, 'checkout', '-q', '-b', 'elsewhere');
      return { commits: [commit(place, 'elsewhere.txt')] };
    },
  },
  {
    name: 'a commit on the branch itself',
    tamper: (place) => ({ commits: [commit(place, 'own.txt')] }),
  },
  {
    name: 'an amended commit',
    tamper(place) {
      place.write(join(place.worktree, 'amended.txt'), 'amended\n');
      place.git(place.worktree, 'add', '-A');
      place.git(place.worktree, 'commit', '-q', '--amend', '--no-edit');
      return { commits: [place.git(place.worktree, 'rev-parse', 'HEAD')] };
    },
  },
  {
    name: 'a reset to the base commit',
    tamper(place) {
      place.git(place.worktree, 'reset', '-q', '--hard', 'main');
      return { commits: [] };
    },
  },
  {
    name: 'a deleted branch',
    tamper(place, branch) {
      place.git(place.worktree, 'checkout', '-q', '--detach');
      place.git(place.worktree, 'branch', '-q', '-D', branch);
      return { commits: [] };
    },
  },
  {
    name: 'a HEAD that names the branch of the person',
    tamper(place) {
      place.git(place.worktree, 'symbolic-ref', 'HEAD', 'refs/heads/main');
      return { commits: [] };
    },
  },
];
