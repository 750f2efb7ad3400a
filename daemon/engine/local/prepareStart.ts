import { randomUUID } from 'node:crypto';
import type { Config } from '../../../schemas/config/config.ts';
import { defined } from '../../../schemas/defined.ts';
import type { Brought } from '../../../schemas/definitions/brought.ts';
import type { Binding, BindingOverride } from '../../../schemas/definitions/persona.ts';
import { extendRegistry, type Registry } from '../../../schemas/definitions/registry.ts';
import { isLedTemplate, type Template } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import { withChecks } from '../../../schemas/repository/checksPhase.ts';
import type { StartNotes } from '../../../schemas/rpc/views/start.ts';
import type { Sandbox, SandboxWish } from '../../../schemas/sandbox.ts';
import { bindAll } from '../../core/binding/binding.ts';
import { cannotFail } from '../../discovery/cannotFail/cannotFail.ts';
import { resolveChange } from '../../repository/change/resolveChange.ts';
import { readStartNotes } from '../../repository/checkout/startNotes.ts';
import { createGit, refuseOwnBranchesTaken } from '../../repository/git/git.ts';
import { commonDirectory } from '../../repository/git/repositoryFiles.ts';
import type { SettingsOfRepositories } from '../../settings/repositorySettings.ts';
import { type Definitions, type LookAgain, personasFor } from '../../store/definitions.ts';
import { systemClock } from '../../system/clock.ts';
import { checkInputs, commandsGiven } from './checkInputs.ts';
import { objectiveWarnings } from './checkObjective.ts';
import { broughtBy, draftTemplate, withDraftPersonas } from './drafts.ts';
import { findReentry, type Reentry } from './reentry.ts';
import { checkStartHere } from './startHere.ts';
import type { StartRequest } from './startRequest.ts';
import { noTemplate, templateOf, withSettings } from './startSettings.ts';

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
  /** The request, with what the settings add to it. */
  request: StartRequest;
  brought: Brought | undefined;
  /** Tried on this machine; absent: none. */
  sandbox: Sandbox | undefined;
  /** Where the run begins; absent: at its first phase. */
  reentry?: Reentry;
  notes: StartNotes;
  /** The reason why a start is refused, though a preview shows what it would be. */
  refusal?: DevflowError;
}

type Start = Pick<Prepared, 'baseBranch' | 'baseCommit' | 'reviewHead'>;
type Found = Pick<Awaited<ReturnType<Definitions['getTemplate']>>, 'id' | 'hash' | 'template'>;

export interface PrepareParts {
  config: Config;
  definitions: Definitions;
  registry: Registry;
  settings: Pick<SettingsOfRepositories, 'settle'>;
  lookAgain: LookAgain;
  /** Starts an empty sandbox. Throws sandbox_unavailable. */
  trySandbox(wish: SandboxWish): Promise<Sandbox>;
  /** Files that the person may think are in force, and are not: a warning each. */
  ignoredFiles(template: Template, ref: string, bindings: readonly Binding[]): string[];
}

function noRequirements(): DevflowError {
  return new DevflowError('requirements_missing', 'The requirements are empty.');
}

/** Reads what a run would be. Writes nothing; throws the errors that a start throws. */
export function createPrepare({
  config,
  definitions,
  registry,
  settings,
  lookAgain,
  trySandbox,
  ignoredFiles,
}: PrepareParts): (request: StartRequest) => Promise<Prepared> {
  const git = createGit();

  async function prepare(asked: StartRequest): Promise<Prepared> {
    const isEmpty = asked.requirements.trim() === '';
    if (isEmpty && asked.template === undefined) throw noRequirements();
    const brought = broughtBy(asked, registry);
    const known = brought ? extendRegistry(registry, brought.schemas) : registry;
    const named = await templateNamed(asked, known);
    // An agent that a person leads waits for their first message.
    if (isEmpty && !(named && isLedTemplate(named.template))) throw noRequirements();
    const given = named ? { ...asked, extra: withChecks(asked.extra, named.template) } : asked;
    const repositoryFacts = await git.inspectRepository(given.repo);
    const { repoPath } = repositoryFacts;
    // A review makes no branch, and neither does a run in the checkout.
    if (given.change === undefined && !given.here) refuseOwnBranchesTaken(repositoryFacts);
    if (named) checkInputs(named.template, given, registry);
    const { base, found, ref, request, notes: more, settings: used, refusal } = await withBase(given, named, repoPath);
    const { id, hash, template } = found;
    if (request !== given || !named) checkInputs(template, request, registry);
    await checkStartHere(template, given, repoPath);
    const overrides = withDraftPersonas(request.overrides, request.draftPersonas);
    const repository = await commonDirectory(repoPath);
    const bindings = await lookAgain(() => bind(found, overrides, brought));
    const sandbox = request.sandbox ? await trySandbox(request.sandbox) : undefined;
    const { change, here } = request;
    const read = await readStartNotes({ repoPath, commit: base.reviewHead ?? base.baseCommit, change, here });
    const ignored = request.draft === undefined ? ignoredFiles(template, ref, bindings) : [];
    const other = [
      ...ignored,
      ...uselessCommands(template, request),
      ...objectiveWarnings(template, request.objective),
      ...(sandbox?.open ? [`The sandbox leaves open: ${sandbox.open.join(', ')}.`] : []),
    ];
    const notes = { ...read, warnings: [...read.warnings, ...more, ...other], ...(used && { settings: used }) };
    const reentry = findReentry(template, repoPath, systemClock.now().getTime());
    const start = { templateId: id, templateHash: hash, template, repoPath, repository, ...base, bindings, notes };
    const rest = { overrides, request, brought: brought ?? undefined, sandbox, reentry };
    return { ...start, ...rest, ...defined({ refusal }) };
  }

  /** Undefined if the settings name it. */
  async function templateNamed({ draft, template }: StartRequest, known: Registry): Promise<Found | undefined> {
    if (draft !== undefined) return draftTemplate(draft, known);
    return template === undefined ? undefined : definitions.getTemplate(template);
  }

  /** Where the run begins, and the request with what the settings of that commit add. */
  async function withBase(given: StartRequest, named: Found | undefined, repoPath: string) {
    const isCheckedOut = given.change || given.here || given.settings === false;
    const first = isCheckedOut ? await resolveStart(repoPath, given) : undefined;
    if (given.settings === false) {
      const ref = given.template;
      if (!named || ref === undefined) throw noTemplate();
      return {
        base: first as Start,
        found: named,
        ref,
        request: given,
        notes: [],
        settings: undefined,
        refusal: undefined,
      };
    }
    const asked = { repo: repoPath, base: given.base, commit: first?.baseCommit };
    const settled = await settings.settle(defined(asked), { allowAll: given.allowSetup ?? false });
    const { baseBranch, baseCommit } = settled.resolved;
    const base =
      first ??
      (baseBranch === null ? await resolveStart(repoPath, given) : { baseBranch, baseCommit, reviewHead: undefined });
    const ref = given.template ?? settled.resolved.merged.settings.template;
    if (ref === undefined) throw noTemplate();
    const found = named ?? (await templateOf(ref, settled.resolved.merged, definitions));
    const { request, settings: used, warnings, refusal } = withSettings(given, settled, found.template);
    return { base, found, ref, request, notes: warnings, settings: used, refusal };
  }

  async function resolveStart(repoPath: string, { base, change }: StartRequest): Promise<Start> {
    if (change) {
      const { head: reviewHead, ...start } = await resolveChange(repoPath, change);
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

  return prepare;
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
