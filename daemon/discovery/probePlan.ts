import { hash } from '../../schemas/hash.ts';
import type { PlannedProbe, ProbePlan } from '../../schemas/kinds/step/probePlan.ts';
import type { Confinement } from './confine.ts';
import { type Probing, whyNot } from './probe.ts';
import type { RankedFact } from './rankFacts.ts';

const MOST_BODIES = 20;
const MOST_CHARACTERS = 1000;
/** The limit of all bodies together. */
const MOST_SHOWN = 100_000;

/** The commands that would run, and what with them. */
export function planOf(facts: readonly RankedFact[], probing: Probing): ProbePlan {
  const { judged, confinement } = probing;
  const limits = limitsOf(confinement);
  const probes = facts
    .filter((fact) => whyNot(fact, probing) === undefined)
    .map(({ id, argv, cwd, from: { path, line } }): PlannedProbe => {
      const { bodies = [], unread = [] } = judged.get(id) ?? {};
      return { argv, cwd, from: { path, line }, bodies, unread };
    });
  let left = MOST_SHOWN;
  const cut = (text: string) => {
    const shown = text.slice(0, Math.min(MOST_CHARACTERS, left)).toWellFormed();
    left -= shown.length;
    return shown.length < text.length ? `${shown}…` : shown;
  };
  const shown = probes.map(({ bodies, unread, ...probe }) => ({
    ...probe,
    bodies: bodies.slice(0, MOST_BODIES).map((body) => ({ ...body, text: cut(body.text) })),
    unread: bodies.length > MOST_BODIES ? [...unread, `${bodies.length - MOST_BODIES} more texts`] : unread,
  }));
  return { plan: hash({ probes, limits }), probes: shown, limits };
}

function limitsOf({ hasNamespaces, protectsHome }: Confinement): string[] {
  return [
    hasNamespaces ? 'no network' : 'with network: this system cannot take it away',
    'a home directory of their own',
    protectsHome
      ? 'your home and the repository are read-only'
      : 'they may write to your home and to the repository: this system cannot prevent it',
    hasNamespaces
      ? 'no socket that is open when they start (tmux, ssh-agent, Docker, D-Bus)'
      : 'they can reach the sockets of this machine (tmux, ssh-agent, Docker, D-Bus)',
  ];
}
