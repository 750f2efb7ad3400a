import { shorten } from '../../../text/phrases.ts';
import { isMap, ownValue } from '../../document/fields.ts';
import { AGENT_STATUSES, AGENTS } from '../state/cycleState.ts';
import type { Findings } from './findings.ts';
import { checkObject, entriesOf, optional, required } from './objects.ts';

export const AGENT = [
  required('status', 'text', { values: AGENT_STATUSES }),
  optional('started_at', 'time'),
  optional('completed_at', 'time'),
  required('output_files', 'texts'),
  optional('last_message', 'text'),
  optional('error', 'text'),
  required('iterations_completed', 'whole', { least: 0 }),
];

/** There are exactly the four agents. */
export function checkAgents(findings: Findings, agents: unknown): void {
  if (!isMap(agents)) return;
  for (const agent of AGENTS) {
    if (!Object.hasOwn(agents, agent)) {
      findings.add('CYCLE_AGENTS', `agents has no ${agent}. It must have ${AGENTS.join(', ')}.`, `agents.${agent}`);
    }
  }
  for (const { at, key, value } of entriesOf(findings, 'agents', agents)) {
    if (!isAgent(key)) {
      findings.add('CYCLE_AGENTS', `agents has “${shorten(key)}”. It may only have ${AGENTS.join(', ')}.`, at);
    } else if (!isMap(value)) {
      findings.add('CYCLE_INVALID_FIELD', `${at} is no object.`, at);
    } else {
      checkObject(findings, at, AGENT, value, { status: 'CYCLE_INVALID_STATUS' });
      if (ownValue(value, 'status') === 'failed' && ownValue(value, 'error') === undefined) {
        findings.add('CYCLE_MISSING_FIELD', `${at} failed, but ${at}.error is missing.`, `${at}.error`);
      }
    }
  }
}

export function isAgent(name: unknown): name is (typeof AGENTS)[number] {
  return (AGENTS as readonly unknown[]).includes(name);
}
