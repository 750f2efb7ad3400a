import { expect, it } from 'vitest';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../../schemas/errors.ts';

const foreign = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: it failed, ${syscall}`), { code, syscall });

const ofPostgres = (code: string, message: string) => Object.assign(new Error(message), { code, severity: 'ERROR' });
const INVALID = ofPostgres('XX001', 'invalid page in block 0 of relation base/5/1');

it.each([
  ['of ours', new DevflowError('git_failed', 'git failed.'), 'git_failed', 'human_required'],
  ['that tells of a full disk', foreign('ENOSPC', 'write'), 'disk_full', 'human_required'],
  ['that tells of a quota', foreign('EDQUOT', 'mkdir'), 'disk_full', 'human_required'],
  ['that tells of too many watches', foreign('ENOSPC', 'watch'), 'file_system_failed', 'human_required'],
  ['that tells of a read-only disk', foreign('EROFS', 'mkdir'), 'workspace_permissions', 'human_required'],
  ['that Node gives for a read-only disk', foreign('ENOENT', 'mkdir'), 'workspace_permissions', 'human_required'],
  ['of a file that is missing', foreign('ENOENT', 'open'), 'internal', 'fatal'],
  ['that tells of a closed directory', foreign('EACCES', 'open'), 'workspace_permissions', 'human_required'],
  ['that tells of an immutable file', foreign('EPERM', 'rename'), 'workspace_permissions', 'human_required'],
  ['that tells of too many files', foreign('EMFILE', 'open'), 'file_system_failed', 'human_required'],
  ['that tells of a long path', foreign('ENAMETOOLONG', 'mkdir'), 'file_system_failed', 'human_required'],
  ['that tells of a broken disk', foreign('EIO', 'write'), 'file_system_failed', 'human_required'],
  ['that tells of a file in the way', foreign('ENOTDIR', 'mkdir'), 'file_system_failed', 'human_required'],
  ['of a process that is not ours', foreign('EPERM', 'kill'), 'internal', 'fatal'],
  ['of a program that cannot run', foreign('EACCES', 'spawn /x'), 'internal', 'fatal'],
  ['of a socket', foreign('EACCES', 'connect'), 'internal', 'fatal'],
  ['of any other kind', foreign('EBADF', 'write'), 'internal', 'fatal'],
  ['of a damaged table', INVALID, 'db_damaged', 'fatal'],
  ['of a query of a damaged table', new Error('Failed query', { cause: INVALID }), 'db_damaged', 'fatal'],
  ['of a damaged index', ofPostgres('XX002', 'index "i" contains a half-dead page'), 'db_damaged', 'fatal'],
  ['of a table whose file is missing', ofPostgres('58P01', 'could not open file "base/5/1"'), 'db_damaged', 'fatal'],
  ['of a closed table', ofPostgres('58030', 'could not open file "base/5/1": Permission denied'), 'internal', 'fatal'],
  ['of another fault of Postgres', ofPostgres('XX000', 'plan should not reference subplan'), 'internal', 'fatal'],
  ['whose data look like damage', ofPostgres('22P02', 'invalid page in block 0'), 'internal', 'fatal'],
  ['that is none', undefined, 'internal', 'fatal'],
])('an error %s', (_, error, code, class_) => expect(toErrorRecord(error)).toMatchObject({ code, class: class_ }));

it('says the path and what to do when the machine refuses a file', () => {
  const refused = Object.assign(foreign('EROFS', 'mkdir'), { path: '/ws/run/main' });
  expect(toErrorRecord(refused)).toEqual({
    code: 'workspace_permissions',
    class: 'human_required',
    message: 'devflow cannot use /ws/run/main: the file system is read-only (EROFS).',
    hint: 'Make /ws/run/main readable and writable for this user, then try again.',
  });
  expect(toErrorRecord(foreign('EMFILE', 'open')).hint).toContain('ulimit -n');
});
