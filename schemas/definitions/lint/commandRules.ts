import type { Fault } from '../phaseKinds/fault.ts';
import type { Template } from '../template.ts';
import { isSure, mayChange } from './changes.ts';
import type { Known } from './known.ts';
import { networkUse } from './networkUse.ts';

/** What the commands of a template do, and what they verify. */
export function commandRules(template: Template, { checkCommand }: Pick<Known, 'checkCommand'>): Fault[] {
  const commands = template.phases.flatMap((phase, index) =>
    phase.commands.flatMap(({ argv }, nth): Fault[] => {
      const path = ['phases', index, 'commands', nth, 'argv'];
      const size = argv.join(' ').length;
      if (argv.length > MOST_WORDS || size > MOST_CHARACTERS) {
        const message = `the command has ${argv.length} words and ${size} characters, more than ${MOST_WORDS} or ${MOST_CHARACTERS}`;
        return [{ path, code: 'too_large', message }];
      }
      const { allowed, rule, reason } = checkCommand(argv);
      const text = shortened(argv.join(' '));
      const use = networkUse(argv);
      return [
        ...(allowed
          ? []
          : [
              {
                path,
                code: 'policy_violation' as const,
                message: `devflow will not run "${text}": ${reason} (${rule})`,
              },
            ]),
        ...(use ? [{ path, code: 'network_command' as const, message: `"${text}" needs the network: ${use}` }] : []),
        ...(use === 'git push'
          ? [{ path, code: 'pushes' as const, message: `"${text}" pushes to another repository` }]
          : []),
      ];
    }),
  );
  return [...commands, ...unchecked(template)];
}

/** One fault for the template: the remedy is the same for all its phases. */
function unchecked(template: Template): Fault[] {
  const { phases } = template;
  const last = phases.findLastIndex((phase) => isSure(phase) && ['command', 'evaluate'].includes(phase.kind));
  const lastOwn = phases.findLastIndex(({ lanes, review }) => (lanes?.checks ?? review?.checks) !== undefined);
  const open = phases.flatMap((phase, index) =>
    mayChange(template, phase) && index > last && index > lastOwn ? [index] : [],
  );
  const [first] = open;
  if (first === undefined) return [];
  const keys = open.map((index) => phases[index]?.key).join(', ');
  const message = `no later command checks the changes of ${open.length === 1 ? 'phase' : 'the phases'} ${keys}`;
  return [{ path: ['phases', first], code: 'unchecked_change', message }];
}

/** The policy looks at each end of a command, which takes long for a long one. */
const MOST_WORDS = 500;
const MOST_CHARACTERS = 16 * 1024;

const MOST_SHOWN = 80;

function shortened(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
