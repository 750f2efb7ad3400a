import type { Env } from '../../schemas/files/paths.ts';

/** Set by the plugin for what it opens in a popup, which does not know its client otherwise. */
const POPUP_CLIENT = 'DEVFLOW_INTERNAL_TMUX_CLIENT';

/** The client over whose popup a program runs, if the popup is the plugin's. */
export function popupClient(env: Env): string | undefined {
  return env[POPUP_CLIENT] || undefined;
}
