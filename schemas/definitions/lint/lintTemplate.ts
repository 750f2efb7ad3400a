import type { Fault } from '../phase/kindDefinition.ts';
import { Template, TemplateShape, templateHash } from '../template.ts';
import { templateFaults } from '../templateFaults.ts';
import { artifactRules } from './artifactRules.ts';
import { commandRules } from './commandRules.ts';
import { gateRules } from './gateRules.ts';
import type { Known } from './known.ts';
import { type Linted, type LintedText, lintText } from './lintText.ts';
import { roleRules } from './roleRules.ts';
import { textRules } from './textRules.ts';

/** More than any template of a person. Some rules compare each phase with all others. */
const LIMITS = { phases: 200, roles: 50 };

/** Everything that is wrong with the text of a template, as far as it shows without a run. */
export function lintTemplate(given: LintedText, known: Known): Linted {
  return lintText<Template>(given, {
    schema: Template,
    shape: TemplateShape,
    hashOf: templateHash,
    limits: LIMITS,
    builtin: known.definitions.templates,
    faults: (template) => [
      ...templateFaults(template, known.schemas),
      ...gateRules(template),
      ...commandRules(template, known),
      ...roleRules(template, known),
      ...artifactRules(template),
      ...textRules(template),
      ...timeRules(template),
    ],
  });
}

const SHORTEST_MS = 10_000;
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** A time-out in seconds instead of milliseconds is a common slip. */
export function timeRules({ phases }: Template): Fault[] {
  return phases.flatMap(({ key, timeoutMs }, index): Fault[] => {
    if (timeoutMs === undefined || (timeoutMs >= SHORTEST_MS && timeoutMs <= LONGEST_MS)) return [];
    const message = `the time-out of phase ${key} is ${timeoutMs} ms, not between 10 seconds and 24 hours`;
    return [{ path: ['phases', index, 'timeoutMs'], code: 'odd_timeout', message }];
  });
}
