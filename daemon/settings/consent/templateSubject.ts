import type { Template, TemplatePhase } from '../../../schemas/definitions/template.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { hash } from '../../../schemas/hash.ts';
import type { MergedSettings } from '../../../schemas/repository/mergeSettings.ts';
import { commandText, originText } from '../../../schemas/repository/settingText.ts';
import { visible } from '../../../schemas/text/visible.ts';
import type { Subject } from './consentParts.ts';

/** Finds a template by `name` or `name@version`. Throws `template_not_found`. */
export type FindTemplate = (ref: string) => Promise<Template>;

/** Something that a phase runs whatever the person asks for. */
type Runs = { argv: string[] } | { step: 'discover' | 'rehearse' };

/**
 * The commands of a template that a file chose which is not the person's word for this repository. A template that the
 * person names needs no consent. Pure.
 */
export function templateSubject(
  { origins }: Pick<MergedSettings, 'origins'>,
  template: Pick<Template, 'name' | 'version' | 'phases'>,
): Subject | undefined {
  const origin = origins.get('template');
  if (origin?.isPersons !== false) return undefined;
  const runs = template.phases.flatMap((phase) => runsOf(phase).map((each) => ({ key: phase.key, each })));
  if (runs.length === 0) return undefined;
  const place = `template ${template.name}@${template.version}, ${originText(origin)}`;
  return {
    part: 'template',
    hash: hash({ part: 'template', runs: runs.map(({ each }) => each) }),
    lines: runs.map(({ key, each }) => `in phase ${visible(key)} ${words(each)} (${place})`),
    from: [origin.from],
  };
}

/** The same for the template that the settings name. A start says that there is none of the name. */
export async function chosenTemplateSubject(merged: MergedSettings, find: FindTemplate): Promise<Subject | undefined> {
  const { template: ref } = merged.settings;
  if (ref === undefined || merged.origins.get('template')?.isPersons !== false) return undefined;
  try {
    return templateSubject(merged, await find(ref));
  } catch (error) {
    if (error instanceof DevflowError && error.code === 'template_not_found') return undefined;
    throw error;
  }
}

function runsOf({ commands, step }: TemplatePhase): Runs[] {
  const own = commands.map(({ argv }) => ({ argv }));
  return step === 'discover' || step === 'rehearse' ? [...own, { step }] : own;
}

function words(each: Runs): string {
  if ('argv' in each) return `run ${commandText(each.argv)}`;
  return each.step === 'discover' ? 'try the commands that it finds' : 'try the commands of the draft';
}
