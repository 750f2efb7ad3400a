import { TmuxError } from './errors.ts';

declare const kind: unique symbol;

/** `%N`. Unique while one server runs; the next server starts at `%0` again. Store the server's identity beside it. */
export type PaneId = `%${number}` & { readonly [kind]?: 'pane' };
/** `@N`. */
export type WindowId = `@${number}` & { readonly [kind]?: 'window' };
/** `$N`. */
export type SessionId = `$${number}` & { readonly [kind]?: 'session' };

/** Throws `bad_argument` unless `text` is `%N`. */
export function paneId(text: string): PaneId {
  return checked(text, /^%\d+$/, 'pane') as PaneId;
}

/** Throws `bad_argument` unless `text` is `$N`. */
export function sessionId(text: string): SessionId {
  return checked(text, /^\$\d+$/, 'session') as SessionId;
}

function checked(text: string, pattern: RegExp, what: string): string {
  if (!pattern.test(text)) throw new TmuxError('bad_argument', `Not a tmux ${what} id: ${JSON.stringify(text)}.`);
  return text;
}
