import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { grantRights } from '../../../../daemon/rights/grantRights.ts';
import { readRights } from '../../../../daemon/rights/readRights.ts';
import { useScriptedSessions } from '../../../helpers/scriptedSession.ts';
import { isolatedEnv, makeRepo } from '../../../helpers/testRepo.ts';
import { until } from '../../../helpers/until.ts';

const given = useScriptedSessions();

/** A session whose repository has a hook, and an agent that planted others in its worktree. */
async function withHook(change: { hash?: string } = {}) {
  const session = await given();
  const { input, tmux } = session;
  const ran = join(tmux.home, 'ran');
  const filesOf = (by: string) => ({
    '.claude/settings.json': JSON.stringify({
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: `sh .claude/hooks/mark.sh ${by}` }] }] },
    }),
    '.claude/hooks/mark.sh': `echo "${by} $1 $0" >>'${ran}'\n`,
  });
  const repo = makeRepo(join(tmux.home, 'repo'), isolatedEnv(join(tmux.home, 'git')));
  repo.write(filesOf('base'));
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'Settings');
  const baseCommit = repo.git('rev-parse', 'HEAD');
  for (const [path, text] of Object.entries(filesOf('planted'))) {
    mkdirSync(dirname(join(input.cwd, path)), { recursive: true });
    writeFileSync(join(input.cwd, path), text);
  }
  const settings = { claude: { settings: true } };
  const { rights } = await readRights({ repoPath: repo.dir, commit: baseCommit, settings });
  const directory = join(tmux.home, 'rights');
  const asked = {
    runId: input.runId,
    repoPath: repo.dir,
    baseCommit,
    allowed: { ...rights, ...change },
    directory,
    program: 'claude' as const,
    mode: 'execute' as const,
  };
  const lines = () => (existsSync(ran) ? readFileSync(ran, 'utf8').trim().split('\n') : []);
  const start = () => session.adapter.start({ ...input, rights: () => grantRights(asked) });
  const mark = join(directory, '.claude/hooks/mark.sh');
  return { ...session, start, lines, mark };
}

test('runs the hook of the base commit at each start, whatever an agent changed', async () => {
  const { adapter, start, lines, mark } = await withHook();
  const handle = await start();
  await until('the hook ran', () => lines().length === 1);
  writeFileSync(mark, 'echo "changed" >>/dev/null\n', { flag: 'w', mode: 0o600 });
  await adapter.rebootstrap(handle);
  await until('the hook ran again', () => lines().length === 2);
  expect(lines()).toEqual(Array.from({ length: 2 }, () => `base base ${mark}`));
});

test('starts no agent if the rights are not those that a person allowed', async () => {
  const { start, lines, events } = await withHook({ hash: '0'.repeat(64) });
  await expect(start()).rejects.toMatchObject({ code: 'agent_rights_changed' });
  expect(await events('started')).toEqual([]);
  expect(lines()).toEqual([]);
});
