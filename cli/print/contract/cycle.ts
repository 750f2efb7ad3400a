import type { Io } from '../../io/io.ts';
import { printFacts, printJson, printTable } from '../output.ts';

/** Prints the state of a cycle. A state of another program may lack anything. Returns the exit code. */
export function printCycle(io: Io, state: Readonly<Record<string, unknown>>, json?: boolean): 0 {
  if (json) {
    printJson(io, state);
    return 0;
  }
  const { agents } = state;
  printFacts(io, [
    ['cycle', textOf(state.cycle_id)],
    ['title', textOf(state.title)],
    ['status', textOf(state.status)],
    ['phase', textOf(state.current_phase)],
    ['iteration', `${textOf(state.current_iteration) ?? '?'} of ${textOf(state.max_iterations) ?? '?'}`],
    ['created', textOf(state.created_at)],
    ['updated', textOf(state.updated_at)],
    ['completed', textOf(state.completed_at)],
    ['failed', textOf(state.failure_reason)],
    ...PARTS.map((name) => [name.replace('_', ' '), textOf(mapOf(state[name]).version)] as const),
  ]);
  printTable(
    io,
    Object.entries(mapOf(agents)).map(([agent, is]) => ({ agent, ...mapOf(is) })),
    [
      { title: 'AGENT', cell: ({ agent }) => agent },
      { title: 'STATUS', cell: ({ status }: Shown) => textOf(status) },
      { title: 'ITERATIONS', cell: ({ iterations_completed }: Shown) => textOf(iterations_completed) },
      { title: 'MESSAGE', cell: ({ last_message, error }: Shown) => textOf(error) ?? textOf(last_message) },
    ],
    'no agents',
  );
  return 0;
}

const PARTS = ['requirements', 'exploration', 'plan', 'test_results'] as const;

interface Shown {
  agent: string;
  status?: unknown;
  iterations_completed?: unknown;
  last_message?: unknown;
  error?: unknown;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function mapOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
