import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ContinueSignal } from '../../../../daemon/core/continueRun.ts';
import { Template, templateHash } from '../../../../schemas/definitions/template.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import type { Input } from './given.ts';
import { bindingsFor } from './run.ts';

/** A published template, such as `quick-change@2`. */
export function shipped(ref: string): Template {
  return Template.parse(parse(readFileSync(join(packageRoot(), 'schemas/templates', `${ref}.yaml`), 'utf8')));
}

/** A person lets this template follow. */
export function continues(template: Template, more: Partial<ContinueSignal> = {}): Input {
  return (run) => ({
    type: 'continue',
    clientToken: 'continue 1',
    templateId: derivedId('template', template.name),
    templateHash: templateHash(template),
    template,
    bindings: bindingsFor(template).filter(({ role }) => !run.bindings.some((bound) => bound.role === role)),
    extra: { verify: [['npm', 'test']] },
    requirementsMd: null,
    now: false,
    ...more,
  });
}
