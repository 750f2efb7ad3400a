import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noSandboxBecause } from '../../helpers/canSandbox.ts';
import { drive, startRun } from '../../helpers/drive.ts';
import { daemonWithPanes } from '../../helpers/paneDaemon.ts';
import { writePersonsFile } from '../../helpers/personsFile.ts';
import { TEMPLATE } from '../laneRuns.ts';
import { requirementsFor } from '../plannedTasks.ts';
import { payloads, proveEnd } from '../support.ts';

describe.skipIf(noSandboxBecause)('lanes with the settings, the rights and the sandbox of a repository', () => {
  test('are set up, work, are merged and end inside, with the hooks of the base commit', async () => {
    const { daemon, env } = await daemonWithPanes();
    const proof = join(daemon.root, 'proof');
    mkdirSync(proof);
    const secret = join(daemon.root, 'secret');
    writeFileSync(secret, 'SECRET');
    const told = join(proof, 'told');
    const tell = (what: string) =>
      `echo "${what} $(test -e '${secret}' && echo open || echo closed) $DEVFLOW_LANE $PORT" >>'${told}'`;
    const repo = daemon.repo();
    const hook = { type: 'command', command: 'sh .claude/hooks/mark.sh' };
    repo.write({
      '.gitignore': 'made\n',
      'devflow.yaml': JSON.stringify({
        agents: { claude: { settings: true } },
        sandbox: 'all',
        verify: [['sh', '-c', `${tell('verify')}; test "$(cat made)" = "$PORT"`]],
        worktree: {
          setup: [['sh', '-c', `${tell('setup')}; echo $PORT >made`]],
          teardown: [['sh', '-c', tell('teardown')]],
          ports: ['PORT'],
        },
      }),
      '.claude/settings.json': JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }),
      '.claude/hooks/mark.sh': `${tell('hook $0 $WRAPPED')}\n`,
    });
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'Settings');
    const wrap = ['/usr/bin/env', 'WRAPPED={{worktree}}'];
    const sandbox = { level: 'all', network: 'off', write: [proof] };
    writePersonsFile(daemon.env, repo.dir, { sandbox, wrap });
    await daemon.start(env);
    const backend = { planner: 'claude', implementer: 'claude', resolver: 'claude' } as const;
    // The agent of A plants another script. The prompt for B follows in the same lane.
    const words = ['Also-Writes: .claude/hooks/mark.sh'];
    const requirements = requirementsFor([{ id: 'A', words }, { id: 'B', dependsOn: ['A'] }, { id: 'C' }]);
    const request = { template: TEMPLATE, repo: repo.dir, backend, requirements };
    const lines = () => (existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n') : []);

    const allowed = await daemon.cli(['repository', 'allow', '--yes'], { cwd: repo.dir });
    expect(allowed.code).toBe(0);
    const runId = await startRun(daemon, request);
    await drive(daemon, runId, { patienceMs: 200_000 });
    const { run, events, report } = await proveEnd(daemon, runId, 'completed');
    await daemon.ask('run.cleanup', { runId, force: false });

    const found = lines().map((line) => line.split(' '));
    expect(found.filter((words) => words.at(-3) !== 'closed' || !(Number(words.at(-1)) > 0))).toEqual([]);
    const lanesOf = (what: string) => found.filter(([each]) => each === what).map((words) => words.at(-2));
    const everywhere = ['checks', 'lane-1', 'lane-2', 'main'];
    expect(lanesOf('setup').sort()).toEqual(everywhere);
    expect(lanesOf('teardown').sort()).toEqual(everywhere);
    expect(new Set(lanesOf('verify'))).toEqual(new Set(['checks', 'main']));
    // The planner runs no commands, so it has no hooks.
    expect(lanesOf('hook').sort()).toEqual(['lane-1', 'lane-1', 'lane-2']);
    const scripts = found.flatMap(([what, script]) => (what === 'hook' ? [script] : []));
    expect([...new Set(scripts)]).toEqual([join(daemon.workspaceRoot, runId, 'rights/.claude/hooks/mark.sh')]);
    const wrapped = found.flatMap(([what, , path, , lane]) => (what === 'hook' ? [[lane, path]] : []));
    expect(Object.fromEntries(wrapped)).toEqual(
      Object.fromEntries(run.lanes.filter(({ laneId }) => laneId !== 'main').map(({ laneId, path }) => [laneId, path])),
    );
    expect(payloads(events, 'merge.landed').length).toBeGreaterThan(0);
    expect([run.sandbox, run.wrap]).toMatchObject([sandbox, wrap]);
    expect(report.inputs).toMatchObject({ sandbox: run.sandbox, wrap });
    expect((await daemon.cli(['run', 'show', runId])).stdout).toMatch(/^wrapped by +\/usr\/bin\/env 'WRAPPED=/m);
  });
});
