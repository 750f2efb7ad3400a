import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq, max } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { tuiTranscriptChunks } from '../../../../../daemon/db/schema/index.ts';
import { listOutputFiles, newEpoch, outputEnd } from '../../../../../daemon/sessions/tmux/output/outputFiles.ts';
import { tailOutput } from '../../../../../daemon/sessions/tmux/output/outputTail.ts';
import { recordResize } from '../../../../../daemon/sessions/tmux/output/resizes.ts';
import { maskSecrets } from '../../../../../daemon/sessions/transcript/maskSecrets.ts';
import { readTranscript } from '../../../../../daemon/store/transcripts.ts';
import { shellQuote } from '../../../../../tmux/command/command.ts';
import { readPane } from '../../../../../tmux/panes/panes.ts';
import { repipe, splitSink } from '../../../../../tmux/panes/pipe.ts';
import { LAST_OUTPUT } from '../../../../../tmux/process/wrapper.ts';
import { givenSession } from '../../../../helpers/givenSession.ts';
import { useDatabase } from '../../../../helpers/postgres.ts';
import { useTmuxServer } from '../../../../helpers/tmuxServer.ts';
import { until } from '../../../../helpers/until.ts';
import { givenRuns } from '../../../db/given.ts';

const database = useDatabase();
const tmux = useTmuxServer();

/** `DEVFLOW_TORTURE=1`: 50 MB and ten kills; else as much of it as a suite has time for. */
const TORTURE = Boolean(process.env.DEVFLOW_TORTURE);
const [BYTES, PANES, KILLS] = TORTURE ? [10_000_000, 5, 10] : [3_000_000, 3, 4];
const PART = TORTURE ? 8 * 1024 * 1024 : 300_000;

const script = (...argv: string[]) => `stty raw -echo; exec ${argv.map(shellQuote).join(' ')}`;

async function printingPane(sessionId: string, bytes: number, pauseMs: number) {
  const driver = await tmux().driver();
  const directory = join(tmux().home, sessionId);
  const output = join(directory, 'output');
  const report = join(tmux().home, `${sessionId}.report`);
  const printer = join(import.meta.dirname, 'printer.mjs');
  const epoch = newEpoch(output);
  recordResize(output, { columns: 160, rows: 45 });
  await tmux().pane(driver, script(process.execPath, printer, String(bytes), report, String(pauseMs)), {
    directory,
    sink: splitSink(output, epoch, PART),
  });
  const done = () =>
    existsSync(report)
      ? (JSON.parse(readFileSync(report, 'utf8') || 'null') as { bytes: number; sha256: string } | null)
      : null;
  return { sessionId, directory: output, done };
}

/** The child's greatest memory in MB is the last line it said. */
function capturing(panes: { sessionId: string; directory: string }[]) {
  const { host, port, user, database: name } = database().connection;
  const input = JSON.stringify({ connection: { host, port, user, database: name }, panes });
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'captureChild.ts'), input], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let said = '';
  child.stdout?.on('data', (text) => {
    said = `${said}${text}`.slice(-200);
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(kill);
  return { kill, memory: () => Number(said.trim().split('\n').at(-1) ?? 0) };
}

async function storedEnd(sessionId: string): Promise<number> {
  const [row] = await database()
    .drizzle.select({ end: max(tuiTranscriptChunks.endOffset) })
    .from(tuiTranscriptChunks)
    .where(eq(tuiTranscriptChunks.sessionId, sessionId));
  return row?.end ?? 0;
}

async function stored(sessionId: string) {
  const kinds: string[] = [];
  const bytes: Buffer[] = [];
  const seqs: number[] = [];
  for (let [afterSeq, more] = [0, true]; more; ) {
    const page = await readTranscript(database().drizzle, sessionId, { afterSeq, limit: 500 });
    for (const chunk of page.chunks) {
      seqs.push(chunk.seq);
      if (chunk.kind === 'output') bytes.push(chunk.bytes);
      else kinds.push(`${chunk.kind} ${chunk.bytes} ${chunk.endOffset}`);
    }
    [afterSeq, more] = [page.lastSeq, page.more];
  }
  return { seqs, marks: kinds, bytes: Buffer.concat(bytes) };
}

test('stores every byte, however often the daemon is killed', { timeout: 600_000 }, async () => {
  const runs = await givenRuns(database(), PANES);
  const panes: Awaited<ReturnType<typeof printingPane>>[] = [];
  for (const [n, runId] of runs.entries()) {
    const { sessionId } = await givenSession(database(), { runId });
    panes.push(await printingPane(sessionId, BYTES, n));
  }
  const total = async () =>
    (await Promise.all(panes.map(({ sessionId }) => storedEnd(sessionId)))).reduce((a, b) => a + b);

  let memory = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const child = capturing(panes);
    const goal = (BYTES * PANES * kill) / (KILLS + 1);
    await until(`${goal} bytes are stored`, async () => (await total()) >= goal);
    memory = Math.max(memory, child.memory());
    await child.kill();
  }
  const last = capturing(panes);
  await until('all is stored', async () => (await total()) === (BYTES + LAST_OUTPUT.length) * PANES);
  memory = Math.max(memory, last.memory());
  await last.kill();

  for (const { sessionId, directory, done } of panes) {
    const wrote = await until('it said what it wrote', done);
    const { seqs, marks, bytes } = await stored(sessionId);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(marks).toEqual(['resize 160x45 0']);
    expect(bytes.length).toBe(wrote.bytes + LAST_OUTPUT.length);
    expect(createHash('sha256').update(bytes.subarray(0, wrote.bytes)).digest('hex')).toBe(wrote.sha256);
    // And what is stored does not pile up on the disk.
    expect(listOutputFiles(directory)[0]?.start).toBeGreaterThan(0);
  }
  expect(memory).toBeLessThan(400);
  if (TORTURE) console.log(`greatest memory of the capturing process: ${memory} MB`);
});

