import type { ProbePlan } from '../../../../schemas/kinds/step/probePlan.ts';
import type { EffectOf } from '../../../core/effect/effect.ts';
import type { PerformerPorts } from '../../../engine/performers/performer.ts';

export type StepEffect = EffectOf<'performStep'>;

/** The data of its artifact, why a person must help, or what a person must decide first. */
export type StepResult = { ok: true; data: unknown } | { ok: false; reason: string } | { ok: false; ask: ProbePlan };

/** Does a step. Done twice, it leaves what it leaves when done once. */
export type DoStep = (effect: StepEffect, ports: PerformerPorts, signal: AbortSignal) => Promise<StepResult>;
