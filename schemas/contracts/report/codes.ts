import codes from './codes.json' with { type: 'json' };

/** Every contract: where its files are in a repository, and what they are for. */
export const CONTRACTS = [
  {
    id: 'devt/state-directory@1',
    location: '.devt/state/',
    what: 'the state directory: which file may be there, how long, who clears it away',
  },
  {
    id: 'devt/state-directory@2',
    location: '.devt/state/',
    what: 'the same for devt of 2026-08: threads, lanes, traces, and a directory of the project',
  },
  { id: 'autodev/state@1', location: '_docs/_autodev_state.md', what: 'the pointer to the current step of a flow' },
  { id: 'handover/brief@1', location: '{project}/brief.md', what: 'handover 1: brief to research' },
  { id: 'handover/research@1', location: '{project}/research/*.md', what: 'handover 2: research to plan' },
  {
    id: 'handover/architecture@1',
    location: '{project}/architecture/',
    what: 'handover 3: architecture to plan, discovered only',
  },
  { id: 'handover/plan@1', location: '{project}/plan.md', what: 'handover 4: plan to execute' },
  { id: 'handover/progress@1', location: '{project}/progress.json', what: 'handover 5: execute, resumable' },
  { id: 'handover/review@1', location: '{project}/review.md', what: 'handover 6: review back to plan' },
  {
    id: 'handover/session-state@1',
    location: '{project}/.session-state.local.json',
    what: 'handover 7: one session to the next',
  },
  {
    id: 'handover/session-prompt@1',
    location: '{project}/NEXT-SESSION-PROMPT.local.md',
    what: 'handover 7: the prompt beside the session state',
  },
  {
    id: 'cycle/cycle-state@1',
    location: '.workflow/.cycle/{cycleId}.json',
    what: 'the state of a parallel development cycle',
  },
] as const;

export type ContractId = (typeof CONTRACTS)[number]['id'];

/** The severity of a finding when a contract is written (strict) and when it is read (soft). */
export interface Code {
  contracts: ContractId[];
  strict: 'error' | 'warning';
  soft: 'error' | 'warning';
  meaning: string;
}
export type ContractCode = keyof typeof codes;

/**
 * Every code of a finding. A code is never renamed or used again for something else. `docs/contracts.md` is generated from this
 * table.
 */
export const CODES = codes as Record<ContractCode, Code>;
