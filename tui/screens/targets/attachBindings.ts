import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import type { Binding } from '../../model/binding.ts';
import { type Model, step } from '../../model/model.ts';

/** The keys that attach to the pane of a session, and watch it. */
export function attachBindings(
  name: string,
  sessionOf: (model: Model) => Pick<SessionSummary, 'sessionId' | 'paneId' | 'backend'> | undefined,
): Binding[] {
  const why = (model: Model) => {
    const session = sessionOf(model);
    if (!session) return 'no session is selected';
    if (model.link.state === 'away') return 'the daemon is not running';
    return session.paneId === null ? 'the agent has no pane' : undefined;
  };
  const attach = (model: Model, readOnly: boolean) => {
    const session = sessionOf(model);
    return session ? step(model, { type: 'attach', sessionId: session.sessionId, readOnly }) : step(model);
  };
  return [
    {
      id: `${name}.attach`,
      keys: ['A'],
      label: 'attach',
      footer: true,
      help: "Go into the agent's pane; detaching returns here",
      disabled: why,
      run: (model) => attach(model, false),
    },
    {
      id: `${name}.watch`,
      keys: ['V'],
      label: 'watch',
      help: "Watch the agent's pane without typing into it",
      disabled: why,
      run: (model) => attach(model, true),
    },
  ];
}
