import { execFile } from 'node:child_process';
import { popupClient } from '../../cli/client/popupClient.ts';
import { hasControls } from '../text/clean.ts';

const OSC_52 = (text: string) => `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`;

/** Where a text was copied to, or why it was not. */
export type Copied = { readonly to: string } | { readonly why: string };

/**
 * Copies exactly these bytes. In tmux it loads a buffer, because a popup drops OSC 52; elsewhere it sends OSC 52. It refuses
 * control characters, which would paste as keys: an agent can name a file like that.
 */
export async function copyText(text: string, send: (sequence: string) => void, env = process.env): Promise<Copied> {
  if (hasControls(text)) return { why: 'it has control characters, which would paste as keys' };
  if (env.TMUX) {
    const to = await toTmux(text, env);
    if (to !== undefined) return { to };
  }
  send(OSC_52(text));
  return { to: 'the clipboard of your terminal, if it takes OSC 52' };
}

/** Undefined if tmux did not take it. */
async function toTmux(text: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const isOff = (await tmux(['show-options', '-sv', 'set-clipboard'], '', env))?.trim() === 'off';
  if (!isOff) {
    const client = env.TMUX_PANE ? undefined : popupClient(env);
    const target = client ? ['-t', client] : [];
    const loaded = await tmux(['load-buffer', '-w', ...target, '-'], text, env);
    if (loaded !== undefined) return 'the tmux buffer and the clipboard of your terminal';
  }
  if ((await tmux(['load-buffer', '-'], text, env)) === undefined) return undefined;
  return isOff ? 'the tmux buffer (set-clipboard is off)' : 'the tmux buffer';
}

function tmux(words: readonly string[], input: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = execFile('tmux', words, { env }, (error, out) => resolve(error ? undefined : out));
    // A tmux that fails exits without reading.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
