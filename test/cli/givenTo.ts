import { Command } from 'commander';
import { addCommand, type Declared, type OwnOf, type ParamsOf } from '../../cli/define/command.ts';
import { fakeIo } from './fakeIo.ts';

/** What a command line gives to the action of a command. Throws as the command line does. */
export async function givenTo<D extends Declared>(
  declared: D,
  ...words: string[]
): Promise<{ params: ParamsOf<D>; own: OwnOf<D> }> {
  const given: { params: ParamsOf<D>; own: OwnOf<D> }[] = [];
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  addCommand(program, { io: fakeIo({ cwd: '/home/ada' }), exit: () => {} }, 'it', declared, async () => ({
    action: async (params, own) => {
      given.push({ params, own });
      return undefined;
    },
  }));
  await program.parseAsync(['it', ...words], { from: 'user' });
  const [only] = given;
  if (!only) throw new Error('the action did not run');
  return only;
}
