import { defined } from '../../schemas/defined.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import type { AgentRights } from '../../schemas/repository/agentSettings.ts';
import type { ConsentDecision, ConsentPart, ConsentView } from '../../schemas/repository/consent.ts';
import { leavesOf, type MergedSettings } from '../../schemas/repository/mergeSettings.ts';
import type { RepositorySettings } from '../../schemas/repository/settings.ts';
import type { WorktreeSetup } from '../../schemas/repository/worktreeSetup.ts';
import type { RepositoryView, StartSettings } from '../../schemas/rpc/views/repository.ts';
import type { Clock } from '../system/clock.ts';
import { allowedSettings } from './consent/consentParts.ts';
import { type Consents, createConsents } from './consent/consents.ts';
import { type ResolvedSettings, resolveSettings, type SettingsPorts, type SettingsRequest } from './resolveSettings.ts';
import { worktreeSetupOf } from './worktreeSetupOf.ts';

/** The settings that hold for a run, with what the person allowed. */
export interface SettledSettings {
  resolved: ResolvedSettings;
  consents: ConsentView[];
  /** Without the parts that are not allowed. */
  allowed: RepositorySettings;
  setup: WorktreeSetup | undefined;
  /** The rights of agents; undefined: none, or not allowed. */
  agentRights: AgentRights | undefined;
}

export interface SettingsOfRepositories {
  /** With `allowAll`, what nobody decided about counts as allowed, for this call alone. */
  settle(request: SettingsRequest, options?: { allowAll?: boolean }): Promise<SettledSettings>;
  /** The settings of the files, whoever wrote them, without guesses. Runs nothing of it. */
  choices(request: SettingsRequest): Promise<MergedSettings>;
  /**
   * Records a decision, with `part` about that alone. With `hashes`, only about exactly that; throws `settings_changed` if that is
   * not there any more.
   */
  decide(
    request: SettingsRequest & { hashes?: string[]; part?: ConsentPart },
    decision: ConsentDecision,
  ): Promise<SettledSettings>;
}

export function createRepositorySettings({
  clock,
  ...ports
}: Omit<SettingsPorts, 'paths'> & {
  paths: SettingsPorts['paths'] & Pick<Paths, 'stateDir'>;
  clock: Clock;
}): SettingsOfRepositories {
  const store = createConsents(ports.paths.stateDir);
  return {
    async settle(request, { allowAll = false } = {}) {
      return settled(await resolveSettings(request, ports), store, allowAll);
    },
    async choices(request) {
      return (await resolveSettings({ ...request, guesses: false }, ports)).merged;
    },
    async decide({ hashes, part: only, ...request }, decision) {
      const resolved = await resolveSettings(request, ports);
      const { subjects, repository } = resolved;
      const gone = hashes?.find((hash) => !subjects.some((each) => each.hash === hash));
      if (gone !== undefined) throw settingsChanged(resolved, gone);
      const isMeant = ({ hash, part }: Pick<ConsentView, 'hash' | 'part'>) =>
        (hashes === undefined || hashes.includes(hash)) && (only === undefined || part === only);
      const about = subjects.filter(isMeant);
      const at = clock.now().toISOString();
      store.write(about.map(({ part, hash, lines }) => ({ repository, part, hash, decision, at, lines })));
      return settled(resolved, store, false);
    },
  };
}

export function settingsChanged({ repoPath }: Pick<ResolvedSettings, 'repoPath'>, hash: string): DevflowError {
  return new DevflowError('settings_changed', `The settings of ${repoPath} changed since you read them.`, {
    data: { hash },
  });
}

function settled(resolved: ResolvedSettings, store: Consents, allowAll: boolean): SettledSettings {
  const { repository, subjects, merged, include, clones } = resolved;
  const consents = subjects.map((subject): ConsentView => {
    const decision = store.read({ repository, part: subject.part, hash: subject.hash });
    return { ...subject, state: decision ?? (allowAll ? 'allowed' : 'unknown') };
  });
  const isAllowed = (part: ConsentPart) => consents.every((each) => each.part !== part || each.state === 'allowed');
  const allowed = allowedSettings(merged, isAllowed);
  const isGuess = allowed.worktree?.setup !== undefined && merged.origins.get('worktree.setup')?.from === 'guess';
  const setup = worktreeSetupOf({
    worktree: allowed.worktree,
    include: isAllowed('worktree') ? include : [],
    clones,
    isGuess,
  });
  const hasRights = consents.some(({ part, state }) => part === 'agents' && state === 'allowed');
  return { resolved, consents, allowed, setup, agentRights: hasRights ? resolved.rights?.rights : undefined };
}

/** The settings as clients see them. */
export function startSettingsOf({ resolved, consents, setup }: SettledSettings): StartSettings {
  const { settings, origins } = resolved.merged;
  const rows = leavesOf(settings).map(({ path, value }) => {
    const key = path.join('.');
    const { from = '', line, why } = origins.get(key) ?? {};
    return { key, value, from, ...defined({ line, why }) };
  });
  return { rows, consents, setup: setup ?? null };
}

export function repositoryViewOf(settings: SettledSettings): RepositoryView {
  const { repoPath, name, baseBranch, baseCommit, hasFile, person } = settings.resolved;
  return { repoPath, name, baseBranch, baseCommit, hasFile, person, ...startSettingsOf(settings) };
}
