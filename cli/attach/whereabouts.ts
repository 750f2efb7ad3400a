import { realpathSync } from 'node:fs';
import type { Env } from '../../schemas/files/paths.ts';

/** Where the person sits, as tmux tells a program: `TMUX` is `<socket>,<server pid>,<session number>`. */
export type Whereabouts =
  | { place: 'outside' }
  | {
      /** `here`: in the server of the agents; `elsewhere`: in another one. */
      place: 'here' | 'elsewhere';
      socketPath: string;
      /** The session whose client is the right one, as `$N`. */
      session: `$${number}`;
    };

/** Pure but for resolving links in socket paths, which name the same server by two names on macOS. */
export function whereabouts(env: Env, agentsSocket: string): Whereabouts {
  const [socketPath = '', , session = ''] = (env.TMUX ?? '').split(',');
  if (socketPath === '') return { place: 'outside' };
  const place = canonical(socketPath) === canonical(agentsSocket) ? 'here' : 'elsewhere';
  return { place, socketPath, session: `$${Number(session)}` };
}

function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
