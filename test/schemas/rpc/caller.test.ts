import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Caller,
  type Changes,
  type DescribedCaller,
  describeCaller,
  needsPerson,
} from '../../../schemas/rpc/caller.ts';
import { defineMethod, type Method } from '../../../schemas/rpc/contract.ts';
import { methodSentences } from '../../../schemas/rpc/methodSentences.ts';
import { METHODS, type ReadParams } from '../../../schemas/rpc/methods/index.ts';

test('only a person may make calls that change something, but agents say how far they are', () => {
  const open = METHODS.filter(({ changes, caller }: Method) => changes !== 'nothing' && caller !== 'person');
  expect(open.map(({ name }) => name)).toEqual(['run.progress']);
});

test('a method that does not say what it changes and who may call it does not compile', () => {
  const rest = { name: 'a.b', summary: '', result: z.unknown() };
  const params = z.strictObject({ apply: z.boolean().optional(), word: z.string() });
  // @ts-expect-error: no caller
  defineMethod({ ...rest, params, changes: 'nothing' });
  // @ts-expect-error: it does not say what it changes
  defineMethod({ ...rest, params, caller: 'person' });
  // @ts-expect-error: no such parameter
  defineMethod({ ...rest, params, changes: { if: 'aply' }, caller: 'person' });
  // @ts-expect-error: not true or false
  defineMethod({ ...rest, params, changes: { if: 'word' }, caller: 'person' });
  // @ts-expect-error: nobody is kept from reading alone
  defineMethod({ ...rest, params, changes: 'nothing', caller: 'person' });
  // @ts-expect-error: it does more than read
  defineMethod({ ...rest, params, changes: 'something', caller: 'reader' });
  expect(defineMethod({ ...rest, params, changes: { if: 'apply' }, caller: 'person' }).errors).toEqual([]);
});

test('a query that would change something does not compile', () => {
  const start = { repo: '/r', template: 't', requirements: 'x' };
  const params: [ReadParams<'run.get'>, ReadParams<'run.start'>] = [{ runId: 'r' }, { ...start, dryRun: true }];
  // @ts-expect-error: it would start the run
  params[1] = start;
  // @ts-expect-error: it always changes something
  const never: ReadParams<'run.pause'> = { runId: 'r' };
  expect(never).toBeDefined();
});

test.each<[Changes, Caller, DescribedCaller]>([
  ['nothing', 'anyone', 'anyone'],
  ['nothing', 'reader', 'reader'],
  ['something', 'person', 'person'],
  [{ if: 'flag' }, 'anyone', 'anyone'],
  [{ if: 'flag' }, 'person', { person: 'if', param: 'flag' }],
  [{ unless: 'flag' }, 'person', { person: 'unless', param: 'flag' }],
])('describes who may call a method that changes %j: %s', (changes, caller, expected) => {
  expect(describeCaller({ changes, caller })).toEqual(expected);
});

describe('a call needs a person', () => {
  const call = (caller: DescribedCaller, params: unknown) => needsPerson(caller, ['repo', 'flag'], params);

  test.each<[DescribedCaller, unknown, boolean]>([
    ['anyone', {}, false],
    ['person', undefined, true],
    ['reader', undefined, false],
    [{ person: 'if', param: 'flag' }, { flag: true }, true],
    [{ person: 'if', param: 'flag' }, { flag: false }, false],
    [{ person: 'if', param: 'flag' }, {}, false],
    [{ person: 'if', param: 'flag' }, undefined, false],
    [{ person: 'if', param: 'flag' }, ['/repo', true], true],
    [{ person: 'if', param: 'flag' }, ['/repo'], false],
    [{ person: 'unless', param: 'flag' }, { flag: true }, false],
    [{ person: 'unless', param: 'flag' }, { flag: false }, true],
    [{ person: 'unless', param: 'flag' }, undefined, true],
    [{ person: 'unless', param: 'flag' }, ['/repo', true], false],
  ])('%j with %j: %s', (caller, params, expected) => {
    expect(call(caller, params)).toBe(expected);
  });
});

test('documents say it in sentences', () => {
  const alone = { withoutDaemon: false };
  expect(methodSentences({ ...alone, changes: 'nothing', caller: 'anyone' })).toEqual(['It changes nothing.']);
  expect(methodSentences({ ...alone, changes: 'something', caller: 'person' })).toEqual(['Only a person may call it.']);
  expect(methodSentences({ ...alone, changes: { unless: 'dryRun' }, caller: 'person' })).toEqual([
    'It changes nothing with `dryRun`.',
    'Only a person may call it without `dryRun`.',
  ]);
  expect(methodSentences({ changes: { if: 'apply' }, caller: 'anyone', withoutDaemon: true })).toEqual([
    'It changes nothing without `apply`.',
    'Without a daemon, `devflow` answers it itself.',
  ]);
});
