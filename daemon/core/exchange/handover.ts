import { jsonDocument } from '../../../schemas/contracts/document/json.ts';
import { pathIn } from '../../../schemas/contracts/handover/document/contract.ts';
import { isTerminal } from '../../../schemas/enums.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import type { ExchangeState } from '../run/exchangeState.ts';
import { currentPhase, definitionOf } from '../run/query.ts';
import type { Run } from '../run/state.ts';
import { projectOf } from './paths.ts';
import { progressOf } from './progress.ts';
import { type Timed, withTimed } from './timed.ts';

/** Progress, session state and prompt of a project. Nobody can continue what has no brief, so before it there are none. */
export function handoverFiles(before: ExchangeState, run: Run, event: RunEvent): ExchangeState {
  if (run.published.length === 0) return before;
  const project = projectOf(run);
  const groups = [progressOf(run, project), sessionOf(run, project)];
  const files = groups.reduce((at, group) => withTimed(at, group, event.ts), before.files);
  return files === before.files ? before : { files };
}

/** Where another session continues: the state, and then its prompt, which is never older. */
function sessionOf(run: Run, project: string): Timed[] {
  const phase = currentPhase(run);
  const label = phase ? definitionOf(run, phase).title : 'Everything is done';
  const brief = pathIn(project, 'brief');
  const facts = { project, next_session_brief_path: brief, next_session_label: label, status: statusOf(run) };
  const next = isTerminal(run.state)
    ? 'The run has ended: there is nothing to continue.'
    : `Next: ${label}. devflow runs the agents of this project: devflow run show ${run.id}.`;
  const files = run.published.map(({ path }) => `- ${path}`).join('\n');
  const prompt = (time: string) =>
    `---\nproduced_by: "devflow"\nproduced_at: "${time}"\n---\n\n# ${project}\n\n${next}\n\nRead first:\n\n${files}\n`;
  return [
    {
      path: pathIn(project, 'session-state'),
      at: (time) => jsonDocument({ schema_version: 1, ...facts, updated_at: time }),
    },
    { path: pathIn(project, 'session-prompt'), at: prompt },
  ];
}

function statusOf({ state }: Run): string {
  switch (state) {
    case 'completed':
      return 'completed';
    case 'failed':
      return 'failed';
    case 'aborted':
      return 'stopped';
    case 'paused':
      return 'partial';
    default:
      return 'in_progress';
  }
}
