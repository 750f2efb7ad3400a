import type { EffectOf } from '../core/run/effect.ts';
import type { PerformerPorts } from './performer.ts';

export type StepEffect = EffectOf<'performStep'>;

/** What a step found out, as the data of its artifact, or why a person must help. */
export type StepResult = { ok: true; data: unknown } | { ok: false; reason: string };

/** Does a step. Done twice, it leaves what it leaves when done once. */
export type DoStep = (effect: StepEffect, ports: PerformerPorts, signal: AbortSignal) => Promise<StepResult>;
