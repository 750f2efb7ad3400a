import { expect, test } from 'vitest';
import { proposalOf } from '../../../../daemon/settings/init/proposal.ts';
import { parseSettings } from '../../../../schemas/repository/parseSettings.ts';

function read(text: string) {
  const parsed = parseSettings('devflow.yaml', text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.settings;
}

test('the text says exactly what was guessed, whatever characters it has', () => {
  const settings = {
    template: 'quick-change',
    verify: [
      ['npm', 'test'],
      ['sh', '-c', 'cd api && "pnpm" test # x'],
      ['a: b', '- c'],
    ],
    worktree: {
      setup: [['npm', 'ci'], ['true'], ['.venv/bin/python', '-m', 'pip', 'install', '-e', '.[test]', 'pytest>=8']],
      again: ['package-lock.json', 'a b.txt', '1.5'],
      env: { PATH: '$DEVFLOW_WORKTREE/.venv/bin:$PATH', POETRY_VIRTUALENVS_IN_PROJECT: 'true' },
    },
  };
  const text = proposalOf({
    settings,
    why: { verify: 'package.json:7', worktree: 'package-lock.json' },
    clone: ['node_modules'],
    copy: ['.env'],
  });
  expect(read(text)).toEqual({ ...settings, worktree: { ...settings.worktree, clone: ['node_modules'] } });
  expect(text).toContain('# Commands in each new worktree, guessed from package-lock.json.');
  expect(text).toContain('# copy: [.env]');
});

test('without a guess it has only examples, which are right once they are used', () => {
  const text = proposalOf({ settings: { template: 'quick-change' }, why: {}, clone: [], copy: [] });
  expect(read(text)).toEqual({ template: 'quick-change' });
  const used = text.replaceAll(/^( *)# (\w+: [[{].*)$/gm, '$1$2');
  expect(read(used)).toEqual({
    template: 'quick-change',
    verify: [['npm', 'test']],
    worktree: {
      setup: [['npm', 'ci']],
      again: ['package-lock.json'],
      clone: ['node_modules'],
      copy: ['.env.local'],
      ports: ['PORT'],
      env: { NODE_ENV: 'test' },
      teardown: [['docker', 'compose', '-p', '$DEVFLOW_RUN-$DEVFLOW_LANE', 'down']],
    },
  });
});
