import { Persona, permissionModeFor, personaHash, personaWarnings } from '../persona.ts';
import type { Fault } from '../phase/kindDefinition.ts';
import type { Known } from './known.ts';
import { type Linted, type LintedText, lintText } from './lintText.ts';
import { agentTextFaults } from './textRules.ts';

/** Everything that is wrong with the text of a persona. */
export function lintPersona(given: LintedText, known: Pick<Known, 'definitions' | 'isAvailable'>): Linted {
  return lintText<Persona>(given, {
    schema: Persona,
    shape: Persona,
    hashOf: personaHash,
    limits: {},
    builtin: known.definitions.personas,
    faults: (persona) => [
      ...personaWarnings(persona).map(({ path, message }) => ({
        path: ['modelConfig', path.slice('modelConfig.'.length)],
        code: 'unused_setting' as const,
        message,
      })),
      ...backendFaults(persona, known),
      ...permissionFaults(persona),
      ...roleFaults(persona, known),
      ...Object.entries(persona.promptConfig).flatMap(([key, text]) => agentTextFaults(text, ['promptConfig', key])),
    ],
  });
}

function backendFaults({ backend }: Persona, { isAvailable }: Pick<Known, 'isAvailable'>): Fault[] {
  if (!isAvailable || isAvailable(backend)) return [];
  return [{ path: ['backend'], code: 'backend_absent', message: `the backend ${backend} is not available` }];
}

function permissionFaults({ capabilities, maxRiskLevel }: Persona): Fault[] {
  const idle = capabilities.filter((capability) => {
    const modeAt = (risk: Persona['maxRiskLevel']) =>
      permissionModeFor({ capabilities: [capability], maxRiskLevel: risk });
    return modeAt('high') !== 'read' && modeAt(maxRiskLevel) === 'read';
  });
  const isReader = permissionModeFor({ capabilities, maxRiskLevel }) === 'read';
  if (!isReader || idle.length === 0) return [];
  const message = `with maxRiskLevel ${maxRiskLevel} the agent may only read, so it cannot use ${idle.join(', ')}`;
  return [{ path: ['capabilities'], code: 'capability_without_permission', message }];
}

function roleFaults({ allowedRoles = [] }: Persona, { definitions }: Pick<Known, 'definitions'>): Fault[] {
  const known = new Set(definitions.templates.flatMap(({ definition }) => definition.roles.map(({ id }) => id)));
  return allowedRoles.flatMap((role, index): Fault[] => {
    if (known.has(role)) return [];
    const message = `no known template has a role ${role}`;
    return [{ path: ['allowedRoles', index], code: 'role_of_no_template', message }];
  });
}
