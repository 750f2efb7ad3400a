import { shellWord } from '../../text/visible.ts';

/** A command of a repository that devflow would run, with the texts of the repository that run with it. */
export interface PlannedProbe {
  argv: string[];
  /** Relative to the root of the repository. */
  cwd: string;
  /** The line that names the command. */
  from: { path: string; line: number };
  /** Scripts, recipes and files, as devflow reads them. Long ones are cut. */
  bodies: { path: string; line: number; text: string }[];
  /** Programs and files that run with it, too, and that devflow does not read. */
  unread: string[];
}

/** The subject of a gate `probes_approved`. */
export interface ProbePlan {
  /** The hash of all of it, also of what is cut. */
  plan: string;
  probes: PlannedProbe[];
  /** The limits of the commands on this system, and their permissions. */
  limits: string[];
}

/** The subject of a gate `probes_approved`, line by line; none at other gates. The texts are the repository's. */
export function probePlanLines(subject: Readonly<Record<string, unknown>>): string[] {
  const { probes, limits = [], isChanged } = subject as Partial<ProbePlan & { isChanged: true }>;
  if (!probes) return [];
  return [
    ...(isChanged ? ['What would run has changed since the last decision.'] : []),
    `They run in a copy of the repository: ${limits.join('; ')}.`,
    'A green check may run twice more, on broken files, to show that it can fail.',
    ...probes.flatMap(probeLines),
  ];
}

function probeLines({ argv, cwd, from, bodies, unread }: PlannedProbe): string[] {
  const where = cwd === '.' ? '' : `, in ${cwd}`;
  return [
    '',
    `${argv.map(shellWord).join(' ')}  (${from.path}:${from.line}${where})`,
    ...bodies.flatMap(({ path, line, text }) => [
      `  ${path}:${line}`,
      ...text
        .replace(/\n$/, '')
        .split('\n')
        .map((each) => `    ${each}`),
    ]),
    ...(unread.length > 0 ? [`  and what devflow does not read: ${unread.join(', ')}`] : []),
  ];
}
