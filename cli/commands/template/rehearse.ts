import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import type { Played } from '../../../schemas/rpc/views/rehearsal.ts';
import { callDaemonOrOneshot } from '../../daemon/oneshot.ts';
import type { Template } from '../../define/catalog.ts';
import { definitionSource } from '../../input/definitionSource.ts';
import { usage } from '../../input/parse.ts';
import { readInput, readJson } from '../../input/readInput.ts';
import { readShipped, shippedWith } from '../../input/readShipped.ts';
import { INTERRUPTED, onInterrupt } from '../../io/interrupt.ts';
import type { Io } from '../../io/io.ts';
import { printPlayed, printRehearsal } from '../../print/definition/rehearsal.ts';
import { printDefinitionVerdict } from '../../print/definition/verdict.ts';
import { printJson } from '../../print/output.ts';
import { playTemplate } from '../../rehearsal/playTemplate.ts';

export const action: Template['rehearse'] = async (_params, options, io) => {
  const { given: file, json, repo, commit } = options;
  if (commit !== undefined && repo === undefined) throw usage('--commit needs --repo');
  for (const name of ['objective', 'settings'] as const) {
    if (options[name] !== undefined && repo === undefined) throw usage(`--${name} needs --repo`);
  }
  const source = await definitionSource(io, file, 'template');
  const objective =
    options.objective === undefined ? undefined : await readJson(io, options.objective, 'the objective');
  const settings =
    options.settings === undefined ? undefined : await readInput(io, options.settings, 'the settings file');
  const shipped = readShipped(shippedWith(source.file, io.cwd, options.artifacts, source.text ?? ''));
  const schemas = shipped.map(({ schema }) => schema);
  const answer = await callDaemonOrOneshot(io, 'template.rehearse', { ...source, schemas });
  const { verdict, text: yaml, roles, rehearsal } = answer;
  if (!rehearsal) return printDefinitionVerdict(io, verdict, file, json);
  if (!json) printRehearsal(io, rehearsal);
  let run: Played | null = null;
  if (rehearsal.ok && repo !== undefined) {
    const { name, version } = rehearsal.template;
    const from = resolve(io.cwd, repo);
    const template = { name, version, roles, yaml, shipped, objective, settings };
    const played = await playIn(io, { ...template, repo: from, commit: commitIn(from, commit ?? 'HEAD') });
    if (played === undefined) return INTERRUPTED;
    run = played;
  }
  if (json) printJson(io, { walk: rehearsal, run });
  else if (run) printPlayed(io, run);
  const isRed = run?.commands.some(({ exitCode }) => exitCode !== 0) ?? false;
  return rehearsal.ok && (run?.ok ?? true) && !isRed ? 0 : 1;
};

async function playIn(io: Io, rehearsed: Parameters<typeof playTemplate>[1]): Promise<Played | undefined> {
  const { signal, release } = onInterrupt();
  try {
    return await playTemplate(io, rehearsed, signal);
  } finally {
    release();
  }
}

/** The full name of a commit. */
function commitIn(repo: string, name: string): string {
  try {
    const args = ['-C', repo, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  } catch (cause) {
    throw new DevflowError('repo_invalid', `${repo} is no git repository with the commit ${name}.`, {
      recoveryHint: 'Name a repository with --repo, and a commit of it with --commit.',
      cause,
    });
  }
}
