import type { AgentName } from '../state/cycleState.ts';
import { refusal } from '../state/refuse.ts';

/** The one agent who writes a part of the state. */
const OWNERS = {
  requirements: 'ra',
  exploration: 'ep',
  plan: 'ep',
  changes: 'cd',
  test_results: 'vas',
} as const satisfies Record<string, AgentName>;

/** The owner of a part. Refuses another writer; without a name the owner writes. */
export function ownerOf(part: keyof typeof OWNERS, writer: AgentName | undefined): AgentName {
  const owner = OWNERS[part];
  if (writer === undefined || writer === owner) return owner;
  throw refusal('cycle_not_owner', `${part} belongs to ${owner}, so ${writer} cannot write it.`, {
    owner,
    agent: writer,
  });
}
