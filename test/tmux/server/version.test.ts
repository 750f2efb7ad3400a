import { describe, expect, it } from 'vitest';
import { parseVersion } from '../../../tmux/server/version.ts';
import { atLeast } from '../../helpers/tmuxActs.ts';

describe('a tmux version', () => {
  it.each([
    ['tmux 3.3a\n', { kind: 'release', major: 3, minor: 3, patch: 'a', text: '3.3a' }],
    ['3.5', { kind: 'release', major: 3, minor: 5, patch: '', text: '3.5' }],
    ['tmux 3.5-rc2', { kind: 'release', major: 3, minor: 5, patch: '', text: '3.5-rc2' }],
    ['tmux next-3.6', { kind: 'next', major: 3, minor: 6, text: 'next-3.6' }],
    ['tmux openbsd-7.4', { kind: 'openbsd', major: 7, minor: 4, text: 'openbsd-7.4' }],
    ['tmux master', { kind: 'unknown', text: 'master' }],
    ['', { kind: 'unknown', text: '' }],
  ])('reads %j', (output, version) => {
    expect(parseVersion(output)).toEqual(version);
  });

  it.each([
    ['3.3a', true],
    ['3.2', false],
    ['4.0', true],
    ['next-3.6', true],
    ['openbsd-7.4', undefined],
    ['master', undefined],
  ])('%s is at least 3.3: %s', (text, answer) => {
    expect(atLeast(parseVersion(text), 3, 3)).toBe(answer);
  });
});
