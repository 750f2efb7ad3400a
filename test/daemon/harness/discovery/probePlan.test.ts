import { expect, test } from 'vitest';
import { UNCONFINED } from '../../../../daemon/harness/discovery/confine.ts';
import type { Probing } from '../../../../daemon/harness/discovery/probe.ts';
import { planOf } from '../../../../daemon/harness/discovery/probePlan.ts';

test.each([UNCONFINED, { ...UNCONFINED, hasNamespaces: true, protectsHome: true }])(
  'says in any case that probes can reach sockets',
  (confinement) => {
    const { limits } = planOf([], { judged: new Map(), confinement } as unknown as Probing);
    expect(limits).toContain('they can reach the sockets of this machine (tmux, ssh-agent, Docker, D-Bus)');
  },
);
