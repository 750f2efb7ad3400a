import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../cli/client/connect.ts';
import { followRun } from '../../cli/run/followRun.ts';
import { type Bench, createSheet } from './figure.ts';
import { writeOnePhase } from './onePhase.ts';
import { type Place, withPlace } from './place.ts';
import { makeRepository } from './repository.ts';

const FILES = 1_000;
/** Reads of an open gate after the first one. */
const AGAIN = 20;

/** How long a person waits for the page of a gate. */
export const sheet: Bench = {
  name: 'sheet',
  title: 'The page of a gate with a large change',
  reading:
    `A gate whose change has ${FILES} files of 40 lines, one line of each changed. \`approval.get\` is asked through the socket: first ` +
    `right after the gate opened, so that nothing is remembered, then ${AGAIN} times again, of which the median counts.`,
  run: ({ rounds = 5 }) =>
    withPlace(
      async (place) => {
        writeOnePhase(place, { name: 'bench-sheet', backend: 'fake', gates: ['spec_approved'] });
        const repo = makeLargeRepository(place);
        await place.devflow('up');
        const client = await place.connect();
        const values = createSheet();
        for (let round = -1; round < rounds; round += 1) {
          const approvalId = await openGate(place, client, repo);
          const first = await timed(client, approvalId);
          const again: number[] = [];
          for (let nth = 0; nth < AGAIN; nth += 1) again.push(await timed(client, approvalId));
          if (round >= 0) {
            values.add('first', first);
            values.add('again', again.toSorted((a, b) => a - b)[AGAIN / 2] as number);
          }
          await client.call('approval.decide', { approvalId, action: 'abort', clientToken: randomUUID() });
        }
        client.close();
        return [
          { name: 'the first read', unit: 'ms', rounds: values.of('first') },
          { name: 'a later read', unit: 'ms', rounds: values.of('again'), aim: { below: 30 } },
        ];
      },
      { DEVFLOW_ARTIFACT_DEBOUNCE_MS: '0', DEVFLOW_FAKE_DELAY_MS: '2000', DEVFLOW_LOG_LEVEL: 'info' },
    ),
};

const pathOf = (nth: number) => join(`part-${nth % 20}`, `file-${nth}.ts`);

function writeFiles(root: string, changed: string): void {
  for (let nth = 0; nth < FILES; nth += 1) {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at} of file ${nth}${at === 20 ? changed : ''}\n`);
    writeFileSync(join(root, pathOf(nth)), lines.join(''));
  }
}

function makeLargeRepository(place: Place): string {
  const repo = makeRepository(place, 'large');
  for (let nth = 0; nth < 20; nth += 1) mkdirSync(join(repo, `part-${nth}`));
  writeFiles(repo, '');
  for (const args of [
    ['add', '-A'],
    ['-c', 'commit.gpgsign=false', 'commit', '-q', '-m', 'Files'],
  ])
    execFileSync('git', args, { cwd: repo, stdio: 'ignore' });
  return repo;
}

/** Starts a run, changes the files while its agent works, and waits for its gate. */
async function openGate(place: Place, client: Client, repo: string): Promise<string> {
  const request = { repo, template: 'bench-sheet', requirements: 'Change all files.' };
  const started = await client.call('run.start', request);
  if (!('runId' in started)) throw new Error('not started');
  const { runId } = started;
  const end = new AbortController();
  let approvalId = '';
  await followRun({
    connect: place.connect,
    runId,
    afterSeq: 0,
    signal: end.signal,
    onEvent({ type, payload }) {
      if (type === 'prompt.sent') {
        void client
          .call('run.get', { runId })
          .then(({ worktreeRoot }) => writeFiles(worktreeRoot, `, in ${runId}`))
          .catch((error) => end.abort(error));
      }
      if (type !== 'approval.requested') return;
      approvalId = String(payload.approvalRequestId);
      end.abort();
    },
  });
  if (approvalId === '') throw new Error('no gate opened', { cause: end.signal.reason });
  return approvalId;
}

async function timed(client: Client, approvalId: string): Promise<number> {
  const begun = performance.now();
  const { sheet } = await client.call('approval.get', { approvalId });
  const ms = performance.now() - begun;
  if (sheet?.change?.files.length !== FILES) throw new Error(`the gate shows ${sheet?.change?.files.length} files`);
  return ms;
}
