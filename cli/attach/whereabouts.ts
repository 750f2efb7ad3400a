import { realpathSync } from 'node:fs';
import type { Env } from '../../schemas/files/paths.ts';
import { orElse } from '../../schemas/orElse.ts';

/** Where a program runs. `TMUX` is `<socket>,<server pid>,<session number>`. */
export type Whereabouts =
  | { place: 'outside' }
  | {
      /** `here`: on the agents' server; `elsewhere`: on another one. */
      place: 'here' | 'elsewhere';
      socketPath: string;
      /** The session of the program, as `$N`. */
      session: `$${number}`;
    };

/** Resolves links in socket paths, because on macOS one server can have two names. */
export function whereabouts(env: Env, agentsSocket: string): Whereabouts {
  const [socketPath = '', , session = ''] = (env.TMUX ?? '').split(',');
  if (socketPath === '') return { place: 'outside' };
  const place = canonical(socketPath) === canonical(agentsSocket) ? 'here' : 'elsewhere';
  return { place, socketPath, session: `$${Number(session)}` };
}

function canonical(path: string): string {
  return orElse(() => realpathSync(path), path);
}
