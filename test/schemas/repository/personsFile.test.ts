import { expect, test } from 'vitest';
import { personsFiles, sharedFileNote } from '../../../schemas/repository/personsFile.ts';

test('repositories of one name share a file, and each has one of its own', () => {
  const [mine, theirs, bare] = ['/a/app/.git', '/b/app/.git', '/c/app.git'].map((common) => personsFiles('/c', common));
  expect([mine?.shared, theirs?.shared, bare?.shared]).toEqual(Array(3).fill('/c/repositories/app.yaml'));
  expect(new Set([mine?.exact, theirs?.exact, bare?.exact]).size).toBe(3);
  expect(mine?.exact).toMatch(/^\/c\/repositories\/app-[0-9a-f]{8}\.yaml$/);
});

test('a clone into a directory named as the own file of another repository shares that file', () => {
  const { exact } = personsFiles('/c', '/a/app/.git');
  const name = exact.slice('/c/repositories/'.length, -'.yaml'.length);
  const clone = personsFiles('/c', `/b/${name}/.git`);
  expect(clone.shared).toBe(exact);
  expect(clone.exact).not.toBe(exact);
});

test('the hint names the own file where the shared one needs consent', () => {
  const shared = { path: '/c/repositories/app.yaml', exact: '/c/repositories/app-12345678.yaml' };
  expect(sharedFileNote(shared, [{ from: ['guess', shared.path] }])).toContain('Rename it to app-12345678.yaml');
  expect(sharedFileNote(shared, [{ from: ['devflow.yaml'] }])).toBeUndefined();
  expect(sharedFileNote({ ...shared, path: shared.exact }, [{ from: [shared.exact] }])).toBeUndefined();
});
