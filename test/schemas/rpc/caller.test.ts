import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Caller, needsPerson } from '../../../schemas/rpc/caller.ts';
import { defineMethod, type Method } from '../../../schemas/rpc/contract.ts';
import { methodSentences } from '../../../schemas/rpc/methodSentences.ts';
import { METHODS, type MethodName } from '../../../schemas/rpc/methods/index.ts';

/** Every method, written out: whoever opens or closes one changes this table, too. */
const CALLERS: Record<MethodName, Caller> = {
  'run.start': { person: 'unless', param: 'dryRun' },
  'run.lastBackends': 'anyone',
  'run.list': 'anyone',
  'run.get': 'reader',
  'run.lanes': 'anyone',
  'run.findings': 'anyone',
  'backtest.list': 'anyone',
  'backtest.show': 'reader',
  'backtest.compare': 'reader',
  'backtest.try': 'person',
  'run.events': 'reader',
  'run.pause': 'person',
  'run.progress': 'anyone',
  'run.reopen': 'person',
  'run.skip': 'person',
  'run.resume': 'person',
  'run.abort': 'person',
  'run.report': 'reader',
  'run.verify': 'anyone',
  'run.diff': 'anyone',
  'run.apply': { person: 'unless', param: 'dryRun' },
  'run.cleanup': 'person',
  'approval.list': 'anyone',
  'approval.get': 'reader',
  'approval.decide': 'person',
  'session.list': 'anyone',
  'session.get': 'anyone',
  'session.transcript': 'anyone',
  'session.probe': 'anyone',
  'session.why': 'anyone',
  'session.attachTarget': 'anyone',
  'session.pane': 'anyone',
  'template.list': 'anyone',
  'template.get': 'anyone',
  'template.promote': 'person',
  'template.rehearse': 'anyone',
  'template.validate': 'anyone',
  'template.lint': 'anyone',
  'template.diff': 'anyone',
  'persona.list': 'anyone',
  'persona.get': 'anyone',
  'persona.validate': 'anyone',
  'persona.lint': 'anyone',
  'persona.publish': 'person',
  'artifact.list': 'anyone',
  'artifact.get': 'anyone',
  'artifact.validate': 'anyone',
  'contract.list': 'anyone',
  'contract.show': 'anyone',
  'contract.detect': 'anyone',
  'contract.check': 'anyone',
  'contract.status': 'anyone',
  'state.audit': 'anyone',
  'state.validate': 'anyone',
  'state.cleanup': { person: 'if', param: 'apply' },
  'state.reset': { person: 'if', param: 'apply' },
  'state.evict': { person: 'if', param: 'apply' },
  'state.init': { person: 'if', param: 'apply' },
  'state.read': 'anyone',
  'state.update': 'person',
  'state.sidecar': 'anyone',
  'state.history': 'anyone',
  'state.references': 'anyone',
  'state.classify': 'anyone',
  'handover.validate': 'anyone',
  'handover.check': 'anyone',
  'handover.findings': 'anyone',
  'handover.drift': { person: 'if', param: 'apply' },
  'handover.next': 'anyone',
  'handover.cleanup': { person: 'if', param: 'apply' },
  'autodev.show': 'anyone',
  'autodev.detect': 'anyone',
  'autodev.reconcile': { person: 'if', param: 'apply' },
  'autodev.record': 'person',
  'autodev.flows': 'anyone',
  'cycle.new': 'person',
  'cycle.list': 'anyone',
  'cycle.show': 'anyone',
  'cycle.validate': 'anyone',
  'cycle.control': 'anyone',
  'cycle.pause': 'person',
  'cycle.resume': 'person',
  'cycle.fail': 'person',
  'cycle.complete': 'person',
  'cycle.extend': 'person',
  'cycle.apply': 'person',
  'cycle.rebuild': { person: 'if', param: 'apply' },
  'cycle.sync': { person: 'if', param: 'apply' },
  'list.count': 'anyone',
  'host.list': 'anyone',
  'host.forget': { person: 'unless', param: 'dryRun' },
  'policy.check': 'anyone',
  'events.unsubscribe': 'anyone',
  'events.subscribe': 'reader',
  'daemon.status': 'anyone',
  'daemon.stop': 'person',
  'daemon.doctor': { person: 'if', param: 'removeOrphanedData' },
  'rpc.discover': 'anyone',
};

test('every method says who may call it', () => {
  expect(Object.fromEntries(METHODS.map(({ name, caller }: Method) => [name, caller]))).toEqual(CALLERS);
});

test('a method that does not say who may call it does not compile', () => {
  const rest = { name: 'a.b', summary: '', result: z.unknown(), paramNames: [] };
  const params = z.strictObject({ apply: z.boolean().optional(), word: z.string() });
  // @ts-expect-error: no caller
  defineMethod({ ...rest, params });
  // @ts-expect-error: no such parameter
  defineMethod({ ...rest, params, caller: { person: 'if', param: 'aply' } });
  // @ts-expect-error: not true or false
  defineMethod({ ...rest, params, caller: { person: 'if', param: 'word' } });
  expect(defineMethod({ ...rest, params, caller: { person: 'if', param: 'apply' } }).errors).toEqual([]);
});

describe('a call needs a person', () => {
  const paramNames = ['repo', 'flag'];
  const call = (caller: Caller, params: unknown) => needsPerson({ caller, paramNames }, params);

  test.each<[Caller, unknown, boolean]>([
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

test('documents say it in a sentence', () => {
  expect(methodSentences({ caller: 'anyone' })).toEqual([]);
  expect(methodSentences({ caller: 'person' })).toEqual(['Only a person may call it.']);
  const caller = { person: 'unless', param: 'dryRun' } as const;
  expect(methodSentences({ caller })).toEqual(['Only a person may call it without `dryRun`.']);
});
