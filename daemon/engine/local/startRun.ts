import { randomUUID } from 'node:crypto';
import type { Config } from '../../../schemas/config/config.ts';
import { defined } from '../../../schemas/defined.ts';
import type { Brought } from '../../../schemas/definitions/brought.ts';
import type { Binding, BindingOverride } from '../../../schemas/definitions/persona.ts';
import { extendRegistry, type Registry } from '../../../schemas/definitions/registry.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import { DevflowError, type ErrorCode } from '../../../schemas/errors.ts';
import type { RunCreated } from '../../../schemas/events/run.ts';
import { worktreePath } from '../../../schemas/files/paths.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { ChangeRequest, StartNotes } from '../../../schemas/rpc/views/start.ts';
import type { Sandbox, SandboxWish } from '../../../schemas/sandbox.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { bindAll } from '../../core/binding/binding.ts';
import { evolve, stamp } from '../../core/evolve/evolve.ts';
import { NEWEST_BEHAVIOUR } from '../../core/run/behaviour.ts';
import { phaseId } from '../../core/run/keys.ts';
import { type Here, isHere } from '../../core/run/place.ts';
import type { Run } from '../../core/run/state.ts';
import { cannotFail } from '../../discovery/cannotFail/cannotFail.ts';
import { resolveChange } from '../../repository/change/resolveChange.ts';
import { readStartNotes } from '../../repository/checkout/startNotes.ts';
import { createGit, type Git, refuseOwnBranchesTaken } from '../../repository/git/git.ts';
import { commonDirectory } from '../../repository/git/repositoryFiles.ts';
import { type Definitions, personasFor } from '../../store/definitions.ts';
import type { RunLog } from '../../store/runLog.ts';
import { type Clock, systemClock } from '../../system/clock.ts';
import type { RunEngine } from '../runEngine.ts';
import { checkInputs, commandsGiven } from './checkInputs.ts';
import { objectiveWarnings } from './checkObjective.ts';
import { broughtBy, type Drafts, draftTemplate, withDraftPersonas } from './drafts.ts';
import { findReentry, type Reentry } from './reentry.ts';
import { chooseSlot, conflict, findRivals, type Start } from './rivals.ts';

export interface StartRequest extends Drafts {
  repo: string;
  /** `name` or `name@version`. */
  template: string;
  requirements: string;
  base?: string;
  /** The change to review, for a template that only reviews. */
  change?: ChangeRequest;
  objective?: unknown;
  extra?: Record<string, unknown>;
  overrides: Record<string, BindingOverride>;
  /** Allow other open runs of the same repository and base branch. */
  parallel?: boolean;
  /** How its worktrees are set up, with the commands that a person allowed. */
  setup?: WorktreeSetup;
  /** The sandbox of its agents, and perhaps of its commands. */
  sandbox?: SandboxWish;
  /** Words before the command line of each agent. */
  wrap?: string[];
  /** A repeated token gives the same run. */
  clientToken?: string;
}

export type Started = StartNotes & { runId: string };

export interface Starter {
  /** Throws before anything is written if the request is invalid or a role cannot be bound. */
  startRun(request: StartRequest): Promise<Started>;
  /** Describes the start. Writes nothing; throws the errors that a start throws. */
  preview(request: StartRequest): Promise<Prepared>;
}

const NO_NOTES: StartNotes = { uncommitted: null, submodules: [], warnings: [] };

export interface Prepared {
  templateId: string;
  templateHash: string;
  template: Template;
  repoPath: string;
  repository: string;
  baseBranch: string;
  baseCommit: string;
  /** The newest commit to review; absent if the run makes the change. */
  reviewHead: string | undefined;
  bindings: Binding[];
  /** By role; personas of drafts have the names that they have in the run. */
  overrides: Record<string, BindingOverride>;
  brought: Brought | undefined;
  /** Tried on this machine; absent: none. */
  sandbox: Sandbox | undefined;
  /** Where the run begins; absent: at its first phase. */
  reentry?: Reentry;
  notes: StartNotes;
}

