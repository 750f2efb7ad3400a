import { setInterval } from 'node:timers';
import { connectionConfig } from '../../../../../daemon/db/connect.ts';
import { databaseOver } from '../../../../../daemon/db/database.ts';
import { forgetBefore } from '../../../../../daemon/sessions/tmux/output/outputFiles.ts';
import { tailOutput } from '../../../../../daemon/sessions/tmux/output/outputTail.ts';
import { createTranscripts } from '../../../../../daemon/sessions/transcript/transcript.ts';
import { transcriptStore } from '../../../../../daemon/store/transcripts.ts';

/** A daemon to be killed: copies what the panes print into the database, as `heldSession` does, until nobody asks. */
const { connection, panes } = JSON.parse(process.argv[2] as string) as {
  connection: Parameters<typeof connectionConfig>[0];
  panes: { sessionId: string; directory: string }[];
};
const database = databaseOver('embedded', connectionConfig(connection), { adopted: true, stop: async () => {} });
const transcripts = createTranscripts({
  log: { warn: (facts: unknown) => console.error(facts), trace: () => {} },
  store: transcriptStore(database.drizzle),
  gatherMs: 5,
});
for (const { sessionId, directory } of panes) void copy(sessionId, directory);

async function copy(sessionId: string, directory: string): Promise<void> {
  const from = await transcripts.resume(sessionId, async (before) => forgetBefore(directory, Number(before)));
  for await (const { offset, bytes, mark } of tailOutput({ directory, fromOffset: Number(from) })) {
    const endOffset = BigInt(offset + bytes.length);
    await transcripts.write(sessionId, { content: '', bytes, endOffset, mark });
  }
}

// Ends with the test, however that ends. Most memory it ever had, for the test to see.
let most = 0;
setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss);
  process.stdout.write(`${Math.round(most / 1024 / 1024)}\n`);
}, 20);
process.stdin.on('end', () => process.exit()).resume();
