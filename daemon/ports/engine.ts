import { gatesOf } from '../../schemas/definitions/template.ts';
import { commandsGiven } from '../engine/local/checkInputs.ts';
import type { LocalEngine } from '../engine/local/engine.ts';
import type { LastBackends } from '../engine/local/lastBackends.ts';
import type { Starter } from '../engine/local/startRun.ts';
import type { EnginePort } from '../rpc/ports.ts';
import { bindingView } from '../views/run.ts';

/** The engine, as the RPC handlers see it. */
export function createEnginePort(engine: LocalEngine, starter: Starter, lastBackends: LastBackends): EnginePort {
  return {
    startRun: starter.startRun,
    lastBackends,
    async previewRun(request) {
      const { template, templateHash, repoPath, baseBranch, baseCommit, bindings, notes } =
        await starter.preview(request);
      return {
        dryRun: true,
        ...notes,
        template: `${template.name}@${template.version}`,
        templateHash,
        repoPath,
        baseBranch,
        baseCommit,
        bindings: bindings.map(bindingView),
        phases: template.phases.map((phase) => ({
          key: phase.key,
          title: phase.title,
          kind: phase.kind,
          roles: phase.roles,
          artifact: phase.expectedArtifact?.schema ?? null,
          gates: gatesOf(template, phase),
          commands: commandsGiven(phase, request.extra),
        })),
      };
    },
    signalApproval: engine.signalApproval,
    pauseRun: engine.pauseRun,
    resumeRun: engine.resumeRun,
    abortRun: engine.abortRun,
  };
}
