import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { movedNote } from '../../../schemas/rpc/views/movedNote.ts';
import { shellWord } from '../../../schemas/text/visible.ts';
import { uncommittedNote } from '../../../schemas/worktreeState.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Run } from '../../define/run.ts';
import { onlyRun } from '../../input/onlyOne.ts';
import { usage } from '../../input/parse.ts';
import type { Io } from '../../io/io.ts';
import { printJson } from '../../print/output.ts';
import { page } from '../../print/pager.ts';
import { patchLines } from '../../print/patch.ts';
import { shortId, visible } from '../../print/text.ts';

export const action: Run['diff'] = async (_params, { run, json, stat, nameOnly, pager }, io) => {
  if (stat && nameOnly) throw usage('--stat and --name-only cannot be used together');
  const diff = await withDaemon(io, async (client) =>
    client.call('run.diff', { runId: run ?? (await onlyRun(io, client, 'any')) }),
  );
  if (json) {
    printJson(io, diff);
    return 0;
  }
  const lines = nameOnly ? namesOf(diff) : stat ? statOf(diff) : patchLines(io, diff.patch);
  if (diff.totals.files > 0) await page(io, `${lines.join('\n')}\n`, pager);
  printNotes(io, diff, { isPatch: !stat && !nameOnly });
  return 0;
};

type Diff = RpcResult<'run.diff'>;

function namesOf({ files }: Diff): string[] {
  return files.map(({ path }) => visible(path));
}

function statOf({ stat }: Diff): string[] {
  return visible(stat, 'text').split('\n');
}

/** Says on standard error what the text does not show. */
function printNotes(io: Io, diff: Diff, { isPatch }: { isPatch: boolean }): void {
  const { branch, base, head, totals, files, truncated, uncommittedFiles, moved } = diff;
  const say = (text: string) => io.err(`${text}\n`);
  if (totals.files === 0)
    say(`Run ${shortId(diff.runId)} changes nothing: no commit differs from ${base.slice(0, 12)}.`);
  if (branch === null) say('The branch of the run is gone. This is its last commit.');
  if (moved) say(movedNote(moved));
  if (isPatch && truncated) {
    const range = [base, head].map((commit) => shellWord(commit.slice(0, 12))).join(' ');
    say(`The patch is cut. To see all of it, run in the repository: git diff ${range}`);
  }
  if (!isPatch && files.length < totals.files) say(`Only ${files.length} of ${totals.files} files are listed.`);
  if (uncommittedFiles) say(uncommittedNote(uncommittedFiles));
}
