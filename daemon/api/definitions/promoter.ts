import { readTemplateText } from '../../../schemas/definitions/definitionFile.ts';
import type { Definitions } from '../../../schemas/definitions/definitions.ts';
import { absentRoles } from '../../../schemas/definitions/lint/absentRoles.ts';
import { lintTemplate } from '../../../schemas/definitions/lint/lintTemplate.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { RpcParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Backends } from '../../core/binding/candidates.ts';
import { rehearseInParts } from '../../core/rehearse/rehearse.ts';
import type { Shipped } from '../../definitions/factory/draft.ts';
import { type Publishing, publishTemplate } from '../../definitions/factory/publishing.ts';
import { shippedFaults } from '../../definitions/factory/shippedFaults.ts';
import { inParts } from '../../system/inParts.ts';
import { lintKnowledge } from './lintKnowledge.ts';

export interface PromoterParts {
  registry: Registry;
  current(): Pick<Definitions, 'templates' | 'personas'>;
  publishing: Publishing;
  backends?: Backends;
}

export type Promote = (params: RpcParams<'template.promote'>) => Promise<RpcResult<'template.promote'>>;

/** Promotes the template of a person, who has read it. It needs no database, so that `oneshot` answers without a daemon. */
export function createPromote({ registry, current, publishing, backends }: PromoterParts): Promote {
  return async ({ text, artifacts = [] }) => {
    const shipped = artifacts as readonly Shipped[];
    const brought = new Set(shipped.map(({ schema }) => schema));
    const schemas = { schemaFault: (id: string) => (brought.has(id) ? undefined : registry.schemaFault(id)) };
    const faults = shippedFaults({ artifacts: shipped }, (id) => registry.schemaFault(id) === undefined);
    const source = { text, file: 'template', isFile: false };
    const known = lintKnowledge(schemas, current(), backends);
    const { identity, findings, more } = lintTemplate(source, known);
    const lint = { ...(identity ?? { name: null, version: null, hash: null }), findings, more };
    const read = readTemplateText(text, schemas);
    const isRefused = !read.ok || findings.some(({ severity }) => severity === 'error');
    if (isRefused) return { lint, faults, rehearsal: null, promoted: null };
    const { name, version, hash, definition } = read.value;
    const rehearsal = await inParts(rehearseInParts(definition, absentRoles(definition, known)));
    if (!rehearsal.ok || faults.length > 0) return { lint, faults, rehearsal, promoted: null };
    const { states, steps } = rehearsal;
    const provenance = {
      template: { name, version, hash },
      promotedBy: 'devflow template promote',
      walk: { states, steps },
      warnings: findings.map(({ code, line, message }) => ({ code, line, message })),
    };
    const given = { name, version, yaml: text, artifacts: shipped, provenance };
    const promotion = await publishTemplate(given, hash, publishing);
    if (!promotion.ok) {
      throw new DevflowError('file_exists', `${promotion.reason}.`, {
        recoveryHint: 'Give the template its next version, and promote it again.',
      });
    }
    return { lint, faults, rehearsal, promoted: { file: promotion.file, artifacts: promotion.artifacts } };
  };
}
