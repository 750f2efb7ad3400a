import { mkdirSync, readFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTemplateText } from '../../../../schemas/definitions/definitionFile.ts';
import { lintTemplate } from '../../../../schemas/definitions/lint/lintTemplate.ts';
import type { Linted } from '../../../../schemas/definitions/lint/lintText.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import { writeInside } from '../../../../schemas/files/insideRoot.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import { DRAFT, REPO_FACTS } from '../../../../schemas/kinds/step/definition.ts';
import { orElse } from '../../../../schemas/orElse.ts';
import { Played, Rehearsal } from '../../../../schemas/rpc/views/rehearsal.ts';
import { shellWord } from '../../../../schemas/text/visible.ts';
import { endLeftovers, howEnded, startOrAdopt } from '../../../commands/runner.ts';
import type { Draft } from '../../../definitions/factory/draft.ts';
import { findConfinement } from '../../../discovery/confine.ts';
import { openPrivateGit } from '../../../repository/privateGit/privateGit.ts';
import { listMade } from '../../../setup/copyMade.ts';
import { onThisMachine } from '../../../system/clock.ts';
import { bindingOf, type RehearsalRecord } from './rehearsalRecord.ts';
import { type DoStep, type StepEffect, stepInput } from './step.ts';

/** The checks of the repository run in it, so it may take as long as they do. */
const LONGEST_MS = 30 * 60_000;

/** Walks all paths of the draft and plays one run of it with fake agents. Then reviewers get the file. */
export const rehearseStep: DoStep = async (effect, { registry, lintKnowledge, clock }, signal) => {
  const { data: draft, hash: draftHash } = await stepInput<Draft>(effect, DRAFT);
  const { hash: facts } = await stepInput(effect, ...REPO_FACTS);
  const brought = new Set(draft.artifacts.map(({ schema }) => schema));
  const schemas = {
    schemaFault: (schema: string) => (brought.has(schema) ? undefined : registry.schemaFault(schema)),
  };
  const read = readTemplateText(draft.yaml, schemas);
  if (!read.ok) return { ok: false, reason: `the draft is no template any more: ${read.problems[0]?.message}` };
  const { name, version, hash } = read.value;
  const file = `${name}@${version}.yaml`;
  writeDraft(effect.dir, file, draft);
  const rehearsed = await rehearse(effect, file, onThisMachine(new Date(effect.since), clock), signal);
  if ('reason' in rehearsed) return { ok: false, reason: rehearsed.reason };
  const { walk, run } = rehearsed;
  const red = run.commands.find(({ exitCode }) => exitCode !== 0);
  if (!run.ok) return { ok: false, reason: `the run with fake agents did not end well: ${run.sentence}` };
  if (red) return { ok: false, reason: `${red.argv.map(shellWord).join(' ')} failed in the run with fake agents` };
  const written = writeInside(effect.lane.path, file, draft.yaml, 0o644);
  if (!written.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${file}: ${written.fault}.`);
  const { states, steps, paths } = walk;
  const record = {
    template: { name, version, hash },
    draft: draftHash,
    facts,
    walk: { states, steps, prompts: paths.prompts, agents: paths.agents },
    run,
    warnings: warningsOf(lintTemplate({ text: draft.yaml, file, isFile: false }, { ...lintKnowledge(), schemas })),
  };
  return { ok: true, data: { ...record, binding: bindingOf(record) } };
};

function warningsOf({ findings }: Linted): RehearsalRecord['warnings'] {
  return findings.map(({ code, line, message }) => ({ code, line, message }));
}

function writeDraft(dir: string, file: string, { yaml, artifacts }: Draft): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const texts = [
    [file, yaml] as const,
    ...artifacts.flatMap(({ schema, definition, ok }) => [
      [join('artifacts', `${schema}.json`), JSON.stringify(definition)] as const,
      [join('artifacts/fixtures', schema, 'ok.json'), JSON.stringify(ok)] as const,
    ]),
  ];
  for (const [path, text] of texts) writeFile(dir, path, text);
}

function writeFile(dir: string, path: string, text: string): void {
  const written = writeInside(dir, path, text);
  if (!written.ok) throw new DevflowError('path_unsafe', `devflow cannot write ${path}: ${written.fault}.`);
}

/** Copies the files of a list from one directory into the current one. */
const COPY = 'tar -C "$1" --null -T "$2" -cf - | tar -xf -';

/** The options that give the rehearsal's worktrees what the set-up made in the run's. None without a set-up. */
async function writeSettings({ lane, dir, setup }: StepEffect): Promise<string[]> {
  if (!setup) return [];
  const made = await listMade(await openPrivateGit(lane));
  const copy = ['sh', '-c', COPY, 'sh', lane.path, join(dir, 'made')];
  const worktree = { setup: made.length > 0 ? [copy] : [], env: setup.env, ports: setup.ports };
  writeFile(dir, 'made', made.map((path) => `./${path}\0`).join(''));
  writeFile(dir, 'settings.yaml', JSON.stringify({ worktree }));
  return ['--settings', join(dir, 'settings.yaml')];
}

/** By a program of its own, which has a daemon and a database of its own and outlives this daemon. */
async function rehearse(
  effect: StepEffect,
  file: string,
  startedAt: Date,
  signal: AbortSignal,
): Promise<{ walk: Rehearsal; run: Played } | { reason: string }> {
  const { phaseId, attempt, dir, lane, baseCommit } = effect;
  const program = join(packageRoot(), 'bin', 'devflow');
  const settings = await writeSettings(effect);
  const place = ['--repo', lane.repoPath, '--commit', baseCommit, '--artifacts', join(dir, 'artifacts'), ...settings];
  const commandId = derivedId('rehearsal', phaseId, attempt);
  const end = await startOrAdopt({
    commandId,
    within: await confined(lane.repoPath, dir),
    argv: [program, 'template', 'rehearse', join(dir, file), ...place, '--json'],
    cwd: dir,
    dir,
    // Without this daemon, and without another one of the machine.
    env: { DEVFLOW_HOME: join(dir, 'home'), ...cacheOf(process.env) },
    timeoutMs: LONGEST_MS,
    startedAt,
    signal,
  });
  await endLeftovers(dir, commandId);
  signal.throwIfAborted();
  const answer = readAnswer(end.stdoutPath);
  if (!answer) return { reason: `the rehearsal failed: ${howEnded(end, LONGEST_MS)}; see ${end.stderrPath}` };
  const walk = Rehearsal.parse(answer.walk);
  const [finding] = walk.findings;
  if (finding) return { reason: `${finding.code}: ${finding.message}` };
  return { walk, run: Played.parse(answer.run) };
}

/** The draft's commands run confined, as when they were probed. devflow itself works in the temporary directory. */
async function confined(repository: string, dir: string): Promise<string[]> {
  return (await findConfinement(repository, dir)).before(dir, await realpath(tmpdir()));
}

/** The code that the entry file has compiled before. */
function cacheOf({ DEVFLOW_INTERNAL_CACHE: cache }: NodeJS.ProcessEnv): Record<string, string> {
  return cache === undefined ? {} : { DEVFLOW_INTERNAL_CACHE: cache };
}

function readAnswer(path: string): { walk: unknown; run: unknown } | undefined {
  return orElse(() => JSON.parse(readFileSync(path, 'utf8')));
}
