import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { NewComment } from '../../../../schemas/comments/comment.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';

/** A comment about lines, but for what the test says. */
export function newComment(more: Partial<NewComment> = {}): NewComment {
  return NewComment.parse({ path: 'src/a.ts', line: 3, endLine: 4, quote: 'three();\nfour();', text: 'Why?', ...more });
}

/** A request for changes with comments, at the gate that is open first. */
export const requestWith =
  (comments: NewComment[], comment: string | null = null, clientToken = 'token') =>
  (run: Run): Signal => {
    const [gate] = openGates(run);
    return {
      type: 'decide',
      approvalRequestId: gate?.id ?? '',
      action: 'request_changes',
      comment,
      clientToken,
      comments,
    };
  };

/** A template of the package. */
export function shipped(name: string): Template {
  return Template.parse(parse(readFileSync(join(packageRoot(), 'schemas', 'templates', `${name}.yaml`), 'utf8')));
}
