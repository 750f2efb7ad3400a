import { type CommandInput, startOrAdopt } from '../../../daemon/commands/runner.ts';

/** A daemon to be killed: runs the command given as JSON. */
const input = JSON.parse(process.argv[2] as string) as CommandInput;
await startOrAdopt({ ...input, startedAt: new Date(input.startedAt) });
