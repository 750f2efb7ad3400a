import { KIND_DEFINITIONS } from '../../kinds/index.ts';
import { cutTo } from '../../text/phrases.ts';
import type { Fault } from '../phase/kindDefinition.ts';
import type { Template, TemplatePhase } from '../template.ts';
import { isSure, mayChange } from './changes.ts';
import type { Known } from './known.ts';
import { networkUse } from './networkUse.ts';

/** Rules about the commands of a template, and about checks of its changes. */
export function commandRules(template: Template, known: Pick<Known, 'checkCommand' | 'cannotFail'>): Fault[] {
  const { checkCommand } = known;
  const commands = template.phases.flatMap((phase, index) =>
    phase.commands.flatMap(({ argv }, nth): Fault[] => {
      const path = ['phases', index, 'commands', nth, 'argv'];
      if (isTooLong(argv)) {
        const size = argv.join(' ').length;
        const message = `the command has ${argv.length} words and ${size} characters, more than ${MOST_WORDS} or ${MOST_CHARACTERS}`;
        return [{ path, code: 'too_large', message }];
      }
      const { allowed, rule, reason } = checkCommand(argv);
      const text = cutTo(argv.join(' '), MOST_SHOWN);
      const use = networkUse(argv);
      const why = known.cannotFail(argv);
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
        ...(why ? [cannotFail(path, `"${text}" cannot fail: ${why}`, phase, known)] : []),
      ];
    }),
  );
  return [...commands, ...unchecked(template, known)];
}

/** Beside another command it is only noise. */
function cannotFail(
  path: Fault['path'],
  message: string,
  phase: TemplatePhase,
  known: Pick<Known, 'cannotFail'>,
): Fault {
  if (!isHollow(phase, known)) return { path, code: 'cannot_fail', message };
  return { path, code: 'hollow_check', message: `${message}, and no command of phase ${phase.key} can` };
}

/** No command of the phase can fail. Without any, the commands come from the start of a run. */
function isHollow({ commands }: TemplatePhase, { cannotFail }: Pick<Known, 'cannotFail'>): boolean {
  return commands.length > 0 && commands.every(({ argv }) => !isTooLong(argv) && cannotFail(argv) !== undefined);
}

/** One fault for the template: the remedy is the same for all its phases. */
function unchecked(template: Template, known: Pick<Known, 'cannotFail'>): Fault[] {
  const { phases } = template;
  const isCheck = (phase: TemplatePhase) =>
    ['own', 'measures'].includes(KIND_DEFINITIONS[phase.kind].commands) && !isHollow(phase, known);
  const last = phases.findLastIndex((phase) => isSure(phase) && isCheck(phase));
  const lastOwn = phases.findLastIndex(({ lanes, review }) => {
    const checks = lanes?.checks ?? review?.checks;
    return checks !== undefined && phases.some((phase) => phase.key === checks && isCheck(phase));
  });
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

function isTooLong(argv: readonly string[]): boolean {
  return argv.length > MOST_WORDS || argv.join(' ').length > MOST_CHARACTERS;
}

const MOST_SHOWN = 80;
