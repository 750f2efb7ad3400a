import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleTemplate } from '../../schemas/definitions/examples/exampleTemplate.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
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

test('a rehearsal plays a loop towards an objective, with a schema beside the file', async () => {
  const daemon = await makeDaemon();
  const repo = daemon.repo();
  const measure =
    'fs.writeFileSync(process.env.DEVFLOW_METRICS + \'/metrics.json\', \'{"metrics":{"score":1},"seed":7}\')';
  repo.write({ 'measure.cjs': `const fs = require('fs');\n${measure};\n` });
  repo.git('add', '.');
  repo.git('commit', '-qm', 'Measure');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(daemon.root, path)), { recursive: true });
    writeFileSync(join(daemon.root, path), text);
    return join(daemon.root, path);
  };
  const file = write('own/mine@1.yaml', exampleTemplate('mine', 'loop').replace('dev/implementation@1', 'own/note@1'));
  const objective = write(
    'objective.json',
    JSON.stringify({
      targets: [{ metric: 'score', op: 'gte', value: 100 }],
      measure: { argv: [process.execPath, 'measure.cjs'] },
      repeat: { baseline: 1, confirm: 1 },
      stop: { maxIterations: 2 },
    }),
  );
  const schema = readFileSync(join(packageRoot(), 'schemas/artifacts/dev/implementation@1.json'), 'utf8');
  const { $id: _, ...definition } = JSON.parse(schema);
  write('own/artifacts/own/note@1.json', JSON.stringify(definition));
  const ok = readFileSync(join(packageRoot(), 'schemas/artifacts/fixtures/dev/implementation@1/ok.json'), 'utf8');
  write('own/artifacts/fixtures/own/note@1/ok.json', ok);
  write('own/artifacts/own/unwanted@1.json', 'nonsense');
  expect(await daemon.cli(['template', 'lint', file])).toMatchObject({ code: 0 });
  const rehearsed = await daemon.cli(['template', 'rehearse', file, '--repo', repo.dir, '--objective', objective]);
  expect(rehearsed).toMatchObject({ code: 0, stdout: expect.stringContaining('Run with fake agents') });
  expect(rehearsed.stdout).toMatch(/The run is completed, after 2 decisions\./);
  const without = await daemon.cli(['template', 'rehearse', file, '--objective', objective]);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('--objective needs --repo') });
});

test('a rehearsal sets up its worktrees as its settings say, and takes none of the repository', async () => {
  const daemon = await makeDaemon();
  const repo = daemon.repo();
  repo.write({ '.gitignore': 'made\n', 'devflow.yaml': 'worktree:\n  setup: [[sh, -c, exit 1]]\n' });
  repo.git('add', '.');
  repo.git('commit', '-qm', 'Settings');
  const file = join(daemon.root, 'mine@1.yaml');
  const command = 'commands: [{ kind: test, argv: [sh, -c, \'test "$MODE" = test && test -e made\'] }]';
  writeFileSync(file, exampleTemplate('mine', 'quick').replace('commands: []', command));
  const settings = join(daemon.root, 'settings.yaml');
  writeFileSync(settings, 'worktree:\n  setup: [touch made]\n  env: { MODE: test }\n');
  const rehearse = (...words: string[]) => daemon.cli(['template', 'rehearse', file, ...words]);
  expect(await rehearse('--repo', repo.dir, '--settings', settings)).toMatchObject({ code: 0 });
  expect(await rehearse('--repo', repo.dir)).toMatchObject({ code: 1 });
  const usage = await rehearse('--settings', settings);
  expect(usage).toMatchObject({ code: 2, stderr: expect.stringContaining('--settings needs --repo') });
});
