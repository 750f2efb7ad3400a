import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drive, readLog, startRun } from '../helpers/drive.ts';
import { daemonWithPanes } from '../helpers/paneDaemon.ts';
import { proveEnd } from './support.ts';

test('agents of a run have the hooks of its base commit, once a person allowed exactly these', async () => {
  const { daemon, env } = await daemonWithPanes();
  const ran = join(daemon.root, 'ran');
  const repo = daemon.repo();
  const commit = (files: Record<string, string>) => {
    repo.write(files);
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'Settings');
  };
  const hook = { type: 'command', command: 'sh .claude/hooks/mark.sh' };
  const scriptOf = (by: string) => `echo "${by} $0" >>'${ran}'\n`;
  commit({
    'devflow.yaml': 'agents: { claude: { settings: true } }\n',
    '.claude/settings.json': JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }),
    '.claude/hooks/mark.sh': scriptOf('base'),
  });
  await daemon.start(env);
  const lines = () => (existsSync(ran) ? readFileSync(ran, 'utf8').trim().split('\n') : []);
  const request = { repo: repo.dir, template: 'quick-change@1', backend: { implementer: 'claude' as const } };
  const play = async (): Promise<string> => {
    const runId = await startRun(daemon, request);
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
    return runId;
  };

  await play();
  expect(lines()).toEqual([]);

  const allowed = await daemon.cli(['repository', 'allow', '--yes'], { cwd: repo.dir });
  expect(allowed.stdout).toContain('claude hook at UserPromptSubmit: sh .claude/hooks/mark.sh (.claude/settings.json)');
  const runId = await play();
  const frozen = join(daemon.workspaceRoot, runId, 'rights', '.claude', 'hooks', 'mark.sh');
  expect(lines()).toEqual([`base ${frozen}`]);
  const [created] = await readLog(daemon, runId);
  const { agentRights } = (created?.payload ?? {}) as { agentRights?: { files: { path: string }[] } };
  expect(agentRights?.files.map(({ path }) => path)).toEqual(['.claude/hooks/mark.sh', '.claude/settings.json']);

  // Work of an agent that somebody took over.
  commit({ '.claude/hooks/mark.sh': scriptOf('planted') });
  await play();
  expect(lines()).toHaveLength(1);
});
