import { Template } from '../../../../schemas/definitions/template.ts';

/** Six times three phases of agents and one of a command with a gate. */
export function manyPhases(count = 24): Template {
  const phases = Array.from({ length: count }, (_, nth) =>
    nth % 4 === 3
      ? {
          key: `check-${nth}`,
          title: 'Check',
          kind: 'command',
          risk: 'low',
          commands: [{ argv: ['npm', 'test'] }],
          gates: ['accepted'],
        }
      : {
          key: `make-${nth}`,
          title: 'Make',
          risk: 'medium',
          roles: [`role-${nth % 3}`],
          expectedArtifact: { path: 'a.json', schema: 'dev/implementation@1' },
          instructions: 'Do it.',
        },
  );
  const roles = [0, 1, 2].map((nth) => ({ id: `role-${nth}`, requiredCapabilities: ['code_edit'] }));
  return Template.parse({ name: 'many', version: 1, roles, phases });
}
