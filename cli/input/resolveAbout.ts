import type { Client } from '../client/connect.ts';
import { notRunning } from '../daemon/keeper.ts';
import { readDaemon } from '../daemon/withDaemon.ts';
import type { Io } from '../io/io.ts';
import { usage } from './parse.ts';

/** The whole id for a prefix on a screen. Throws before the dashboard starts if the id or the screen is wrong. */
export async function resolveAbout(io: Io, screen: string | undefined, about: string): Promise<string> {
  const find = screen === undefined ? undefined : FINDERS[screen];
  if (!find) {
    const names = Object.keys(FINDERS).join(', ');
    const message = screen === undefined ? '--about needs --screen' : `the screen ${screen} takes no --about`;
    throw usage(message, `Screens with --about: ${names}.`);
  }
  const found = await readDaemon(io, (client) => find(client, about));
  if (found !== undefined) return found;
  // The dashboard offers to start a daemon. It needs a whole id.
  if (WHOLE.test(about)) return about;
  throw notRunning(io.env, `devflow is not running, so it cannot look up ${about}`);
}

const WHOLE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const FINDERS: Record<string, (client: Client, about: string) => Promise<string>> = {
  run: async (client, runId) => (await client.call('run.get', { runId })).runId,
  approval: async (client, approvalId) => (await client.call('approval.get', { approvalId })).id,
  session: async (client, sessionId) => (await client.call('session.get', { sessionId })).sessionId,
};
