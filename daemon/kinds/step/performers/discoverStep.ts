import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Known } from '../../../../schemas/definitions/lint/known.ts';
import { REPO_FACTS } from '../../../../schemas/kinds/step/definition.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../../../../schemas/names.ts';
import { asFirstFacts, type RepoFacts, type Uncovered } from '../../../../schemas/repoFacts.ts';
import { worktreeEnvironment } from '../../../../schemas/repository/variables.ts';
import { visible } from '../../../../schemas/text/visible.ts';
import { findConfinement } from '../../../discovery/confine.ts';
import { discover, planProbes } from '../../../discovery/discover.ts';
import { removeLeftovers } from '../../../discovery/removeLeftovers.ts';
import { openPrivateGit, type PrivateGit } from '../../../repository/privateGit/privateGit.ts';
import { copyMade } from '../../../setup/copyMade.ts';
import type { DoStep } from './step.ts';

/** As many as the schema takes. */
const MOST_UNCOVERED = 301;

/** Reads what the repository says about its own commands. Runs what can be a check if a person approved exactly that. */
export const discoverStep: DoStep = async (effect, { lintKnowledge }, signal) => {
  const { lane, baseCommit, dir, probes, schema, setup } = effect;
  const scratchDir = join(dir, 'scratch');
  // This step left them when the daemon was killed.
  await removeLeftovers(scratchDir);
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  // Tried once: what runs has the limits that the person was told.
  const confinement = await findConfinement(lane.repoPath, await realpath(scratchDir));
  const input = { repoDir: lane.repoPath, scratchDir, commit: baseCommit, signal, confinement };
  const planned = await planProbes(input);
  if (planned.probes.length > 0 && probes?.plan !== planned.plan) return { ok: false, ask: planned };
  const uncopied: Uncovered[] = [];
  const prepare = async (checkout: PrivateGit) => {
    if (!setup) return {};
    for (const { path, reason } of await copyMade(await openPrivateGit(lane), checkout, signal))
      uncopied.push({ path: visible(path), why: `the commands ran without it: it ${visible(reason)}` });
    return worktreeEnvironment(setup.env, { ...setup.variables, DEVFLOW_WORKTREE: checkout.path });
  };
  const trial = { probes: probes?.run ?? false, whyNot: 'nobody approved it', prepare };
  const facts = await discover({ ...input, ...trial });
  // First, because they explain checks that fail.
  const gaps = [...uncopied, ...facts.uncovered];
  // The last one may say that there are more.
  const uncovered = gaps.length > MOST_UNCOVERED ? [...gaps.slice(0, MOST_UNCOVERED - 1), ...gaps.slice(-1)] : gaps;
  const data: RepoFacts = { ...facts, uncovered, backends: workingBackends(lintKnowledge()) };
  return { ok: true, data: schema === REPO_FACTS[0] ? data : asFirstFacts(data) };
};

/** The agents that can work on this machine, for the author of a template. The fake agent is only for rehearsals. */
export function workingBackends({ isAvailable }: Pick<Known, 'isAvailable'>): AgentProgram[] {
  return AGENT_PROGRAMS.filter((program) => isAvailable?.(program) === true);
}
