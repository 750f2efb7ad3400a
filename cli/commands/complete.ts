import type { Client } from '../client/connect.ts';
import type { Action } from '../io.ts';
import { shortId, visible } from '../text.ts';
import { readDaemon } from '../withDaemon.ts';

type Candidate = [value: string, description: string];

/** What a shell may offer for an argument, asked of a running daemon. */
const SOURCES: Record<string, (client: Client) => Promise<Candidate[]>> = {
  run: async (client) =>
    (await client.call('run.list')).map((run) => [shortId(run.runId), `${run.state} ${run.template} ${run.repoPath}`]),
  approval: async (client) =>
    (await client.call('approval.list')).map(({ id, gateKey, state }) => [shortId(id), `${state} ${gateKey}`]),
  session: async (client) =>
    (await client.call('session.list')).map(({ sessionId, roleId, state }) => [
      shortId(sessionId),
      `${state} ${roleId}`,
    ]),
  template: async (client) =>
    (await client.call('template.list')).map(({ name, version }) => [`${name}@${version}`, 'template']),
  persona: async (client) =>
    (await client.call('persona.list')).map(({ name, version, backend }) => [`${name}@${version}`, backend]),
  method: async (client) => {
    const { methods } = (await client.call('rpc.discover')) as { methods: { name: string; summary: string }[] };
    return methods.map(({ name, summary }) => [name, summary]);
  },
};

/** `devflow __complete <kind>`: a candidate a line, a tab before its description. Silent when anything is amiss. */
export const action: Action = async ([kind]: [string], _options: object, io) => {
  try {
    const read = SOURCES[kind];
    const found = read && (await readDaemon(io, read));
    for (const [value, description] of found ?? []) io.out(Buffer.from(`${visible(value)}\t${visible(description)}\n`));
  } catch {
    // A message in the middle of someone's command line helps nobody.
  }
  return 0;
};
