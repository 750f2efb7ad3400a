import type { Definitions } from '../../../schemas/definitions/definitions.ts';
import { findDefinition } from '../../../schemas/definitions/findDefinition.ts';
import type { LintedText } from '../../../schemas/definitions/lint/lintText.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { readSettingsFile } from '../../../schemas/files/openRegular.ts';
import type { DefinitionSource } from '../../../schemas/rpc/views/lint.ts';

/** The text that a caller gives, or that of a loaded definition. Throws if there is none of that name. */
export function sourceText(
  { text, file, ref }: DefinitionSource,
  files: Pick<Definitions, 'templates' | 'personas'>,
  kind: 'template' | 'persona',
): LintedText {
  if (ref === undefined) {
    return { text: text ?? '', file: file ?? kind, isFile: file !== undefined && file !== '-' };
  }
  const found = findDefinition<{ name: string; version: number; file: string }>(files[`${kind}s`], ref, kind);
  const read = readSettingsFile(found.file);
  if (!read.ok) throw new DevflowError(`${kind}_not_found`, `${found.file}: ${read.fault}.`, { data: { ref } });
  return { text: read.bytes.toString('utf8'), file: found.file, isFile: true };
}
