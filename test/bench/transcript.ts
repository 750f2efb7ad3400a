import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from '../../cli/client/connect.ts';
import { openDatabase } from '../../daemon/db/open.ts';
import { appendChunks } from '../../daemon/store/transcripts.ts';
import type { Env } from '../../schemas/files/paths.ts';
import { shellQuote } from '../../tmux/command/command.ts';
import { type Bench, createSheet } from './figure.ts';
import { makeRepository, writeTemplates } from './phases.ts';
import { CLI, type Place, withPlace } from './place.ts';
import { peakMegabytes } from './processes.ts';

const BYTES = 200_000_000;
const CHUNK = 64 * 1024;
const BATCH = 16;

const LINES = {
  plain: (n: number) => `${n} The quick brown fox jumps over the lazy dog, and writes a line of a log for each time.`,
  coloured: (n: number) =>
    `\u001b[32m✓\u001b[39m test/file-${n % 97}.test.ts \u001b[2m(${n} tests)\u001b[22m \u001b[1;33m${n % 900}\u001b[0m ms, \u001b[38;5;208mslow\u001b[m`,
} as const;

/** The reader starts a long log at its beginning. */
export const transcript: Bench = {
  name: 'transcript',
  title: 'A transcript of 200 MB',
  reading:
    '`devflow session transcript` of a session with 200 MB of lines, written with the functions of the store, ' +
    'from the start of the program until its end. The daemon reads, and the output is thrown away. It goes into a ' +
    'pipe, or into a terminal (`script`), where it has colours. Memory is the largest resident set of the ' +
    'program.',
  run: ({ rounds = 1 }) =>
    withPlace(
      async (place) => {
        const sessions = await makeSessions(place);
        const sheet = createSheet();
        for (let round = 0; round < rounds; round += 1) {
          for (const [kind, sessionId] of Object.entries(sessions)) {
            for (const into of ['pipe', 'terminal'] as const) {
              const { seconds, megabytes } = await print(sessionId, into, place.env);
              sheet.add(`${kind} ${into}`, seconds);
              if (into === 'pipe') sheet.add(`${kind} memory`, megabytes);
            }
          }
        }
        return Object.keys(sessions).flatMap((kind) => [
          { name: `${kind} lines into a pipe`, unit: 's' as const, rounds: sheet.of(`${kind} pipe`) },
          { name: `${kind} lines into a pipe, memory`, unit: 'MB' as const, rounds: sheet.of(`${kind} memory`) },
          { name: `${kind} lines into a terminal`, unit: 's' as const, rounds: sheet.of(`${kind} terminal`) },
        ]);
      },
      { DEVFLOW_ARTIFACT_DEBOUNCE_MS: '0', DEVFLOW_FAKE_DELAY_MS: '0' },
    ),
};

async function makeSessions(place: Place): Promise<Record<keyof typeof LINES, string>> {
  writeTemplates(place);
  const repo = makeRepository(place);
  await place.devflow('up');
  const client = await place.connect();
  const plain = await runOnce(client, repo);
  const coloured = await runOnce(client, repo);
  client.close();
  await place.devflow('down');
  await fill(place, { plain, coloured });
  await place.devflow('up');
  return { plain, coloured };
}

async function runOnce(client: Client, repo: string): Promise<string> {
  const started = await client.call('run.start', {
    repo,
    template: 'bench-read',
    requirements: 'Nothing.',
    backend: { worker: 'fake' },
  });
  if (!('runId' in started)) throw new Error('not started');
  while ((await client.call('run.get', { runId: started.runId })).endedAt === null) await nextTurn();
  const { sessions } = await client.call('run.get', { runId: started.runId });
  return sessions[0]?.sessionId ?? '';
}

async function fill({ home, paths }: Place, sessions: Record<keyof typeof LINES, string>): Promise<void> {
  const database = await openDatabase({
    mode: 'embedded',
    dataDir: paths.postgresData,
    socketDir: paths.postgresSocketDir,
    logFile: join(home, 'fill.log'),
    binariesCacheDir: paths.binariesCache,
  });
  try {
    for (const [kind, sessionId] of Object.entries(sessions)) {
      let n = 0;
      let rest = '';
      const line = LINES[kind as keyof typeof LINES];
      for (let endOffset = 0; endOffset < BYTES; ) {
        const chunks = Array.from({ length: BATCH }, () => {
          while (rest.length < CHUNK) rest += `${line(n++)}\r\n`;
          const bytes = Buffer.from(rest.slice(0, CHUNK));
          rest = rest.slice(CHUNK);
          endOffset += bytes.length;
          return { kind: 'output' as const, bytes, endOffset };
        });
        await appendChunks(database.drizzle, sessionId, chunks);
      }
    }
  } finally {
    await database.stopServer();
  }
}

async function print(
  sessionId: string,
  into: 'pipe' | 'terminal',
  env: Env,
): Promise<{ seconds: number; megabytes: number }> {
  const words = [process.execPath, CLI, 'session', 'transcript', sessionId];
  const [program = '', ...args] =
    into === 'pipe' ? words : ['script', '-qfec', words.map(shellQuote).join(' '), '/dev/null'];
  const begun = performance.now();
  const child = spawn(program, args, {
    env: into === 'pipe' ? env : { ...env, NO_COLOR: undefined, TERM: 'xterm-256color' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let megabytes = 0;
  let size = 0;
  child.stdout.on('data', (data: Buffer) => {
    size += data.length;
    megabytes = peakOf(child.pid) ?? megabytes;
  });
  const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
  if (code !== 0 || size < BYTES / 2) throw new Error(`${words.join(' ')} ended with ${code} after ${size} bytes`);
  return { seconds: (performance.now() - begun) / 1000, megabytes };
}

function peakOf(pid: number | undefined): number | undefined {
  try {
    return peakMegabytes(pid ?? 0);
  } catch {
    return undefined;
  }
}
