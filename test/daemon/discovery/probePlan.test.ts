import { expect, test } from 'vitest';
import { UNCONFINED } from '../../../daemon/discovery/confine.ts';
import type { Probing } from '../../../daemon/discovery/probe.ts';
import { planOf } from '../../../daemon/discovery/probePlan.ts';

test.each([
  [false, 'they can reach the sockets of this machine (tmux, ssh-agent, Docker, D-Bus)'],
  [true, 'no socket that is open when they start (tmux, ssh-agent, Docker, D-Bus)'],
])('says what probes can reach: namespaces %s', (hasNamespaces, said) => {
  const confinement = { ...UNCONFINED, hasNamespaces };
  const { limits } = planOf([], { judged: new Map(), confinement } as unknown as Probing);
  expect(limits).toContain(said);
});
