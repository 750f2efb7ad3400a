import type { PaneId, SessionId, WindowId } from '../command/ids.ts';
import { decode } from './controlParser.ts';

/** A report of the server to its control-mode clients. An unknown notification becomes `other`. */
export type Notification =
  | {
      readonly type: 'subscription';
      readonly name: string;
      readonly session?: SessionId;
      readonly window?: WindowId;
      readonly pane?: PaneId;
      readonly value: string;
    }
  | { readonly type: 'session-changed' | 'session-renamed'; readonly session: SessionId; readonly name: string }
  | {
      readonly type: 'client-session-changed';
      readonly client: string;
      readonly session: SessionId;
      readonly name: string;
    }
  | { readonly type: 'client-detached'; readonly client: string }
  | { readonly type: 'session-window-changed'; readonly session: SessionId; readonly window: WindowId }
  | { readonly type: 'sessions-changed' }
  /** `linked`: the window belongs to this client's session. */
  | { readonly type: 'window-add' | 'window-close'; readonly window: WindowId; readonly linked: boolean }
  | { readonly type: 'window-renamed'; readonly window: WindowId; readonly linked: boolean; readonly name: string }
  | { readonly type: 'window-pane-changed'; readonly window: WindowId; readonly pane: PaneId }
  | { readonly type: 'pane-mode-changed'; readonly pane: PaneId }
  | { readonly type: 'layout-change'; readonly window: WindowId; readonly layout: string }
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'exit'; readonly reason: string }
  | { readonly type: 'other'; readonly line: string };

type Reader = (rest: string) => Notification | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  'subscription-changed': subscription,
  'session-changed': (rest) => named(rest, 'session-changed'),
  'session-renamed': (rest) => named(rest, 'session-renamed'),
  'sessions-changed': () => ({ type: 'sessions-changed' }),
  'client-session-changed': (rest) =>
    match(rest, /^(.+) (\$\d+) (.*)$/s, ([client, session, name]) => ({
      type: 'client-session-changed',
      client,
      session: session as SessionId,
      name,
    })),
  'client-detached': (rest) => ({ type: 'client-detached', client: rest }),
  'session-window-changed': (rest) =>
    match(rest, /^(\$\d+) (@\d+)$/, ([session, window]) => ({
      type: 'session-window-changed',
      session: session as SessionId,
      window: window as WindowId,
    })),
  'window-add': (rest) => windowEvent(rest, 'window-add', true),
  'window-close': (rest) => windowEvent(rest, 'window-close', true),
  'unlinked-window-add': (rest) => windowEvent(rest, 'window-add', false),
  'unlinked-window-close': (rest) => windowEvent(rest, 'window-close', false),
  'window-renamed': (rest) => renamed(rest, true),
  'unlinked-window-renamed': (rest) => renamed(rest, false),
  'window-pane-changed': (rest) =>
    match(rest, /^(@\d+) (%\d+)$/, ([window, pane]) => ({
      type: 'window-pane-changed',
      window: window as WindowId,
      pane: pane as PaneId,
    })),
  'pane-mode-changed': (rest) =>
    match(rest, /^(%\d+)$/, ([pane]) => ({ type: 'pane-mode-changed', pane: pane as PaneId })),
  'layout-change': (rest) =>
    match(rest, /^(@\d+) (\S+)/, ([window, layout]) => ({ type: 'layout-change', window: window as WindowId, layout })),
  message: (rest) => ({ type: 'message', text: rest }),
  exit: (rest) => ({ type: 'exit', reason: rest }),
};

/** Never throws: a line of unknown form becomes `other`. */
export function parseNotification(line: string): Notification {
  const [, name = '', rest = ''] = /^%([a-z-]+) ?(.*)$/s.exec(decode(line)) ?? [];
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  return reader?.(rest) ?? { type: 'other', line: decode(line) };
}

/** `name $1 @2 0 %3 : value`, with `-` for what the subscription does not cover. */
function subscription(rest: string): Notification | undefined {
  return match(rest, /^(\S+) (\S+) (\S+) \S+ (\S+)(?: \S+)*? : (.*)$/s, ([name, session, window, pane, value]) => ({
    type: 'subscription',
    name,
    session: absent(session) as SessionId | undefined,
    window: absent(window) as WindowId | undefined,
    pane: absent(pane) as PaneId | undefined,
    value,
  }));
}

function named(rest: string, type: 'session-changed' | 'session-renamed'): Notification | undefined {
  return match(rest, /^(\$\d+) (.*)$/s, ([session, name]) => ({ type, session: session as SessionId, name }));
}

/** `@2`; some versions add a name. */
function windowEvent(rest: string, type: 'window-add' | 'window-close', linked: boolean): Notification | undefined {
  return match(rest, /^(@\d+)/, ([window]) => ({ type, window: window as WindowId, linked }));
}

function renamed(rest: string, linked: boolean): Notification | undefined {
  return match(rest, /^(@\d+) (.*)$/s, ([window, name]) => ({
    type: 'window-renamed',
    window: window as WindowId,
    linked,
    name,
  }));
}

function absent(field: string): string | undefined {
  return field === '-' ? undefined : field;
}

// biome-ignore lint/suspicious/noExplicitAny: as many strings as the pattern has groups.
function match(text: string, pattern: RegExp, make: (groups: any) => Notification): Notification | undefined {
  const found = pattern.exec(text);
  return found === null ? undefined : make(found.slice(1));
}
