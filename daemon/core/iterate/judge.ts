import { HANDOVER } from '../../../schemas/contracts/handover/document/contract.ts';
import { JUDGED, MEASURED, Until } from '../../../schemas/definitions/exchange.ts';
import { cutTo } from '../../../schemas/text/phrases.ts';
import { openTargets } from '../objective/verdictOf.ts';
import { blockOf, iterationOf } from '../run/iterations.ts';
import { definitionOf } from '../run/query.ts';
import type { Run } from '../run/state.ts';

/** The open points of an iteration. */
export interface Judgement {
  isResolved: boolean;
  issues: string[];
}

const MOST_ISSUES = 100;
const MOST_CHARACTERS = 300;

type Facts = Readonly<Record<string, unknown>>;
type Told = Exclude<Until, typeof MEASURED>;

/** Each rule reads the open points in an artifact. */
const RULES: Readonly<Record<Told, (data: Facts) => string[]>> = {
  'cycle-resolved': ({ failed_tests }) => list(failed_tests).map(textOf),
  'review-allows'(data) {
    const { verdict } = (data.frontmatter ?? {}) as Facts;
    const findings = list(data.findings) as { id: string; severity: string; text: string }[];
    // The findings count, whatever the verdict is.
    if (verdict !== 'BLOCK' && findings.every(({ severity }) => severity !== 'BLOCKER')) return [];
    const goals = findings.filter(({ severity }) => HANDOVER.severities.goals.includes(severity));
    return goals.length > 0
      ? goals.map(({ severity, id, text }) => `${severity} ${id}: ${text}`)
      : ['the verdict is BLOCK'];
  },
};

/**
 * The open points of the newest iteration; undefined until their artifact was validated in it. The artifact has been
 * checked, but its words are an agent's: they are cut.
 */
export function judge(run: Run): Judgement | undefined {
  const { iterate } = run.template;
  const iteration = iterationOf(run);
  if (!iterate || !iteration) return undefined;
  const { until } = iterate;
  if (until === MEASURED) return openTargets(run);
  const judged = blockOf(run).find((phase) => definitionOf(run, phase).expectedArtifact?.schema === JUDGED[until]);
  const artifact = judged?.assignments[0]?.artifact;
  if (judged?.state !== 'completed' || !artifact || artifact.createdAt < iteration.startedAt) return undefined;
  const issues = RULES[until]((artifact.data ?? {}) as Facts);
  return { isResolved: issues.length === 0, issues: issues.slice(0, MOST_ISSUES).map(short) };
}

/** The open points in the newest artifact of a phase, one a line. Empty if no rule reads the artifact. */
export function findingsOf(run: Run, phaseKey: string): string {
  const artifact = run.phases.find(({ key }) => key === phaseKey)?.assignments[0]?.artifact;
  const told = Until.options.filter((each) => each !== MEASURED);
  const until = told.find((each) => JUDGED[each] === artifact?.schema);
  const open = until ? RULES[until]((artifact?.data ?? {}) as Facts) : [];
  return open.length === 0
    ? '(none)'
    : open
        .slice(0, MOST_ISSUES)
        .map((issue) => `- ${short(issue)}`)
        .join('\n');
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function short(text: string): string {
  return cutTo(text.replace(/\s+/g, ' ').trim(), MOST_CHARACTERS);
}
