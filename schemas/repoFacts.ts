/** The purpose of a repository's command. The order is the one of lists. */
export const FACT_KINDS = [
  'package-manager',
  'install',
  'format',
  'lint',
  'typecheck',
  'build',
  'test',
  'bench',
  'backtest',
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

export const FACT_SOURCES = ['ci', 'manifest', 'doc'] as const;
export type FactSource = (typeof FACT_SOURCES)[number];

/** The trust in a fact; the lowest number is the best. `hollow`: the command only prints a text. */
export const RANKS = { ci: 1, locked: 2, manifest: 3, doc: 4, hollow: 5 } as const;

/** The result of a command at the base commit. */
export const PROBE_CLASSES = [
  'green',
  'red_at_base',
  'missing_tool',
  'needs_network',
  'timed_out',
  'refused',
  'cannot_fail',
  'not_run',
] as const;
export type ProbeClass = (typeof PROBE_CLASSES)[number];

export interface Probe {
  /** Null if the command did not run, or a signal ended it. */
  exit: number | null;
  ms: number;
  class: ProbeClass;
  /** Null for a green command. */
  reason: string | null;
}

export interface Fact {
  /** The same for the same command in the same directory, whatever else the repository says. */
  id: string;
  kind: FactKind;
  argv: string[];
  /** Relative to the root of the repository; `.` is the root. */
  cwd: string;
  /** The line that says so; `quote` is its exact text, cut. */
  from: { path: string; line: number; quote: string };
  source: FactSource;
  rank: number;
  probe: Probe;
}

export interface Workspace {
  /** The directory of the member. */
  path: string;
  /** The file that names it. */
  from: string;
}

/** Something that devflow saw and did not read or run. */
export interface Uncovered {
  path: string;
  why: string;
}

/** A repository's facts about its own commands (`tpl/repo-facts@2`). */
export interface RepoFacts {
  facts: Fact[];
  /** Ids of the commands of CI and of manifests that fail at the base commit. */
  knownRed: string[];
  /** Languages with the most files come first. */
  languages: string[];
  workspaces: Workspace[];
  uncovered: Uncovered[];
  /** The agents that can work on this machine; absent where nobody asked. */
  backends?: string[];
  base: { commit: string };
}

/** The facts that may verify a change: from no document, not hollow, green at the base commit, able to fail. */
export function checksOf({ facts }: Pick<RepoFacts, 'facts'>): Fact[] {
  return facts.filter(({ rank, probe }) => rank < RANKS.doc && probe.class === 'green');
}

/** As `tpl/repo-facts@1` has it, which knows no command that cannot fail. */
export function asFirstFacts(found: RepoFacts): RepoFacts {
  const facts = found.facts.map((fact): Fact => {
    const { probe } = fact;
    if (probe.class !== 'cannot_fail') return fact;
    return { ...fact, probe: { ...probe, class: 'refused', reason: `cannot_fail: ${probe.reason}`.slice(0, 1000) } };
  });
  return { ...found, facts };
}
