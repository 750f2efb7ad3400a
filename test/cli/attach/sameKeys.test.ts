import { expect, test } from 'vitest';
import { sameKeys } from '../../../cli/attach/sameKeys.ts';
import { commandLine } from '../../../tmux/command/command.ts';

const NONE = {
  prefix: 'C-b',
  prefix2: 'None',
  '@devflow_key_dashboard': '',
  '@devflow_key_approvals': '',
  '@devflow_key_picker': '',
  '@devflow_key_jump': '',
  '@devflow_key_back': '',
};

test.each([
  [
    'both prefixes',
    { prefix: 'C-a', prefix2: 'C-q' },
    [
      'set-option -g prefix C-a',
      'bind-key C-a send-prefix',
      'set-option -g prefix2 C-q',
      'bind-key C-q send-prefix -2',
    ],
  ],
  [
    'no second one, which ends that of another terminal',
    { prefix: 'C-a' },
    ['set-option -g prefix C-a', 'bind-key C-a send-prefix', 'set-option -g prefix2 None'],
  ],
  [
    'one key for both',
    { prefix: 'C-a', prefix2: 'C-a' },
    ['set-option -g prefix C-a', 'bind-key C-a send-prefix', 'set-option -g prefix2 C-a'],
  ],
  ['no prefix at all: that of the server stays', { prefix: 'None' }, ['set-option -g prefix2 None']],
  [
    'a prefix that is a quote',
    { prefix: "'" },
    [...[`set-option -g prefix ''"'"''`, `bind-key ''"'"'' send-prefix`, 'set-option -g prefix2 None']],
  ],
  [
    'the keys of the plugin',
    { '@devflow_key_jump': 'C-n ', '@devflow_key_back': '\\; ' },
    [
      'set-option -g prefix C-b',
      'bind-key C-b send-prefix',
      'set-option -g prefix2 None',
      'bind-key C-n devflow-jump',
      "bind-key ';' devflow-back",
    ],
  ],
])('%s', (_name, given, expected) => {
  expect(sameKeys({ ...NONE, ...given }).map((command) => commandLine([command]))).toEqual(expected);
});
