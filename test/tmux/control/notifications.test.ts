import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNotification } from '../../../tmux/control/notifications.ts';

describe('a notification', () => {
  it.each([
    ['%sessions-changed', { type: 'other', line: '%sessions-changed' }],
    ['%exit', { type: 'exit', reason: '' }],
    ['%exit server exited', { type: 'exit', reason: 'server exited' }],
    ['%paste-buffer-changed buffer0', { type: 'other', line: '%paste-buffer-changed buffer0' }],
    ['%exited', { type: 'other', line: '%exited' }],
    ['%subscription-changed nonsense', { type: 'other', line: '%subscription-changed nonsense' }],
    ['%subscription-changed all $0 - - - : a : b', { type: 'subscription', name: 'all', value: 'a : b' }],
    ['%subscription-changed one $0 @1 2 %3 : ', { type: 'subscription', name: 'one', value: '' }],
  ])('%s', (line, notification) => {
    expect(parseNotification(line)).toEqual(notification);
  });

  it('decodes UTF-8 in latin1 lines', () => {
    const line = Buffer.from('%message grün').toString('latin1');
    expect(parseNotification(line)).toEqual({ type: 'other', line: '%message grün' });
  });

  it('accepts any line', () => {
    fc.assert(fc.property(fc.string(), (line) => void parseNotification(`%${line}`)));
  });
});
