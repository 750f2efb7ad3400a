import { outputTail } from '../../commands/outputTail.ts';
import { maskSecrets } from '../../sessions/transcript/maskSecrets.ts';

/** The end of what a failed command printed, without secrets: it goes into events and prompts. */
export function tailOf(exitCode: number | null, files: { stdoutPath: string; stderrPath: string }): { tail?: string } {
  return exitCode === 0 ? {} : { tail: outputTail(files, maskSecrets) };
}