test('stores the rest with a gap after a capture process was killed', async () => {
  const driver = await tmux().driver();
  const output = join(tmux().home, 'output');
  const { pane } = await tmux().pane(driver, 'while read -r x; do echo "got $x"; done', {
    sink: splitSink(output, newEpoch(output)),
  });
  const stop = new AbortController();
  const drain = new AbortController();
  onTestFinished(() => stop.abort());
  let text = '';
  const reading = (async () => {
    for await (const { bytes, mark } of tailOutput({
      directory: output,
      fromOffset: 0,
      signal: stop.signal,
      drain: drain.signal,
    })) {
      text += mark?.kind === 'gap' ? `<${mark.reason}>` : bytes;
    }
  })();
  const type = (line: string) => driver.run([['send-keys', '-t', pane, line, 'Enter']]);
  await type('one');
  await until('it is read', () => text.includes('got one'));
  process.kill(sinkOf(output), 'SIGKILL');
  await until('tmux found out', async () => {
    await type('lost');
    return !(await readPane(driver, pane))?.piped;
  });
  await repipe(driver, pane, splitSink(output, newEpoch(output, 'the sink died')));
  await type('two');
  await until('it is read', () => text.includes('got two'));
  expect(text).toMatch(/got one[\s\S]*<the sink died>[\s\S]*got two/);

  await type('last');
  await driver.run([['send-keys', '-t', pane, 'C-d']]);
  await until(
    'it ended',
    () => existsSync(join(tmux().home, 'output')) && readFileSync(lastFile(output)).includes('got last'),
  );
  drain.abort();
  await driver.run([['kill-pane', '-t', pane]]);
  await reading;
  expect(text).toContain('got last');
  expect(outputEnd(output)).toBe(Buffer.byteLength(text.replace('<the sink died>', '')));
});

test("masks secrets in a pane's output, and changes nothing else", async () => {
  const { sessionId } = await givenSession(database());
  const driver = await tmux().driver();
  const output = join(tmux().home, 'output');
  const token = `ghp_${'A1b2'.repeat(8)}`;
  // As a TUI prints it: in colour, and in two writes with a rest in between.
  const say = (text: string) => `printf '${text}'`;
  await tmux().pane(
    driver,
    `stty raw -echo; ${say('key \\033[32mghp_A1b2A1b2')}; sleep 0.6; ${say('A1b2'.repeat(6))}; ${say('\\033[m end\\n')}; exec sleep 1000`,
    { sink: splitSink(output, newEpoch(output)) },
  );
  const child = capturing([{ sessionId, directory: output }]);
  const plain = `key \x1b[32m${token}\x1b[m end\n`;
  await until('all is stored', async () => (await storedEnd(sessionId)) === plain.length);
  await child.kill();
  const { bytes } = await stored(sessionId);
  expect(String(bytes)).toBe(maskSecrets(plain));
  expect(String(bytes)).not.toContain('A1b2');
});

function lastFile(directory: string): string {
  return join(directory, listOutputFiles(directory).at(-1)?.name ?? '');
}

/** The process that writes there. */
function sinkOf(directory: string): number {
  const found = readdirSync('/proc').find((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('split\0') &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${directory}/`)
        ? pid
        : undefined;
    } catch {
      return undefined;
    }
  });
  return Number(found);
}
