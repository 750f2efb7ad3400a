import type { Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { commandTree } from '../completion/tree.ts';
import { zshScript } from '../completion/zsh.ts';

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** The completion script for a shell, from the commands as they are defined. */
export function script(shell: keyof typeof SHELLS, program: Command): string {
  return SHELLS[shell](commandTree(program));
}
