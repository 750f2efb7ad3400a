import type { Template } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';

/** Refuses a template with a phase that the engine cannot run. */
export function refuseLanes({ name, version, phases }: Template): void {
  const lanes = phases.find(({ kind }) => kind === 'lanes');
  if (!lanes) return;
  const message = `Template ${name}@${version} cannot be run: this devflow has no phases of kind lanes (${lanes.key}).`;
  throw new DevflowError('binding_refused', message, { recoveryHint: 'Choose another template.' });
}
