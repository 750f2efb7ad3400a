import { gateFacts } from '../gates/gateKinds.ts';
import { GATE_WORDS } from '../gates/gateWords.ts';
import { GATE_KINDS } from '../names.ts';
import { PROBE_STATES } from './command.ts';
import { CONSENT_STATES } from './consent.ts';
import { CONTRACT_VERDICTS, ITERATION_STATES } from './contracts.ts';
import { EVALUATION_STATES, VERDICT_STATES } from './evaluations.ts';
import { FINDING_SEVERITIES, FINDING_STATES } from './findings.ts';
import { GATE_CLOSED, GATE_STATES, PENDING_STATES } from './gate.ts';
import { HOST_STATES } from './host.ts';
import { ASSIGNMENT_STATES, LANE_STATES, QUEUE_PLACES, TASK_STATES } from './lanes.ts';
import { MESSAGE_STATES } from './message.ts';
import { REVIEW_OUTCOMES } from './outcome.ts';
import { PHASE_STATES, RUN_APPLIED, RUN_NEEDS_YOU, RUN_QUEUED, RUN_STATES } from './run.ts';
import { SESSION_STATES } from './session.ts';
import { STALLS } from './stall.ts';
import type { State } from './state.ts';

/** A kind of thing that has states: those of its enum, and those that derive from several fields. */
export interface StateKind {
  readonly title: string;
  readonly about: string;
  readonly states: Readonly<Record<string, State>>;
  /** Each with the fields in `--json`. */
  readonly derived: readonly (readonly [inJson: string, state: State])[];
}

const SELF_CLOSING = GATE_KINDS.filter((kind) => gateFacts({ kind }).closesItself);

/** Every state that people see. docs/states.md and the dashboard's help derive from this table. */
export const STATE_KINDS: readonly StateKind[] = [
  {
    title: 'Runs',
    about: 'The state of a whole run.',
    states: RUN_STATES,
    derived: [
      ['`waitsForPerson` is true', RUN_NEEDS_YOU],
      ['`created`, `queue` is set', RUN_QUEUED],
      ['`completed`, `appliedAt` is set', RUN_APPLIED],
      ...Object.entries(REVIEW_OUTCOMES).map(([word, state]) => [`\`outcome.word\` is \`${word}\``, state] as const),
    ],
  },
  { title: 'Phases', about: 'The state of one phase of a run.', states: PHASE_STATES, derived: [] },
  {
    title: 'Assignments',
    about: 'An assignment is one agent that is asked for one file.',
    states: ASSIGNMENT_STATES,
    derived: [],
  },
  { title: 'Tasks', about: 'The state of one task of parallel work.', states: TASK_STATES, derived: [] },
  { title: 'Lanes', about: 'A lane is a worktree in which one agent works.', states: LANE_STATES, derived: [] },
  {
    title: 'Merge queue',
    about: "Where a lane is on its way to the run's branch.",
    states: QUEUE_PLACES,
    derived: [],
  },
  {
    title: 'Findings',
    about: 'A finding is a defect that reviewers report.',
    states: FINDING_STATES,
    derived: [],
  },
  {
    title: 'Severities',
    about: 'How bad a finding is. Its reviewers say so.',
    states: FINDING_SEVERITIES,
    derived: [],
  },
  {
    title: 'Contracts',
    about: 'A contract is a set of rules about files that programs hand to each other.',
    states: CONTRACT_VERDICTS,
    derived: [],
  },
  {
    title: 'Iterations',
    about: 'An iteration is one pass of the phases that a run repeats.',
    states: ITERATION_STATES,
    derived: [],
  },
  {
    title: 'Measured iterations',
    about: 'What became of an iteration that is judged by measurements.',
    states: EVALUATION_STATES,
    derived: [],
  },
  {
    title: 'Targets',
    about: 'How a target of an objective compares with what was measured.',
    states: VERDICT_STATES,
    derived: [],
  },
  {
    title: 'Commands of a repository',
    about: 'How a command of the repository ends at the base commit.',
    states: PROBE_STATES,
    derived: [],
  },
  {
    title: 'Gates',
    about: GATE_KINDS.flatMap((kind) => GATE_WORDS[kind].about ?? []).join(' '),
    states: GATE_STATES,
    derived: [
      ...GATE_KINDS.filter((kind) => PENDING_STATES[kind] !== GATE_STATES.pending).map(
        (kind) => [`\`pending\`, \`kind\` is \`${kind}\``, PENDING_STATES[kind]] as const,
      ),
      [`\`aborted\`, \`kind\` is ${SELF_CLOSING.map((kind) => `\`${kind}\``).join(' or ')}`, GATE_CLOSED],
    ],
  },
  {
    title: 'Sessions',
    about: 'A session is an agent in its pane.',
    states: SESSION_STATES,
    derived: [],
  },
  {
    title: 'Stalls',
    about: 'What blocks an agent. Lists show it instead of the state of the session, or under `BLOCKED BY`.',
    states: STALLS,
    derived: [],
  },
  {
    title: 'Messages',
    about: 'A message is a text to an agent, beside the prompts of phases.',
    states: MESSAGE_STATES,
    derived: [],
  },
  {
    title: 'Hosts',
    about: 'A host is a machine with a daemon, of several that share a database.',
    states: HOST_STATES,
    derived: [],
  },
  {
    title: 'Consents',
    about: "What you decided about what a repository's settings run.",
    states: CONSENT_STATES,
    derived: [],
  },
];
