import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MethodName, RpcParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { until } from '../../helpers/until.ts';
import type { Dice } from './dice.ts';
import type { Machine } from './machine.ts';
import type { PostgresServer, TemporalOfChaos } from './servers.ts';

/** Three hosts, their servers, and what is written about them. */
export interface World {
  machines: readonly Machine[];
  postgres: PostgresServer;
  temporal: TemporalOfChaos;
  dice: Dice;
  story: Story;
}

/** What happened, a line of JSON each. */
export interface Story {
  directory: string;
  findings: string[];
  /** How often something happened that is worth to know and no fault. */
  notes: Map<string, number>;
  say(what: string, facts?: Record<string, unknown>): void;
  /** What must not be. */
  find(text: string): void;
  note(text: string): void;
}

export function createStory(directory: string, round: number): Story {
  mkdirSync(directory, { recursive: true });
  const began = Date.now();
  const story: Story = {
    directory,
    findings: [],
    notes: new Map(),
    say(what, facts = {}) {
      const line = { round, s: Math.round((Date.now() - began) / 100) / 10, what, ...facts };
      appendFileSync(join(directory, 'story.jsonl'), `${JSON.stringify(line)}\n`);
    },
    find(text) {
      story.findings.push(text);
      story.say('FINDING', { text });
    },
    note: (text) => void story.notes.set(text, (story.notes.get(text) ?? 0) + 1),
  };
  return story;
}

export const codeOf = (error: unknown) => (error as { code?: string }).code ?? String(error);

/** Asks one host after the other. Undefined if none answers now; throws what the one that answered refused. */
export async function askAny<N extends MethodName>(
  { machines, dice, story }: World,
  method: N,
  params: RpcParams<N>,
): Promise<RpcResult<N> | undefined> {
  for (const machine of dice.deal(machines, machines.length)) {
    try {
      return await machine.call(method, params);
    } catch (error) {
      if (!AWAY.has(codeOf(error))) throw error;
      story.note(`${method}: ${codeOf(error)}`);
    }
  }
  return undefined;
}

/** What a host says that cannot answer now. */
export const AWAY: ReadonlySet<string> = new Set([
  'daemon_not_running',
  'shutting_down',
  'db_unreachable',
  'no_answer',
  'network_blip',
  'fenced',
  'host_unreachable',
  'temporal_unreachable',
]);

/** Lets time pass: a fault that lasts has no event to wait for. */
export function lasts(ms: number): Promise<unknown> {
  const end = Date.now() + ms;
  return until('it has lasted', () => Date.now() >= end, ms + 60_000);
}
