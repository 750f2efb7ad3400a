import { expect, it } from 'vitest';
import { ask } from '../../../../daemon/doctor/probe/program.ts';
import { useMachine } from '../givenMachine.ts';

const machine = useMachine();

it('times out for a program that hangs, and ends it', async () => {
  machine().has('git', 'echo $$; while :; do :; done');
  const ran = await ask('git', ['--version'], machine().env);
  expect(ran).toMatchObject({ ok: false, why: 'no answer in 5 s' });
  const pid = Number(ran?.out);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
