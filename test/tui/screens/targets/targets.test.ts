import { expect, test } from 'vitest';
import { mergeTargets } from '../../../../tui/screens/targets/targets.ts';
import { screenModel } from '../../captures/screens.ts';
import { seen, through } from '../../given.ts';
import { gate, given, lists, press, run, SESSION, session, sessionDetail, toasts } from '../givenScreen.ts';
import * as runOf from '../run/runFixtures.ts';
import { press as moved, shows } from '../run/runFixtures.ts';

const LARGE = { columns: 120, rows: 40 };
const copies = (screen: string, ...before: string[]) => {
  const model = press(screenModel(screen, LARGE), [...before, 'y']).model;
  return model.overlay?.kind === 'choose' ? model.overlay.choices.map(({ label }) => label) : [];
};

test('y offers the ids, branches and paths of each screen, the selected item first', () => {
  const ofRun = ['run', 'branch', 'worktree', 'repository', 'base branch', 'base commit'];
  expect(copies('runs')).toEqual(expect.arrayContaining(ofRun));
  expect(copies('run')).toEqual(['approval', ...ofRun]);
  expect(copies('approvals').slice(0, 2)).toEqual(['approval', 'run']);
  expect(copies('approval')).toEqual(expect.arrayContaining(['approval', 'artifact hash', 'branch']));
  expect(copies('sessions').slice(0, 4)).toEqual(['session', 'pane', 'run', 'worktree']);
  expect(copies('session')).toEqual(expect.arrayContaining(['session', 'worktree', 'artifact path']));
  expect(copies('templates')).toEqual(['template', 'hash']);
  expect(copies('personas')).toEqual(['persona', 'hash']);
});

test('y shows control characters in a choice, and copies the exact text', () => {
  const hostile = '/w/a\u001b[31m\nrm';
  const model = given(
    { screen: 'sessions' },
    lists({ 'session.list': [session({ cwd: hostile })], 'run.list': [run()] }),
  );
  const asked = press(model, ['y', ...'worktree']).model;
  expect(seen(asked)).toContain('/w/a␛[31m␊rm');
  expect(press(asked, 'enter').commands).toEqual([{ type: 'copy', what: 'worktree', text: hostile }]);
});

test('o opens an artifact as a copy and a worktree as a directory, without a question if there is one choice', () => {
  const sessions = given({ screen: 'sessions' }, lists({ 'session.list': [session()] }));
  expect(press(sessions, 'o').commands).toEqual([
    { type: 'open', what: 'worktree', path: '/w', as: 'directory', root: undefined },
  ]);
  const artifacts = moved(
    shows({ screen: 'run', id: runOf.RUN }, LARGE, [[runOf.runKey, runOf.detail()]]),
    'tab',
    'tab',
  );
  const { storedPath, path } = runOf.detail().artifacts[0] ?? {};
  expect(press(artifacts, ['o', 'enter']).commands).toMatchObject([
    { type: 'open', path: storedPath ?? path, as: 'copy' },
  ]);
  expect(press(artifacts, ['y', 'enter']).commands).toMatchObject([{ type: 'copy', text: path }]);
});

test('! opens a shell in the worktree, or says that there is none', () => {
  const place = { screen: 'session', id: SESSION } as const;
  expect(press(given(place, { 'session.get': sessionDetail() }), '!').commands).toEqual([
    { type: 'shell', path: '/w', label: 'run aaaaaaaa, planner' },
  ]);
  const none = given({ screen: 'approvals' }, lists({ 'approval.list pending': [gate('g1')] }));
  expect(toasts(press(none, '!').model)).toEqual(['shell: there is no worktree.']);
  expect(toasts(press(given({ screen: 'runs' }, lists({ 'run.list': [] })), ['y', 'o', '!']).model)).toEqual([
    'copy: there is nothing to copy.',
    'open in $EDITOR: there is no file to open.',
    'shell: there is no worktree.',
  ]);
});

test('offers each text and path once', () => {
  const twice = { copy: [{ what: 'run', text: 'a' }], open: [] };
  expect(
    mergeTargets(twice, {
      copy: [
        { what: 'other', text: 'a' },
        { what: 'none', text: '' },
      ],
      open: [],
    }).copy,
  ).toEqual(twice.copy);
  expect(through(screenModel('doctor', LARGE), [{ type: 'key', key: 'y' }]).commands).toEqual([]);
});
