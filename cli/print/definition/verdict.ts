import { basename } from 'node:path';
import { findingSentence } from '../../../schemas/findings/locatedFinding.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Verdict } from '../../../schemas/rpc/views/artifact.ts';
import type { DefinitionVerdict } from '../../../schemas/rpc/views/definition.ts';
import type { Io } from '../../io/io.ts';
import { paint, printJson } from '../output.ts';
import { visible } from '../text.ts';

/** Prints the errors of a validator, one a line. Returns the exit code. */
export function printVerdict(io: Io, verdict: Verdict, file: string, json?: boolean): number {
  if (json) printJson(io, verdict);
  else if (verdict.ok) io.out(`${visible(file)}: ${paint(io, 'green', 'valid')}\n`);
  else {
    for (const error of verdict.errors) io.out(`${visible(asLine(file, error))}\n`);
    if (verdict.errors.length === 0) io.out(`${visible(file)}: not valid\n`);
  }
  return verdict.ok ? 0 : 1;
}

/** Like `printVerdict`, for an artifact. Warnings do not change the exit code. */
export function printArtifactVerdict(
  io: Io,
  verdict: RpcResult<'artifact.validate'>,
  file: string,
  json?: boolean,
): number {
  const code = printVerdict(io, verdict, file, json);
  if (json) return code;
  for (const warning of verdict.warnings ?? []) {
    io.out(`${paint(io, 'yellow', 'warning')}: ${visible(asLine(file, warning))}\n`);
  }
  return code;
}

/** An error with its place. An error in a document of a contract has a code, and often a line. */
function asLine(file: string, { path, message, code, line }: Verdict['errors'][number]): string {
  return code === undefined
    ? `${file}: ${path || '/'}: ${message}`
    : findingSentence({ path: file, message, code, line });
}

/** Like `printVerdict`, for a template or persona. Also prints warnings, which do not change the exit code. */
export function printDefinitionVerdict(io: Io, verdict: DefinitionVerdict, file: string, json?: boolean): number {
  const code = printVerdict(io, verdict, file, json);
  if (json || !verdict.ok) return code;
  const warnings = [...(verdict.warnings ?? []), ...misnamed(verdict, file)];
  for (const { path, message } of warnings) {
    io.out(`${paint(io, 'yellow', 'warning')}: ${visible(path ? `${path}: ${message}` : message)}\n`);
  }
  return code;
}

/** The daemon does not load a file whose name differs from its content. */
function misnamed({ name, version }: DefinitionVerdict, file: string) {
  const expected = `${name}@${version}.yaml`;
  if (file === '-' || basename(file) === expected) return [];
  return [{ path: '', message: `the daemon loads this file only under the name ${expected}` }];
}
