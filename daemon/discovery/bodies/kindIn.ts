import { bestKind, type KindOf, kindOfCommand } from '../candidate/kindOfCommand.ts';
import { isNoCheck } from '../candidate/kindOfName.ts';
import { innerCommand } from '../candidate/wrappers.ts';
import { bodiesOf } from './bodiesOf.ts';
import type { CommitTexts } from './walk.ts';

/** Programs of which the name of a target or script says nothing, but its text does. */
const CALLERS = /^(?:g?make|npm|pnpm|yarn|bun|sh|bash)$/;

/** Kinds by what the texts of a commit say. `needs` gets the files that it could not read. */
export function kindIn(commit: CommitTexts, needs: Set<string>): KindOf {
  return (argv, cwd) => {
    const byWords = kindOfCommand(argv);
    const [program = '', ...words] = innerCommand(argv);
    if (byWords !== undefined || !(CALLERS.test(program) || program.includes('/'))) return byWords;
    if ([program, ...words].some((word) => !word.startsWith('-') && isNoCheck(word))) return undefined;
    const found = bodiesOf({ argv: [...argv], cwd, from: { path: '', line: 1, quote: '' } }, commit);
    for (const each of found.needs) needs.add(each);
    const commands = found.bodies.flatMap(({ text }) => commit.commandsOf(text));
    return bestKind(commands.map((command) => kindOfCommand(command.words.map(({ text }) => text))));
  };
}