export function createStarter(options: {
  config: Config;
  clock: Clock;
  runLog: RunLog;
  definitions: Definitions;
  registry: Registry;
  /** Files that the person may think are in force, and are not: a warning each. */
  ignoredFiles(template: Template, ref: string, bindings: readonly Binding[]): string[];
  engine: RunEngine;
  /** Starts an empty sandbox. Throws sandbox_unavailable. */
  trySandbox(wish: SandboxWish): Promise<Sandbox>;
  here: Here;
  /** Announces the first commit, as the engine announces the others. */
  onCreated(run: ReturnType<typeof evolve>, event: ReturnType<typeof stamp>): void;
}): Starter {
  const { config, clock, runLog, definitions, registry, engine, trySandbox, here, onCreated, ignoredFiles } = options;
  /** Writes first events one at a time, so that the limit on open runs holds. */
  let turn: Promise<unknown> = Promise.resolve();
  /** Runs that wait for their bindings. A request with the same token waits too. */
  const starting = new Map<string, Promise<void>>();

  async function prepare(request: StartRequest): Promise<Prepared> {
    if (request.requirements.trim() === '') {
      throw new DevflowError('requirements_missing', 'The requirements are empty.');
    }
    const { draft } = request;
    const brought = broughtBy(request, registry);
    const known = brought ? extendRegistry(registry, brought.schemas) : registry;
    const found = draft === undefined ? await definitions.getTemplate(request.template) : draftTemplate(draft, known);
    const overrides = withDraftPersonas(request.overrides, request.draftPersonas);
    const git = createGit();
    const repositoryFacts = await git.inspectRepository(request.repo);
    const { repoPath } = repositoryFacts;
    // A review makes no branch.
    if (request.change === undefined) refuseOwnBranchesTaken(repositoryFacts);
    const { id, hash, template } = found;
    checkInputs(template, request, registry);
    const base = await resolveStart(repoPath, request, git);
    const repository = await commonDirectory(repoPath);
    const bindings = await bind(found, overrides, brought);
    const sandbox = request.sandbox && (await trySandbox(request.sandbox));
    const read = await readStartNotes(
      { repoPath, commit: base.reviewHead ?? base.baseCommit, change: request.change },
      git,
    );
    const ignored = draft === undefined ? ignoredFiles(template, request.template, bindings) : [];
    const more = [...ignored, ...uselessCommands(template, request), ...objectiveWarnings(template, request.objective)];
    const notes = { ...read, warnings: [...read.warnings, ...more] };
    const reentry = findReentry(template, repoPath, systemClock.now().getTime());
    const start = { templateId: id, templateHash: hash, template, repoPath, repository, ...base, bindings, notes };
    return { ...start, overrides, brought: brought ?? undefined, sandbox, reentry };
  }

  async function resolveStart(
    repoPath: string,
    { base, change }: StartRequest,
    git: Git,
  ): Promise<Pick<Prepared, 'baseBranch' | 'baseCommit' | 'reviewHead'>> {
    if (change) {
      const { head: reviewHead, ...start } = await resolveChange(repoPath, change, git);
      return { ...start, reviewHead };
    }
    const { branch, commit } = await git.resolveBranch(repoPath, base);
    return { baseBranch: branch, baseCommit: commit, reviewHead: undefined };
  }

  /** The run binds again when it starts. This refuses at once what can never be bound. */
  async function bind(
    { template, hash }: { template: Template; hash: string },
    overrides: Record<string, BindingOverride>,
    brought: Brought | null,
  ) {
    const personas = await personasFor(brought, definitions);
    return bindAll({
      runId: randomUUID(),
      template,
      templateHash: hash,
      personas,
      backends: config.backends,
      overrides,
    });
  }

  function refuseTooMany(): void {
    const open = engine.openRuns().filter((run) => isHere(run, here));
    if (open.length < config.maxConcurrentRuns) return;
    const message = `${counted(open.length, 'run is', 'runs are')} open, and maxConcurrentRuns is ${config.maxConcurrentRuns}.`;
    throw new DevflowError('max_concurrent_runs', message, { data: { openRuns: open.map((run) => run.id) } });
  }

  const rivalsOf = (start: Start) => findRivals(start, { runLog, openRuns: engine.openRuns(), here });

  async function findSlot(prepared: Prepared, { change, parallel = false }: StartRequest): Promise<number> {
    refuseTooMany();
    return chooseSlot(prepared, await rivalsOf(prepared), parallel || change !== undefined);
  }

  /** Writes the first event and adopts the run, unless the token's run exists. */
  async function create(runId: string, prepared: Prepared, request: StartRequest): Promise<void> {
    if (request.clientToken && (await engine.readRun(runId))) return;
    const slot = await findSlot(prepared, request);
    if (request.draft !== undefined || prepared.brought) await keepDrafts(prepared, request);
    const event = stamp(runId, 0, created(runId, prepared, { request, slot, here, config }), clock.now().toISOString());
    const run = evolve(undefined, event);
    try {
      await runLog.append(undefined, run, [event]);
    } catch (error) {
      // The partial unique index has the last word on which runs are open.
      if ((error as { constraint?: string }).constraint !== 'ux_active_run_repo_base') throw error;
      throw conflict(prepared, await rivalsOf(prepared), error);
    }
    onCreated(run, event);
    // The run counts as open now, so the next start need not wait for its worktree.
    const bound = engine.adopt(run);
    bound.catch(() => {});
    starting.set(runId, bound);
  }

  async function keepDrafts(
    { templateId: id, templateHash: hash, template, brought }: Prepared,
    { draft }: StartRequest,
  ): Promise<void> {
    const { name, version } = template;
    const own = draft === undefined ? {} : { template: { id, name, version, hash, template } };
    await definitions.keepDrafts({ ...own, personas: brought?.personas ?? [] });
  }

  async function start(request: StartRequest): Promise<Started> {
    const runId = request.clientToken ?? randomUUID();
    // A repeated request gets the same answer, even if it could no longer start.
    const earlier = request.clientToken ? await engine.readRun(runId) : undefined;
    const notes = earlier ? await notesOf(earlier, request) : await record(runId, request);
    const bound = starting.get(runId);
    if (!bound) return { runId, ...notes };
    await bound.finally(() => starting.delete(runId));
    await refuseFailed(engine, runId);
    return { runId, ...notes };
  }

  async function record(runId: string, request: StartRequest): Promise<StartNotes> {
    const prepared = await prepare(request);
    const mine = turn.then(() => create(runId, prepared, request));
    turn = mine.catch(() => {});
    await mine;
    return prepared.notes;
  }

  function notesOf({ repoPath, baseCommit, reviewHead }: Run, { change }: StartRequest): Promise<StartNotes> {
    return readStartNotes({ repoPath, commit: reviewHead ?? baseCommit, change }, createGit()).catch(() => NO_NOTES);
  }

  return {
    startRun: start,
    async preview(request) {
      const prepared = await prepare(request);
      await findSlot(prepared, request);
      return prepared;
    },
  };
}

