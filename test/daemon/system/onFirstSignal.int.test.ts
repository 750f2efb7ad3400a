import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../../schemas/files/paths.ts';

/** Starts a child of execa after it listens for signals, and ends some time after a signal, as the daemon does. */
const PROGRAM = `
  import { execa } from 'execa';
  import { onFirstSignal } from ${JSON.stringify(join(packageRoot(), 'daemon/system/onFirstSignal.ts'))};
  onFirstSignal(['SIGTERM'], (signal) => {
    console.log(signal);
    process.stdin.once('data', () => process.exit(7));
  });
  const child = execa('cat', { reject: false });
  console.log('ready ' + child.pid);`;

async function given() {
  const words = ['--experimental-strip-types', '--no-warnings', '--input-type=module-typescript', '-e', PROGRAM];
  const child = spawn(process.execPath, words, { cwd: packageRoot(), stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const line = async () => String((await once(child.stdout, 'data'))[0]).trim();
  expect(await line()).toMatch(/^ready \d+$/);
  return { child, ended, line };
}

it('lets an orderly end finish while a child of execa runs', async () => {
  const { child, ended, line } = await given();
  child.kill('SIGTERM');
  expect(await line()).toBe('SIGTERM');
  child.stdin.write('go\n');
  expect(await ended).toEqual([7, null]);
});

it('lets a second signal end the process at once', async () => {
  const { child, ended, line } = await given();
  child.kill('SIGTERM');
  expect(await line()).toBe('SIGTERM');
  child.kill('SIGTERM');
  expect(await ended).toEqual([null, 'SIGTERM']);
});
