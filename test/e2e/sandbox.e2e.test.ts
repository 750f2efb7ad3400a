import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findOnPath } from '../../schemas/config/backendBinaries.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { sandboxWords } from '../../schemas/sandboxWords.ts';
import { noSandboxBecause } from '../helpers/canSandbox.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { makePanes, ROLES } from '../helpers/paneDaemon.ts';
import { writePersonsFile } from '../helpers/personsFile.ts';
import { proveEnd } from './support.ts';

describe.skipIf(noSandboxBecause)('a run with its agents in sandboxes', () => {
  test('ends as any other, and says what held', async () => {
    const panes = await makePanes('busy-ms=150');
    const { daemon } = panes;
    await daemon.start();
    const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES, sandbox: 'agents' });
    await drive(daemon, runId);
    const { run, report } = await proveEnd(daemon, runId, 'completed');
    expect(run.sandbox).toMatchObject({ level: 'agents', by: expect.stringMatching(/^bubblewrap \d/) });
    expect(report.inputs).toMatchObject({ sandbox: run.sandbox });
    const shown = await daemon.cli(['run', 'show', runId]);
    expect(shown.stdout).toContain(run.sandbox && sandboxWords(run.sandbox));
  });

  test('runs its commands in them, too, if all is asked for', async () => {
    const { daemon } = await makePanes('busy-ms=150');
    await daemon.start();
    const repo = daemon.repo();
    const secret = join(daemon.root, 'secret');
    writeFileSync(secret, 'SECRET');
    const script = `test -e .git && test ! -e ${secret} && test ! -e ${repo.dir}/README.md && git status && echo x >~/made`;
    const verify = { verify: [['sh', '-c', script]] };
    const request = { repo: repo.dir, backend: ROLES, extra: verify };
    const inside = await startRun(daemon, { ...request, sandbox: 'all' });
    await drive(daemon, inside);
    const { run } = await proveEnd(daemon, inside, 'completed');
    expect(run.commands.map(({ exitCode }) => exitCode)).toEqual([0]);
    // The same command outside fails: its gate asks.
    const outside = await startRun(daemon, { ...request, sandbox: 'agents', parallel: true });
    await drive(daemon, outside, { stopAt: ({ type }) => type === 'command.failed' });
    await daemon.ask('run.abort', { runId: outside, reason: 'seen' });
    await proveEnd(daemon, outside, 'aborted');
    await daemon.ask('run.cleanup', { runId: inside, force: false });
    expect(existsSync(join(daemon.workspaceRoot, inside, 'sandbox'))).toBe(false);
  });

  test('lets no command allow what a repository asks for, whatever its environment', async () => {
    const { daemon } = await makePanes('busy-ms=150');
    const home = daemon.env.DEVFLOW_HOME ?? '';
    const repo = daemon.repo();
    const asking = daemon.repo();
    asking.write({ 'devflow.yaml': 'worktree: { setup: [touch made] }\n' });
    asking.git('add', '-A');
    asking.git('commit', '-qm', 'Settings');
    // The person shows it devflow itself.
    const read = [packageRoot(), dirname(process.execPath), asking.dir];
    writePersonsFile(daemon.env, repo.dir, { sandbox: { level: 'all', read } });
    await daemon.start();
    const allow = `'${daemon.cliProgram}' repository allow --yes --repo '${asking.dir}'`;
    const marks = '-u DEVFLOW_COMMAND -u DEVFLOW_RUN -u DEVFLOW_LANE';
    const script = `for home in '${home}' "$HOME/home"; do env ${marks} DEVFLOW_HOME="$home" ${allow}; done; ls '${home}'; true`;
    const verify = { verify: [['sh', '-c', script]] };
    const runId = await startRun(daemon, { repo: repo.dir, backend: ROLES, extra: verify });
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    const view = await daemon.call('repository.show', { repo: asking.dir });
    expect(view.consents).toMatchObject([{ part: 'worktree', state: 'unknown' }]);
  });

  test('starts no agent once its sandbox cannot be made any more, and a gate says why', async () => {
    const { daemon } = await makePanes('busy-ms=150');
    const bin = join(daemon.root, 'bin');
    mkdirSync(bin);
    const bwrap = (script: string) => writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const works = `exec '${findOnPath('bwrap', daemon.env.PATH ?? '')}' "$@"`;
    bwrap(works);
    await daemon.start({ PATH: `${bin}:${daemon.env.PATH}` });
    const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES, sandbox: 'agents' });
    await drive(daemon, runId, {
      decide: () => undefined,
      stopAt: ({ type, payload }) => type === 'approval.requested' && payload.gateKey === 'spec_approved',
    });
    bwrap('echo "bwrap: No permissions to create new namespace" >&2; exit 1');
    await drive(daemon, runId, {
      decide: ({ kind }) => (kind === 'recovery' ? undefined : { action: 'approve' }),
      stopAt: ({ type, payload }) => type === 'approval.requested' && payload.kind === 'recovery',
    });
    const [gate] = await daemon.ask('approval.list', { runId });
    const shown = await daemon.cli(['approval', 'show', gate?.id ?? '']);
    expect(shown.stdout).toMatch(/^.*bwrap: No permissions to create new namespace.* Try again\?/m);
    bwrap(works);
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
  });
});

test('a start is refused where no sandbox can be made, and nothing is written', async () => {
  const { daemon } = await makePanes('busy-ms=150');
  const bin = join(daemon.root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n');
  chmodSync(join(bin, 'bwrap'), 0o755);
  await daemon.start({ PATH: `${bin}:${daemon.env.PATH}` });
  const started = startRun(daemon, { repo: daemon.repo().dir, backend: ROLES, sandbox: 'agents' });
  await expect(started).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    recoveryHint: expect.stringContaining('namespaces'),
  });
  expect(await daemon.call('run.list', {})).toEqual([]);
  expect(await daemon.call('daemon.doctor', {})).toContainEqual(
    expect.objectContaining({ name: 'sandbox', status: 'warn' }),
  );
});
