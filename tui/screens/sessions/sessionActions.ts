import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import type { Binding } from '../../model/binding.ts';
import type { Model } from '../../model/model.ts';
import { step } from '../../model/step.ts';

/** Into the agent's pane, and looking at it without being able to type; wherever there is a session in view. */
export function attachBindings(
  name: string,
  sessionOf: (model: Model) => Pick<SessionSummary, 'sessionId' | 'paneId' | 'backend'> | undefined,
): Binding[] {
  const why = (model: Model) => {
    const session = sessionOf(model);
    if (!session) return 'there is no session';
    if (model.link.state === 'away') return 'the daemon is away';
    return session.paneId === null ? 'the agent has no pane' : undefined;
  };
  const attach = (model: Model, readOnly: boolean) => {
    const session = sessionOf(model);
    return session ? step(model, { type: 'attach', sessionId: session.sessionId, readOnly }) : step(model);
  };
  return [
    {
      ...{ id: `${name}.attach`, keys: ['A'], label: 'attach', footer: true },
      help: "Go into the agent's pane; leaving it (detach) comes back here",
      disabled: why,
      run: (model) => attach(model, false),
    },
    {
      ...{ id: `${name}.watch`, keys: ['V'], label: 'watch' },
      help: "Look at the agent's pane as it is, without being able to type into it",
      disabled: why,
      run: (model) => attach(model, true),
    },
  ];
}
