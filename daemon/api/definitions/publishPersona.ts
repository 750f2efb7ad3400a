import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { writeNew } from '../../definitions/factory/promoteTemplate.ts';
import { type Publishing, whyTaken } from '../../definitions/factory/publishing.ts';
import type { Linters } from './linters.ts';

export type PublishPersona = (params: RpcParams<'persona.publish'>) => Promise<RpcResult<'persona.publish'>>;

/** Publishes a persona of the person. It needs no database, so that `oneshot` answers without a daemon. */
export function createPublishPersona(linters: Pick<Linters, 'lintPersona'>, publishing: Publishing): PublishPersona {
  return async ({ text }) => {
    const lint = linters.lintPersona({ text });
    const { name, version, hash, findings } = lint;
    const isRefused = findings.some(({ severity }) => severity === 'error');
    if (isRefused || name === null || version === null || hash === null) return { lint, published: null };
    const file = join(publishing.places.personas, `${name}@${version}.yaml`);
    const taken = await whyTaken('persona', { name, version, hash }, publishing);
    if (taken !== undefined) throw isThere(taken);
    if (!writeNew(file, text)) throw isThere(`${file} is there already, with other content`);
    await publishing.takeUp();
    return { lint, published: file };
  };
}

function isThere(reason: string): DevflowError {
  return new DevflowError('file_exists', `${reason}.`, {
    recoveryHint: 'Give the persona its next version, and publish it again.',
  });
}
