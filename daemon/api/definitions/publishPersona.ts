import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { type UserDefinitions, writeNew } from '../../harness/factory/promoteTemplate.ts';
import type { Linters } from './linters.ts';

export type PublishPersona = (params: RpcParams<'persona.publish'>) => RpcResult<'persona.publish'>;

/** Publishes a persona of the person. It needs no database, so that `oneshot` answers without a daemon. */
export function createPublishPersona(
  linters: Pick<Linters, 'lintPersona'>,
  userDefinitions: Pick<UserDefinitions, 'personas'>,
): PublishPersona {
  return ({ text }) => {
    const lint = linters.lintPersona({ text });
    const { name, version, findings } = lint;
    const isRefused = findings.some(({ severity }) => severity === 'error');
    if (isRefused || name === null || version === null) return { lint, published: null };
    const file = join(userDefinitions.personas, `${name}@${version}.yaml`);
    if (writeNew(file, text)) return { lint, published: file };
    throw new DevflowError('file_exists', `${file} is there already, with other content.`, {
      recoveryHint: 'Give the persona its next version, and publish it again.',
    });
  };
}
