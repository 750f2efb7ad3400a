import { commentPlace } from '../../../schemas/comments/commentWords.ts';
import type { RpcParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Approval } from '../../define/approval.ts';
import { DECLINED } from '../../input/confirm.ts';
import { onlyGate } from '../../input/onlyOne.ts';
import { usage } from '../../input/parse.ts';
import { readJson } from '../../input/readInput.ts';
import type { Io } from '../../io/io.ts';
import { printJson, printTable } from '../../print/output.ts';
import { confirmChosen, printDecision } from './decide.ts';

type Comments = RpcParams<'approval.checkComments'>['comments'];
type Checked = RpcResult<'approval.checkComments'>;

/** The exit code of a decision that is refused because of its comments. */
const MISPLACED = 5;

export const action: Approval['request-changes'] = async (
  params,
  { gate: given, json, yes, comments: file, dryRun },
  io,
  name,
) => {
  if (dryRun && file === undefined) throw usage('--dry-run needs --comments', 'Give the comments to look at.');
  const comments = file === undefined ? undefined : await readComments(io, file);
  return withDaemon(io, async (client) => {
    const approvalId = given ?? (await onlyGate(client, 'request_changes'));
    if (dryRun && comments) {
      const checked = await client.call('approval.checkComments', { approvalId, comments });
      if (json) printJson(io, checked);
      else printChecked(io, comments, checked);
      return checked.every(({ place }) => place === 'same') ? 0 : MISPLACED;
    }
    const decided = { ...params, approvalId, action: 'request_changes' as const, ...(comments ? { comments } : {}) };
    const isChosen = given === undefined && !yes;
    const gate = json && !isChosen ? undefined : await client.call('approval.get', { approvalId });
    if (gate && isChosen && !(await confirmChosen(io, gate, name))) return DECLINED;
    printDecision(io, await client.call('approval.decide', decided), json ? undefined : gate);
    return 0;
  });
};

/** The daemon checks each comment, and names what is wrong. */
async function readComments(io: Io, file: string): Promise<Comments> {
  const read = await readJson(io, file, 'the comments');
  if (Array.isArray(read)) return read as Comments;
  throw usage('the comments are no JSON list', 'Give a list such as [{"path": "a.ts", "line": 3, "text": "Why?"}].');
}

function printChecked(io: Io, comments: Comments, checked: Checked): void {
  printTable(
    io,
    checked,
    [
      { title: 'COMMENT', cell: ({ at }) => at + 1, align: 'right' },
      { title: 'ABOUT', cell: ({ at }) => placeOf(comments[at]) },
      { title: 'PLACE', cell: ({ place }) => place },
      { title: 'REASON', cell: ({ reason }) => reason ?? null, spare: 1 },
    ],
    'There are no comments.',
  );
}

const NOWHERE = { path: null, line: null, endLine: null, artifact: null, pointer: null } as const;

function placeOf(comment: Comments[number] | undefined): string {
  const about = {
    ...NOWHERE,
    side: 'new' as const,
    quote: '',
    kind: 'change' as const,
    text: '',
    id: '',
    anchor: null,
  };
  return commentPlace({ ...about, ...comment });
}
