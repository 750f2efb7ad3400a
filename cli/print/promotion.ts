import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { Io } from '../io/io.ts';
import { printLint } from './lint.ts';
import { printJson } from './output.ts';
import { printRehearsal } from './rehearsal.ts';
import { visible } from './text.ts';

/** Says what was published, or what keeps the template from it. Returns the exit code. */
export function printPromotion(io: Io, answer: RpcResult<'template.promote'>, file: string, json?: boolean): number {
  const { lint, faults, rehearsal, promoted } = answer;
  if (json) printJson(io, answer);
  else {
    printLint(io, [{ ...lint, findings: lint.findings.map((finding) => ({ ...finding, file })) }], {});
    for (const { path, message } of faults) io.out(`${visible(`${path}: ${message}`)}\n`);
    if (rehearsal && !rehearsal.ok) printRehearsal(io, rehearsal);
    io.out(promoted ? `Published: ${visible(promoted.file)}\n` : 'Nothing was published.\n');
    for (const path of promoted?.artifacts ?? []) io.out(`           ${visible(path)}\n`);
  }
  return promoted ? 0 : 1;
}
