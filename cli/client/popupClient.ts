import type { Env } from '../../schemas/files/paths.ts';

/** The plugin sets this for a program in a popup, which has no other way to learn its client. */
const POPUP_CLIENT = 'DEVFLOW_INTERNAL_TMUX_CLIENT';

/** The tmux client that shows the plugin's popup in which this program runs; undefined outside such a popup. */
export function popupClient(env: Env): string | undefined {
  return env[POPUP_CLIENT] || undefined;
}
