import { evolve, stamp } from '../../../../daemon/core/evolve/evolve.ts';
import { NEWEST_BEHAVIOUR } from '../../../../daemon/core/run/behaviour.ts';
import { phaseId } from '../../../../daemon/core/run/keys.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { MEASURED } from '../../../../schemas/definitions/exchange.ts';
import type { Binding } from '../../../../schemas/definitions/persona.ts';
import { type Template, templateHash } from '../../../../schemas/definitions/template.ts';
import type { EventPayload, RunEvent } from '../../../../schemas/events/index.ts';
import type { Behaviour } from '../../../../schemas/events/run.ts';
import type { AutoGate } from '../../../../schemas/gates/autoGates.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import type { WorktreeSetup } from '../../../../schemas/repository/worktreeSetup.ts';
import type { Sandbox } from '../../../../schemas/sandbox.ts';
import { TEMPLATES, type TemplateName } from './templates.ts';

/** What a test may choose about its run. The rest is the same in every test. */
export interface Shape {
  /** Default: the same in every test. */
  runId?: string;
  /** Default: the newest. */
  behaviour?: Behaviour;
  template?: TemplateName | Template;
  approvalTimeoutMs?: number;
  idleTimeoutMs?: number;
  extra?: Record<string, unknown>;
  requirementsMd?: string;
  title?: string;
  objective?: unknown;
  setup?: WorktreeSetup | undefined;
  sandbox?: Sandbox;
  wrap?: string[];
  autoGates?: AutoGate[];
  /** Where its files really are. Default: nowhere. */
  where?: { repoPath: string; baseCommit: string; workspaceRoot: string };
  commandTimeoutMs?: number;
}

export const RUN_ID = derivedId('run of the tests');
const START = Date.parse('2026-01-01T00:00:00.000Z');

/** What a run that is measured needs. */
const TO_MEASURE = {
  targets: [{ metric: 'sharpe', op: 'gte', value: 2 }],
  guards: [],
  measure: { argv: ['npm', 'run', 'backtest'] },
  repeat: { baseline: 1, confirm: 1 },
  stop: { maxIterations: 2 },
};

const seconds: string[] = [];

/** The n-th second of test time. Cached, because formatting a date takes a good part of a step's time. */
export function second(n: number): string {
  seconds[n] ??= new Date(START + n * 1000).toISOString();
  return seconds[n];
}

export function createdPayload(shape: Shape = {}): EventPayload<'run.created'> {
  const wanted = shape.template ?? 'development';
  const runId = shape.runId ?? RUN_ID;
  const template = typeof wanted === 'string' ? TEMPLATES[wanted] : wanted;
  return {
    behaviour: shape.behaviour ?? NEWEST_BEHAVIOUR,
    templateId: derivedId('template', template.name),
    templateHash: templateHash(template),
    template,
    repoPath: shape.where?.repoPath ?? '/repo',
    baseBranch: 'main',
    baseCommit: shape.where?.baseCommit ?? 'base0000',
    worktreeRoot: `${shape.where?.workspaceRoot ?? '/ws'}/${runId}/main`,
    ...(shape.where ? { workspaceRoot: shape.where.workspaceRoot } : {}),
    requirementsMd: shape.requirementsMd ?? 'Make it so.',
    ...(shape.title === undefined ? {} : { title: shape.title }),
    objective: shape.objective ?? (template.iterate?.until === MEASURED ? TO_MEASURE : null),
    extra: shape.extra ?? null,
    overrides: {},
    ...(shape.setup ? { setup: shape.setup } : {}),
    ...(shape.sandbox ? { sandbox: shape.sandbox } : {}),
    ...(shape.wrap ? { wrap: shape.wrap } : {}),
    ...(shape.autoGates ? { autoGates: shape.autoGates } : {}),
    phases: template.phases.map(({ key }, seq) => ({ id: phaseId(runId, key), key, seq })),
    options: {
      artifactTimeoutMs: 60_000,
      ...(shape.idleTimeoutMs === undefined ? {} : { idleTimeoutMs: shape.idleTimeoutMs }),
      approvalTimeoutMs: shape.approvalTimeoutMs ?? null,
      commandTimeoutMs: shape.commandTimeoutMs ?? 30_000,
    },
  };
}

/** A run that was just requested, with its one event. */
export function newRun(shape: Shape = {}): { run: Run; events: RunEvent[] } {
  const created = { type: 'run.created' as const, phaseId: null, payload: createdPayload(shape) };
  const event = stamp(shape.runId ?? RUN_ID, 0, created, second(0));
  return { run: evolve(undefined, event), events: [event] };
}

/** Every role instance of the template bound to the fake backend. */
export function bindingsFor(template: Template): Binding[] {
  return template.roles.flatMap(({ id, count }) =>
    Array.from({ length: count }, (_, index): Binding => {
      const roleId = count > 1 ? `${id}#${index}` : id;
      return {
        roleId,
        role: id,
        personaId: derivedId('persona', id),
        personaName: `${id}-fake`,
        personaVersion: 1,
        personaHash: `persona-${id}`,
        backend: 'fake',
        bindingHash: `binding-${roleId}`,
        override: null,
        promptConfig: {},
        modelConfig: {},
        reason: 'the only one',
      };
    }),
  );
}
