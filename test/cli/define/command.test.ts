import { describe, expect, it } from 'vitest';
import { APPROVAL } from '../../../cli/define/approval.ts';
import { BACKTEST } from '../../../cli/define/backtest.ts';
import { command } from '../../../cli/define/command.ts';
import { DEMO } from '../../../cli/define/daemon.ts';
import { flag, number, own, text } from '../../../cli/define/entry.ts';
import { CLEANUP, RUN } from '../../../cli/define/run.ts';
import { STATE } from '../../../cli/define/state.ts';
import { givenTo } from '../givenTo.ts';

describe('the words of a command line', () => {
  it('become the parameters of the method, under their names', async () => {
    const { params, own: named } = await givenTo(CLEANUP, '3f9a', '--lane', 'api', '--force', '--older-than', '7d');
    expect(params).toEqual({ lane: 'api', force: true });
    expect(named).toEqual({ run: '3f9a', olderThan: 7 * 86_400_000 });
    const { params: events, own: more } = await givenTo(RUN.events, '3f9a', '--after', '7', '--json');
    expect({ events, more }).toEqual({ events: { runId: '3f9a', afterSeq: 7 }, more: { json: true } });
  });

  it('give what stands for an absent option', async () => {
    const { params, own: more } = await givenTo(STATE.classify, 'a.md', 'b.md');
    expect(params).toEqual({ names: ['a.md', 'b.md'], repo: '/home/ada' });
    expect(more).toEqual({});
    expect((await givenTo(DEMO)).own).toEqual({ dashboard: true });
    expect((await givenTo(DEMO, '--no-dashboard')).own).toEqual({ dashboard: false });
    const { clientToken } = (await givenTo(APPROVAL.approve, 'x')).params;
    expect(clientToken).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    [() => givenTo(RUN.events, 'x', '--after', 'y'), '--after y is not a whole number'],
    [() => givenTo(CLEANUP, '--ended', '--older-than', '7'), '--older-than 7 is not a time such as 12h, 7d or 4w'],
    [() => givenTo(CLEANUP, '--ended', '--older-than', '-1d'), '--older-than -1d is not a time such as'],
    [() => givenTo(RUN.progress, 'x', 'y', 'z'), '<number> y is not a whole number'],
    [() => givenTo(BACKTEST.show, 'x', 'y'), 'y is no iteration: give its number, or 0 for the base'],
    [() => givenTo(APPROVAL.abort, 'x', '--client-token', 'y'), '--client-token y is not a UUID'],
    [() => givenTo(RUN.skip, 'x', 'plan'), "error: required option '--reason <text>' not specified"],
    // What is missing comes before what is wrong.
    [() => givenTo(RUN.events, '--after', 'y'), "error: missing required argument 'run'"],
  ])('are refused: %s', async (given, message) => {
    await expect(given()).rejects.toThrow(message);
  });
});

it('an option is a parameter of its method, or its own', () => {
  command('run.cleanup', '', { force: flag(''), yes: own(flag('')) });
  // @ts-expect-error run.cleanup has no parameter forced
  command('run.cleanup', '', { forced: flag('') });
  // @ts-expect-error force is true or false
  command('run.cleanup', '', { force: number('<n>', '') });
  // @ts-expect-error a required parameter cannot be an option that may be absent
  command('run.skip', '', { reason: text('<text>', '') });
});
