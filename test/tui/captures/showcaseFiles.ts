import type { ArtifactContent } from '../../../schemas/rpc/views/artifact.ts';
import { ago, RUN } from './showcaseRuns.ts';

const task = (id: string, title: string, description: string, files: string[], dependsOn: string[]) => ({
  id,
  title,
  description,
  files,
  dependsOn,
  risk: 'low',
});

const before = {
  summary: 'Put the name into the greeting.',
  tasks: [task('T1', 'Greet the name given', 'Serves R1.', ['src/greet.ts'], [])],
};
const now = {
  summary: 'Read the name from the first argument and put it into the greeting; keep the old greeting without one.',
  tasks: [
    task('T1', 'Greet the name given', 'Serves R1. Read the first argument and use it.', ['src/greet.ts'], []),
    task('T2', 'Test the greeting', 'Serves R1. One test with a name and one without.', ['test/greet.test.ts'], ['T1']),
  ],
};

/** The plan of the attempt before, and the one under decision. */
export const ARTIFACTS: readonly ArtifactContent[] = [before, now].map((content, nth) => ({
  artifactId: `cccc0000-0000-4000-8000-00000000000${nth + 1}`,
  runId: RUN,
  phaseKey: 'plan',
  roleId: 'planner',
  attempt: nth + 1,
  path: '/w/.devflow/phase-plan.json',
  storedPath: '/s',
  schema: 'dev/phase-plan@1',
  hash: 'ab'.repeat(32),
  valid: true,
  errors: [],
  createdAt: ago(400 - nth * 100),
  truncated: false,
  content: JSON.stringify(content),
}));
