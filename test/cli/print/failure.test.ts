import { expect, it } from 'vitest';
import { toFailure } from '../../../cli/print/failure.ts';

const refused = (code: string, syscall: string, path: string) =>
  Object.assign(new Error(`${code}: it failed, ${syscall} '${path}'`), { code, syscall, path });

it.each([
  ['a read-only home', refused('EROFS', 'mkdir', '/home/me/.local'), 'workspace_permissions', '/home/me/.local'],
  ['a closed directory', refused('EACCES', 'open', '/closed/file'), 'workspace_permissions', '/closed/file'],
  ['a file in the way', refused('ENOTDIR', 'mkdir', '/file/home'), 'file_system_failed', '/file/home'],
])('names %s and what to do', (_, error, code, place) => {
  const failure = toFailure(error);
  expect(failure).toMatchObject({ code, class: 'human_required', exit: 1, data: {} });
  expect(failure.message).toContain(place);
  expect(failure.hint).toMatch(/, then try again\.$/);
});

it('says that a full disk needs space, and promises no second write', () => {
  const { code, hint } = toFailure(refused('ENOSPC', 'write', '/out'));
  expect({ code, hint }).toEqual({ code: 'disk_full', hint: 'Free some space, then try again.' });
});

it('calls any other foreign error a defect of devflow', () => {
  expect(toFailure(new TypeError('x is undefined'))).toMatchObject({ code: 'internal', exit: 2 });
});
