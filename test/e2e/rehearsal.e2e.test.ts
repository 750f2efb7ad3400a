import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleTemplate } from '../../schemas/definitions/examples/exampleTemplate.ts';
import { makeDaemon } from '../helpers/daemon.ts';
import { until } from '../helpers/until.ts';

/** The command lines of all processes that name this directory. */
function processesOf(directory: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      const around = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return line.includes(directory) || around.includes(directory) ? [line] : [];
    } catch {
      return [];
    }
  });
}

test('a rehearsal that is killed leaves no process and no directory behind', async () => {
  const daemon = await makeDaemon();
  const temporary = join(daemon.root, 't');
  mkdirSync(temporary);
  const file = join(daemon.root, 'mine@1.yaml');
  // The run is at work when the program is killed.
  const command = 'commands: [{ kind: other, argv: [sleep, "300"] }]';
  writeFileSync(file, exampleTemplate('mine', 'quick').replace('commands: []', command));
  const arguments_ = ['template', 'rehearse', file, '--repo', daemon.repo().dir];
  const rehearsing = spawn(daemon.cliProgram, arguments_, {
    env: { ...daemon.env, TMPDIR: temporary },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => rehearsing.once('exit', resolve));
  await until('its command runs', async () => processesOf(temporary).find((line) => line.includes('sleep 300')));
  rehearsing.kill('SIGKILL');
  await ended;
  await until('its directory is removed', async () => (readdirSync(temporary).length === 0 ? true : undefined));
  await until('its processes have ended', async () => (processesOf(temporary).length === 0 ? true : undefined));
  expect(existsSync(temporary)).toBe(true);
});
