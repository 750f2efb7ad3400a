import { joinTemplates } from '../../../schemas/definitions/joinTemplates.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import type { Run } from '../run/state.ts';
import { newPhase } from './newPhase.ts';

/** The phases of another template follow. What the run froze at its start stays in its first event. */
export function evolveContinued(run: Run, { payload }: Extract<RunEvent, { type: 'run.continued' }>): Run {
  const { template: next, phases, bindings, extra, clientToken, requirementsMd } = payload;
  const before = `${run.template.name}@${run.template.version}`;
  const template = joinTemplates(run.template, next);
  // Phases that wait for their beginning would ask about work that goes on.
  const left = run.phases.filter(({ state }) => state === 'pending').map(({ key }) => key);
  const reason = `${next.name}@${next.version} follows`;
  return {
    ...run,
    template,
    templateId: payload.templateId,
    templateHash: payload.templateHash,
    continued: { before, clientToken },
    phases: [...run.phases, ...phases.map((facts) => newPhase(facts, template))],
    bindings: [...run.bindings, ...bindings],
    extra: extra ? { ...run.extra, ...extra } : run.extra,
    requirementsMd: requirementsMd ?? run.requirementsMd,
    skips: [...run.skips, ...left.map((phase) => ({ phase, reason, evidence: 'a person' }))],
  };
}
