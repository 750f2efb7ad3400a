import { someOf } from '../../../schemas/text/phrases.ts';
import { leftMarkers } from './conflictMarkers.ts';
import { goneLines, plainLines, type Versions } from './goneLines.ts';
import { droppedTests, isTestFile, testNames } from './testNames.ts';

/** One entry of an agent's `dev/conflict-resolution@1`. */
export interface ResolvedHunk {
  path: string;
  decision: 'combined' | 'ours' | 'theirs' | 'rewritten';
  /** Lines that a side had added and that the agent left out. A text may have several lines. */
  dropped: readonly { side: 'ours' | 'theirs'; text: string }[];
  reason: string;
}

/** The faults in the resolution of one conflict, and the tests and lines of tests that it drops. */
export interface GroupProof {
  faults: string[];
  droppedTests: string[];
}

/** The most lines that one fault quotes. */
const MOST_LINES = 20;

/** Checks the files of one conflict against what the agent says about them. */
export function groupProof(paths: readonly string[], versions: Versions, hunks: readonly ResolvedHunk[]): GroupProof {
  const name = paths.join(', ');
  const own = hunks.filter(({ path }) => paths.includes(path));
  if (own.length === 0)
    return { faults: [`The artifact says nothing about the conflict in ${name}.`], droppedTests: [] };
  const markers = leftMarkers(versions).map(({ line, text }) => `line ${line}: ${text}`);
  if (markers.length > 0)
    return { faults: [`${name} still has conflict markers: ${someOf(markers)}.`], droppedTests: [] };
  const listed = new Set(own.flatMap(({ dropped }) => dropped.flatMap(({ text }) => plainLines(text))));
  const gone = goneLines(versions);
  const unlisted = gone.filter(({ text }) => !listed.has(text));
  const quoted = unlisted.slice(0, MOST_LINES).map(({ side, text }) => `\n  ${side}: ${text}`);
  const more = unlisted.length > MOST_LINES ? `\n  and ${unlisted.length - MOST_LINES} more` : '';
  const fault = `Lines that one side added to ${name} are gone. Put them back, or list each under dropped with the reason:`;
  const tests = droppedTests(versions);
  const testFile = paths.find(isTestFile);
  const lines = testFile === undefined ? [] : gone.filter(({ text }) => !namesOne(text, tests));
  return {
    faults: unlisted.length > 0 ? [`${fault}${quoted.join('')}${more}`] : [],
    droppedTests: [
      ...tests.map((test) => `${testFile ?? name}: the test "${test}"`),
      ...lines.map(({ text }) => `${testFile}: ${text}`),
    ],
  };
}

/** True if the line declares one of these tests, which is listed already. */
function namesOne(line: string, tests: readonly string[]): boolean {
  const names = testNames(line);
  return tests.some((test) => names.has(test));
}
