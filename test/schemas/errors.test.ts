import { expect, it } from 'vitest';
import { DevflowError, toErrorRecord } from '../../schemas/errors.ts';

const foreign = (code: string, syscall: string) =>
  Object.assign(new Error(`${code}: it failed, ${syscall}`), { code, syscall });

it.each([
  ['of ours', new DevflowError('git_failed', 'git failed.'), 'git_failed', 'human_required'],
  ['that tells of a full disk', foreign('ENOSPC', 'write'), 'disk_full', 'human_required'],
  ['that tells of a quota', foreign('EDQUOT', 'mkdir'), 'disk_full', 'human_required'],
  ['that tells of too many watches', foreign('ENOSPC', 'watch'), 'internal', 'fatal'],
  ['of any other kind', foreign('EIO', 'write'), 'internal', 'fatal'],
  ['that is none', undefined, 'internal', 'fatal'],
])('an error %s', (_, error, code, class_) => expect(toErrorRecord(error)).toMatchObject({ code, class: class_ }));
