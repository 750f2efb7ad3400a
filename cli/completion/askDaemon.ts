import type { Client } from '../client/connect.ts';
import { readDaemon } from '../daemon/withDaemon.ts';
import type { Io } from '../io.ts';
import type { Candidate } from './place.ts';

/** A person waits before the prompt: a daemon that hangs is given up soon. */
const PATIENCE = { lookMs: 400, giveUpMs: 400 };

/** Nothing where no daemon answers. */
export async function askDaemon(io: Io, read: (client: Client) => Promise<Candidate[]>): Promise<Candidate[]> {
  return (await readDaemon(io, read, PATIENCE)) ?? [];
}
