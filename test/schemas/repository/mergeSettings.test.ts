import { expect, test } from 'vitest';
import { mergeSettings, type SettingsLayer } from '../../../schemas/repository/mergeSettings.ts';
import type { RepositorySettings } from '../../../schemas/repository/settings.ts';

const layer = (from: string, settings: RepositorySettings, more: Partial<SettingsLayer> = {}): SettingsLayer => ({
  from,
  isPersons: false,
  settings,
  ...more,
});

test('the later source wins key by key, and a list replaces the whole list', () => {
  const merged = mergeSettings([
    layer('guess', { template: 'quick-change', worktree: { setup: [['npm', 'ci']], again: ['package-lock.json'] } }),
    layer('devflow.yaml', {
      backends: { implementer: 'claude', reviewer: 'codex' },
      worktree: {
        setup: [
          ['make', 'deps'],
          ['make', 'db'],
        ],
        env: { A: '1', B: '1' },
      },
    }),
    layer(
      'person',
      { backends: { implementer: 'codex' }, worktree: { setup: [['make']], env: { B: '2' } } },
      { isPersons: true },
    ),
  ]);
  expect(merged.settings).toEqual({
    template: 'quick-change',
    backends: { implementer: 'codex', reviewer: 'codex' },
    worktree: { setup: [['make']], again: ['package-lock.json'], env: { A: '1', B: '2' } },
  });
  expect(Object.fromEntries([...merged.origins].map(([key, { from }]) => [key, from]))).toEqual({
    template: 'guess',
    'worktree.setup': 'person',
    'worktree.again': 'guess',
    'backends.implementer': 'person',
    'backends.reviewer': 'devflow.yaml',
    'worktree.env.A': 'devflow.yaml',
    'worktree.env.B': 'person',
  });
});

test('a file for a name opens the sandbox only with consent', () => {
  const merged = (own: RepositorySettings['sandbox'], named: RepositorySettings['sandbox']) => {
    const { settings, closed } = mergeSettings([
      layer('config.yaml', { sandbox: own }, { isPersons: true }),
      layer('thing.yaml', { sandbox: named }, { mayOpen: true }),
    ]);
    return { wanted: settings.sandbox, closed };
  };
  expect(merged('agents', 'off')).toEqual({ wanted: 'off', closed: { sandbox: 'agents' } });
  expect(merged('all', 'agents')).toEqual({ wanted: 'agents', closed: { sandbox: 'all' } });
  const open: RepositorySettings['sandbox'] = { level: 'agents', write: ['/'] };
  expect(merged(undefined, open)).toEqual({ wanted: open, closed: { sandbox: 'agents' } });
  const far = { level: 'all', network: 'on' } as const;
  const near = { level: 'agents', network: 'off' } as const;
  expect(merged(near, far)).toEqual({ wanted: far, closed: { sandbox: { level: 'all', network: 'off' } } });
  for (const stronger of ['off', 'agents', 'all', near] as const)
    expect(merged(undefined, stronger)).toEqual({
      wanted: stronger === 'off' ? undefined : stronger,
      closed: undefined,
    });
});

test('a file for a name makes the sandbox narrower without consent', () => {
  const wide = { level: 'agents', read: ['~/.m2', '~/.npm'], write: ['/x'] } as const;
  const merged = (named: RepositorySettings['sandbox']) => {
    const { settings, closed } = mergeSettings([
      layer('config.yaml', { sandbox: wide as never }, { isPersons: true }),
      layer('thing.yaml', { sandbox: named }, { mayOpen: true }),
    ]);
    expect(settings.sandbox).toEqual(named);
    return closed;
  };
  const narrower = [
    'agents',
    'all',
    { level: 'agents', read: ['~/.npm'] },
    { level: 'all', network: 'off', write: ['/x'] },
    { level: 'agents', read: ['~/.npm', '~/.m2', '~/.npm'], write: ['/x'] },
  ] as const;
  for (const each of narrower) expect(merged(each as never)).toBeUndefined();
  expect(merged({ level: 'all', read: ['~/.ssh'] })).toEqual({ sandbox: { ...wide, level: 'all' } });
  expect(merged({ level: 'agents', write: ['/x', '~/.m2'] })).toEqual({ sandbox: wide });
});

test('an empty list takes a weaker one away', () => {
  const merged = mergeSettings([layer('a', { verify: [['x']] }), layer('b', { verify: [] })]);
  expect(merged.settings).toEqual({ verify: [] });
});

test('a repository makes the sandbox of the person stronger and never weaker', () => {
  const merged = (own: RepositorySettings['sandbox'], theirs: RepositorySettings['sandbox']) =>
    mergeSettings([
      layer('config.yaml', { sandbox: own }, { isPersons: true }),
      layer('devflow.yaml', { sandbox: theirs }),
    ]).settings.sandbox;
  expect(merged('agents', 'off')).toBe('agents');
  expect(merged('off', 'agents')).toBe('agents');
  expect(merged(undefined, 'agents')).toBe('agents');
  expect(merged('agents', { level: 'off', network: 'off' })).toEqual({ level: 'agents', network: 'off' });
  const open = { level: 'agents', read: ['~/models'], network: 'off' } as const;
  expect(merged(open as never, { level: 'agents', network: 'on' })).toEqual(open);
  const last = layer('person', { sandbox: 'off' }, { isPersons: true });
  expect(mergeSettings([layer('devflow.yaml', { sandbox: 'agents' }), last]).settings.sandbox).toBe('off');
});

test('names that objects have anyway are ordinary names', () => {
  const env = JSON.parse('{ "__proto__": "x", "constructor": "y" }');
  const { settings } = mergeSettings([layer('a', { worktree: { env } })]);
  expect(Object.entries(settings.worktree?.env ?? {})).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});

test('keeps the line and the reason of each value', () => {
  const merged = mergeSettings([layer('a', { verify: [['x']] }, { lineOf: () => 3, whyOf: () => 'because' })]);
  expect(merged.origins.get('verify')).toEqual({ from: 'a', isPersons: false, line: 3, why: 'because' });
});
