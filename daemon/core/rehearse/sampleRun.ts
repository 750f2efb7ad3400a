import { MEASURED } from '../../../schemas/definitions/exchange.ts';
import type { Binding } from '../../../schemas/definitions/persona.ts';
import { roleInstances, type Template, templateHash } from '../../../schemas/definitions/template.ts';
import type { RunCreated } from '../../../schemas/events/run.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { evolve, stamp } from '../evolve/evolve.ts';
import { NEWEST_BEHAVIOUR } from '../run/behaviour.ts';
import { phaseId } from '../run/keys.ts';
import type { Run } from '../run/state.ts';

/** The time of every event. No decision depends on how long something took, because no effect reports a time. */
export const NOW = '2026-01-01T00:00:00.000Z';

const RUN_ID = derivedId('rehearsal');

/** A small objective, for a template that is judged by measurements. Its limits end the loop after two iterations. */
const OBJECTIVE = {
  targets: [{ metric: 'score', op: 'gte', value: 2 }],
  guards: [],
  measure: { argv: ['measure'] },
  repeat: { baseline: 1, confirm: 1 },
  stop: { maxIterations: 2 },
};

/** A run of the template that was just requested. `more` replaces facts of its start. */
export function sampleRun(template: Template, more: Partial<RunCreated> = {}): Run {
  const payload = {
    behaviour: NEWEST_BEHAVIOUR,
    templateId: derivedId('template', template.name),
    templateHash: templateHash(template),
    template,
    repoPath: '/repository',
    baseBranch: 'main',
    baseCommit: 'base',
    worktreeRoot: `/runs/${RUN_ID}/main`,
    requirementsMd: 'A rehearsal.',
    objective: template.iterate?.until === MEASURED ? OBJECTIVE : null,
    extra: null,
    overrides: {},
    phases: template.phases.map(({ key }, seq) => ({ id: phaseId(RUN_ID, key), key, seq })),
    options: { artifactTimeoutMs: 60_000, approvalTimeoutMs: null, commandTimeoutMs: 60_000 },
    ...more,
  };
  return evolve(undefined, stamp(RUN_ID, 0, { type: 'run.created', phaseId: null, payload }, NOW));
}

/** Every role instance with an agent of its own. */
export function sampleBindings(template: Template): Binding[] {
  return template.roles.flatMap((role) =>
    roleInstances(role).map(
      (roleId): Binding => ({
        roleId,
        role: role.id,
        personaId: derivedId('persona', role.id),
        personaName: role.id,
        personaVersion: 1,
        personaHash: role.id,
        backend: 'fake',
        bindingHash: roleId,
        override: null,
        promptConfig: {},
        modelConfig: {},
        reason: 'a rehearsal',
      }),
    ),
  );
}
