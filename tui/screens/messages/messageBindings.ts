import { takesMessage } from '../../../schemas/gates/gateKinds.ts';
import { agentName } from '../../../schemas/mainLane.ts';
import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import type { Binding } from '../../model/binding.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { line, span } from '../../text/line.ts';
import { shortId } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { askForText } from '../decisions/askForText.ts';
import { whyNotTaken } from '../decisions/decideWith.ts';
import { askToWrite, type Recipient } from './askToWrite.ts';
import { waitingFor } from './messageLines.ts';
import { askToTakeBack } from './takeBack.ts';

type Addressee = Pick<SessionSummary, 'sessionId' | 'runId' | 'roleId' | 'laneId' | 'state' | 'stall' | 'messages'>;

interface Addressed {
  sessionOf(model: Model): Addressee | undefined;
  /** The gates of its run that wait. */
  gatesOf(model: Model, session: Addressee): readonly ApprovalSummary[];
  /** Why there is no agent to write to. Absent: none is selected. */
  none?(model: Model): string;
  /** While it is false, other bindings have the key `m`. Absent: never. */
  writes?(model: Model): boolean;
}

/** The keys that write to the agent of a row, and take back what waits for it. */
export function messageBindings(
  screen: string,
  { sessionOf, gatesOf, none = () => 'no agent is selected', writes }: Addressed,
): Binding[] {
  const isAway = ({ link }: Model) => (link.state === 'away' ? 'the daemon is not running' : undefined);
  return [
    {
      id: `${screen}.write`,
      keys: ['m'],
      label: 'message',
      footer: screen.startsWith('session'),
      help: 'Write to the agent: it gets the text once, when it is free; an agent whose turn has ended gets it as your answer',
      ...(writes ? { when: writes } : {}),
      disabled(model) {
        const session = sessionOf(model);
        if (!session) return none(model);
        if (session.state === 'ENDED') return 'the agent has ended';
        const gate = turnGate(session, gatesOf(model, session));
        if (!gate) return isAway(model);
        return whyNotTaken(model, { ...gate, actions: ['request_changes'] }, 'request_changes');
      },
      run(model) {
        const session = sessionOf(model);
        return session ? write(model, session, turnGate(session, gatesOf(model, session))) : step(model);
      },
    },
    {
      id: `${screen}.takeBack`,
      keys: ['x'],
      label: 'take back',
      help: 'Take back a message that the agent does not have yet',
      disabled(model) {
        const session = sessionOf(model);
        if (!session) return none(model);
        if (waitingFor(model, session).length > 0) return isAway(model);
        return session.messages ? 'its messages are not loaded yet' : 'no message waits for the agent';
      },
      run(model) {
        const session = sessionOf(model);
        return session ? askToTakeBack(model, waitingFor(model, session)) : step(model);
      },
    },
  ];
}

/** The gate of its ended turn. An answer there knows the file that is missing, and its deadline. */
function turnGate({ stall }: Addressee, gates: readonly ApprovalSummary[]): ApprovalSummary | undefined {
  const [gate, ...others] = gates.filter(takesMessage);
  return stall?.cause === 'idle' && others.length === 0 ? gate : undefined;
}

function write(model: Model, session: Addressee, gate: ApprovalSummary | undefined): Step {
  const title = `Message to ${agentName(session)} of run ${shortId(session.runId)}`;
  if (gate) return askForText(model, { gate, title, description: gate.words, mayBeEmpty: false });
  return askToWrite(model, title, [recipientOf(session)]);
}

function recipientOf(session: Addressee): Recipient {
  const name = line(span(agentName(session), theme.title), ` of run ${shortId(session.runId)}`);
  return { target: session.sessionId, name };
}
