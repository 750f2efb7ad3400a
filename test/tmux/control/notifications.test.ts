import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNotification } from '../../../tmux/control/notifications.ts';

describe('a notification', () => {
  it.each([
    ['%sessions-changed', { type: 'sessions-changed' }],
    ['%session-changed $3 a b', { type: 'session-changed', session: '$3', name: 'a b' }],
    ['%session-renamed $3 new', { type: 'session-renamed', session: '$3', name: 'new' }],
    ['%session-window-changed $3 @4', { type: 'session-window-changed', session: '$3', window: '@4' }],
    [
      '%client-session-changed /dev/pts/2 $1 x',
      { type: 'client-session-changed', client: '/dev/pts/2', session: '$1', name: 'x' },
    ],
    ['%client-detached client-12', { type: 'client-detached', client: 'client-12' }],
    ['%window-add @7', { type: 'window-add', window: '@7', linked: true }],
    ['%unlinked-window-close @7', { type: 'window-close', window: '@7', linked: false }],
    ['%unlinked-window-close @7 name', { type: 'window-close', window: '@7', linked: false }],
    ['%window-renamed @7 a %b', { type: 'window-renamed', window: '@7', linked: true, name: 'a %b' }],
    ['%window-pane-changed @7 %9', { type: 'window-pane-changed', window: '@7', pane: '%9' }],
    ['%pane-mode-changed %9', { type: 'pane-mode-changed', pane: '%9' }],
    [
      '%layout-change @7 b25f,80x24,0,0,2 b25f,80x24,0,0,2 *',
      { type: 'layout-change', window: '@7', layout: 'b25f,80x24,0,0,2' },
    ],
    ['%message hello : there', { type: 'message', text: 'hello : there' }],
    ['%exit', { type: 'exit', reason: '' }],
    ['%exit server exited', { type: 'exit', reason: 'server exited' }],
    ['%paste-buffer-changed buffer0', { type: 'other', line: '%paste-buffer-changed buffer0' }],
    ['%window-add nonsense', { type: 'other', line: '%window-add nonsense' }],
    [
      '%subscription-changed all $0 - - - : a : b',
      { type: 'subscription', name: 'all', session: '$0', value: 'a : b' },
    ],
    [
      '%subscription-changed one $0 @1 2 %3 : ',
      { type: 'subscription', name: 'one', session: '$0', window: '@1', pane: '%3', value: '' },
    ],
  ])('%s', (line, notification) => {
    expect(parseNotification(line)).toEqual(notification);
  });

  it('decodes UTF-8 in latin1 lines', () => {
    const line = Buffer.from('%message grün').toString('latin1');
    expect(parseNotification(line)).toEqual({ type: 'message', text: 'grün' });
  });

  it('accepts any line', () => {
    fc.assert(fc.property(fc.string(), (line) => void parseNotification(`%${line}`)));
  });
});
