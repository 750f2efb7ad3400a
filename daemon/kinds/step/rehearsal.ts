import type { KindRules } from '../../core/phases/kindRules.ts';
import { said } from '../../core/phases/said.ts';
import { probesDecided } from './probeGate.ts';

export const stepRehearsal: KindRules<'step'>['rehearsal'] = {
  possible: {
    performStep: ({ phaseId, attempt, step, path, storedPath, schema, probes }) => {
      const done = { type: 'stepPerformed' as const, phaseId, attempt };
      const ask = { plan: 'the commands', probes: [], limits: [] };
      const asks = {
        outcome: { ...done, result: { ok: false as const, ask } },
        words: `the ${step} step asks about commands`,
      };
      return [
        {
          outcome: { ...done, result: { ok: true, path, storedPath, schema, hash: path } },
          words: `the ${step} step succeeds`,
        },
        { outcome: { ...done, result: { ok: false, reason: 'it cannot be done' } }, words: `the ${step} step fails` },
        ...(step === 'discover' && !probes ? [asks] : []),
      ];
    },
  },
  atWork: (run, phase) => [...phase.assignments.map(said), String(probesDecided(run, phase)?.run)],
  ended: ({ assignments }) => assignments.map(said),
};