function created(
  runId: string,
  prepared: Prepared,
  { request, slot, here, config }: { request: StartRequest; slot: number; here: Here; config: Config },
) {
  const { bindings: _, notes: __, reentry, ...start } = prepared;
  const { artifactTimeoutMs, idleTimeoutMs, approvalTimeoutMs, commandTimeoutMs } = config.recovery;
  return {
    type: 'run.created' as const,
    phaseId: null,
    payload: defined({
      behaviour: NEWEST_BEHAVIOUR,
      ...start,
      slot: slot === 0 ? undefined : slot,
      host: here.shared ? here.id : undefined,
      worktreeRoot: worktreePath(config.workspaceRoot, runId),
      workspaceRoot: config.workspaceRoot,
      requirementsMd: request.requirements,
      objective: request.objective ?? null,
      extra: request.extra ?? null,
      skips: reentry && reentry.skips.length > 0 ? reentry.skips : undefined,
      cycle: reentry && reentry.cycle > 1 ? reentry.cycle : undefined,
      phases: prepared.template.phases.map(({ key }, index) => ({ id: phaseId(runId, key), key, seq: index + 1 })),
      setup: request.setup,
      wrap: request.wrap?.length ? request.wrap : undefined,
      options: { artifactTimeoutMs, idleTimeoutMs, approvalTimeoutMs, commandTimeoutMs },
    } satisfies Record<keyof RunCreated, unknown>),
  };
}

/** Commands that check nothing, because they end with 0 whatever is wrong. */
function uselessCommands(template: Template, { extra, objective }: StartRequest): string[] {
  return template.phases.flatMap((phase) =>
    (KIND_DEFINITIONS[phase.kind].commands === 'own' ? commandsGiven(phase, extra, objective) : []).flatMap((argv) => {
      const why = cannotFail(argv);
      return why === undefined ? [] : [`A command of phase ${phase.key} cannot fail, so it checks nothing: ${why}.`];
    }),
  );
}

/** Throws why the run failed, as for a request that was refused at once. */
async function refuseFailed(engine: RunEngine, runId: string): Promise<void> {
  const run = await engine.readRun(runId);
  if (run?.state !== 'failed' || !run.failure) return;
  const { code, reason, hint: recoveryHint } = run.failure;
  throw new DevflowError(code as ErrorCode, reason, { runId, recoveryHint, data: { runId } });
}
