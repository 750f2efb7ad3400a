import { join } from 'node:path';
import type { Config } from '../../../schemas/config/config.ts';
import { defined } from '../../../schemas/defined.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { SETTINGS_FILE } from '../../../schemas/names.ts';
import type { TriedSetup } from '../../../schemas/rpc/views/repository.ts';
import { type Sandbox, type SandboxWish, sandboxWish } from '../../../schemas/sandbox.ts';
import { withinSandbox } from '../../engine/performers/withinSandbox.ts';
import { NO_BRANCH } from '../../repository/worktree/detachedWorktree.ts';
import type { Handler } from '../../rpc/handlers.ts';
import { trySetup } from '../../settings/init/trySetup.ts';
import { proposalFor, writeProposal } from '../../settings/init/writeProposal.ts';
import {
  type SettingsOfRepositories,
  type SettledSettings,
  settingsChanged,
} from '../../settings/repositorySettings.ts';
import { whileConnected } from '../backtest/whileConnected.ts';

export interface SetupTries {
  /** Ends at once, with its command and its worktree, when the caller is gone. */
  initRepository: Handler<'repository.init'>;
  /** Ends what is tried now, and begins nothing more. */
  close(): Promise<void>;
}

/** One try at a time: another one could remove its worktree. */
export function createSetupTries({
  settings,
  config,
  trySandbox,
  now,
}: {
  settings: SettingsOfRepositories;
  config: Pick<Config, 'git' | 'recovery' | 'workspaceRoot'>;
  /** Throws sandbox_unavailable. */
  trySandbox(wish: SandboxWish): Promise<Sandbox>;
  now(): Date;
}): SetupTries {
  const stopping = new AbortController();
  let turn: Promise<unknown> = Promise.resolve();

  async function tryOnce({ resolved, setup, allowed }: SettledSettings, signal: AbortSignal): Promise<TriedSetup> {
    const { repoPath, repository, baseCommit: commit } = resolved;
    const wish = sandboxWish(allowed.sandbox);
    // As in a run: with `agents`, commands have none.
    const sandbox = wish?.level === 'all' ? await trySandbox(wish) : undefined;
    const { commandTimeoutMs: timeoutMs } = config.recovery;
    const mine = turn.then(() =>
      trySetup({
        repoPath,
        repository,
        commit,
        setup,
        timeoutMs,
        signal,
        verify: allowed.verify ?? [],
        scratchDir: join(config.workspaceRoot, 'setup-tries'),
        filters: config.git.filters,
        ...defined({ confine: sandbox && confinedBy(sandbox, { repoPath, commit }) }),
        now,
      }),
    );
    turn = mine.catch(() => {});
    return mine;
  }

  return {
    initRepository: ({ host: _, write, try: isTried, hashes, ...request }, { peer }) =>
      whileConnected(peer, async (gone) => {
        // The call itself is the person's word for it.
        const settled = await settings.settle(request, { allowAll: true });
        if (hashes) refuseOthers(settled, hashes);
        const text = proposalFor(settled.resolved);
        const path = write
          ? writeProposal(settled.resolved.repoPath, text)
          : join(settled.resolved.repoPath, SETTINGS_FILE);
        const signal = AbortSignal.any([gone, stopping.signal]);
        return { path, text, written: write, tried: isTried ? await tryOnce(settled, signal) : null };
      }),
    async close() {
      stopping.abort(new DevflowError('command_failed', 'The daemon stops, so devflow tried nothing.'));
      await turn;
    },
  };
}

function confinedBy(sandbox: Sandbox, { repoPath, commit: head }: { repoPath: string; commit: string }) {
  return ({ worktree: path, dir, linked }: { worktree: string; dir: string; linked: readonly string[] }) => {
    const place = { repoPath, path, branch: NO_BRANCH, head };
    const seen = { ...sandbox, read: [...(sandbox.read ?? []), ...linked] };
    return withinSandbox({ sandbox: seen, place, dir }).within ?? [];
  };
}

/** Only what the person read is tried. A try has no template. */
function refuseOthers({ resolved, consents }: SettledSettings, hashes: readonly string[]): void {
  const unread = consents.find(({ part, hash }) => part !== 'template' && !hashes.includes(hash));
  if (unread) throw settingsChanged(resolved, unread.hash);
}
