import { MEASURED } from '../../../schemas/definitions/exchange.ts';
import { gatesOf, type Template } from '../../../schemas/definitions/template.ts';
import { objectiveLines } from '../../../schemas/objective/objectiveLines.ts';
import type { ObjectiveDocument } from '../../../schemas/objective/readObjective.ts';
import type { DryRun } from '../../../schemas/rpc/methods/runStart.ts';
import { commandsGiven } from '../../engine/local/checkInputs.ts';
import type { Prepared } from '../../engine/local/prepareStart.ts';
import { bindingView } from './runDetail.ts';

/** A prepared run as it would start, for people. */
export function dryRunOf(prepared: Prepared): DryRun {
  const { extra, objective } = prepared.request;
  const { template, templateHash, repoPath, baseBranch, baseCommit, reviewHead, bindings, notes } = prepared;
  return {
    dryRun: true,
    ...notes,
    template: `${template.name}@${template.version}`,
    templateHash,
    repoPath,
    baseBranch,
    baseCommit,
    reviewHead: reviewHead ?? null,
    bindings: bindings.map(bindingView),
    phases: phasesOfTemplate(template, extra, objective).map((phase) => ({ ...phase, ...skipIn(prepared, phase.key) })),
    ...(template.iterate?.until === MEASURED ? { objective: objectiveLines(objective as ObjectiveDocument) } : {}),
  };
}

/** The phases of a template, with the commands that devflow would run. */
export function phasesOfTemplate(
  template: Template,
  extra?: Record<string, unknown>,
  objective?: unknown,
): DryRun['phases'] {
  return template.phases.map((phase) => ({
    key: phase.key,
    title: phase.title,
    kind: phase.kind,
    roles: phase.roles,
    artifact: phase.expectedArtifact?.schema ?? null,
    gates: gatesOf(template, phase),
    commands: commandsGiven(phase, extra, objective),
  }));
}

/** The reason why the phase would be skipped; nothing if it would run. */
function skipIn({ reentry }: Prepared, key: string): { skipped?: string } {
  const skip = reentry?.skips.find(({ phase }) => phase === key);
  return skip ? { skipped: `${skip.reason} (${skip.evidence})` } : {};
}
