import { join } from 'node:path';
import type { Config } from '../../../schemas/config/config.ts';
import { MEASURED } from '../../../schemas/definitions/exchange.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import type { Measure } from '../../../schemas/objective/objective.ts';
import { faultsOfObjective } from '../../../schemas/objective/objectiveFaults.ts';
import { objectiveLines } from '../../../schemas/objective/objectiveLines.ts';
import { type ObjectiveDocument, readObjective, unitsOf } from '../../../schemas/objective/readObjective.ts';
import type { ParsedParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { evaluate } from '../../core/objective/evaluate.ts';
import { judgedPart } from '../../core/objective/measuring.ts';
import { summarise } from '../../core/objective/values.ts';
import { faultsOfBase } from '../../core/objective/verdictOf.ts';
import { removeLeftovers } from '../../discovery/removeLeftovers.ts';
import { checkInputs, commandsGiven } from '../../engine/local/checkInputs.ts';
import { measureOnce } from '../../measure/objective/measureOnce.ts';
import { createGit } from '../../repository/git/git.ts';
import type { Handler } from '../../rpc/handlers.ts';
import type { Definitions } from '../../store/definitions.ts';
import { whileConnected } from './whileConnected.ts';

export interface TryParts {
  definitions: Pick<Definitions, 'getTemplate'>;
  registry: Pick<Registry, 'validateArtifact'>;
  config: Pick<Config, 'workspaceRoot' | 'recovery'>;
}

type Tried = RpcResult<'backtest.try'>;

export interface Tries {
  /** Ends at once, with its command and its checkout, when the caller is gone. */
  tryObjective: Handler<'backtest.try'>;
  /** Ends what is measured now, and begins nothing more. */
  close(): Promise<void>;
}

/** Measures once, as a run would begin. One at a time: another one could remove its checkout. */
export function createTries({ definitions, registry, config }: TryParts): Tries {
  const scratchDir = join(config.workspaceRoot, 'tries');
  const stopping = new AbortController();
  // Remove first what a killed daemon was measuring.
  let turn: Promise<unknown> = removeLeftovers(scratchDir).catch(() => {});

  async function measure(params: ParsedParams<'backtest.try'>, signal: AbortSignal): Promise<Tried> {
    const { repo, objective: given, template: ref, base, extra } = params;
    signal.throwIfAborted();
    const { template } = await definitions.getTemplate(ref);
    if (template.iterate?.until !== MEASURED) throw notMeasured(template);
    checkInputs(template, { objective: given, extra }, registry);
    const git = createGit();
    const { repoPath } = await git.inspectRepository(repo);
    const { commit } = await git.resolveBranch(repoPath, base);
    const document = given as ObjectiveDocument;
    const objective = readObjective(document);
    const { timeoutMs, ...command } = objective.measure ?? commandIn(template, extra);
    const part = judgedPart(objective) === 'validation' ? 'validation' : 'all';
    await removeLeftovers(scratchDir);
    const measured = await measureOnce(
      {
        repoPath,
        commit,
        scratchDir,
        measure: { ...command, timeoutMs: timeoutMs ?? config.recovery.commandTimeoutMs },
        part,
        range: objective.splits.validation ?? null,
        units: unitsOf(objective, true),
      },
      signal,
    );
    const summary = summarise([measured.measurement]);
    return {
      commit,
      argv: command.argv,
      part,
      objective: objectiveLines(document),
      ...measured,
      targets: evaluate(objective.targets, summary),
      guards: evaluate(objective.guards, summary),
      faults: faultsOfBase(objective, summary),
      warnings: faultsOfObjective(document).warnings,
    };
  }

  return {
    tryObjective: (params, { peer }) =>
      whileConnected(peer, (gone) => {
        const signal = AbortSignal.any([gone, stopping.signal]);
        const mine = turn.then(() => measure(params, signal));
        turn = mine.catch(() => {});
        return mine;
      }),
    async close() {
      // A shutdown would make the next daemon adopt the command.
      stopping.abort(new DevflowError('command_failed', 'The daemon stops, so devflow measured nothing.'));
      await turn;
    },
  };
}

/** The command for an objective that names none; `checkInputs` has refused more than one. */
function commandIn({ phases, iterate }: Template, extra: Record<string, unknown> | undefined): Measure {
  const phase = phases.find(
    ({ key, kind }) => KIND_DEFINITIONS[kind].commands === 'measures' && iterate?.phases.includes(key),
  );
  const [argv = []] = phase ? commandsGiven(phase, extra) : [];
  return { argv, timeoutMs: null, parser: 'metrics', file: null, names: {} };
}

function notMeasured({ name, version }: Template): DevflowError {
  return new DevflowError('usage', `Template ${name}@${version} is not judged by measurements.`, {
    recoveryHint: 'Name one that is with --template, or leave it out for backtest-strategy.',
  });
}
