import { dockerRule } from './dockerRules.ts';
import { type Command, type Finding, unreadable } from './finding.ts';
import { gitInner, gitRule } from './gitRules.ts';
import { migrationRule } from './migrationRules.ts';
import { findExecRule, removalRule } from './removalRules.ts';
import { secretAssignmentRule, secretPathRule, secretRule } from './secretRules.ts';
import { readScript } from './shellScript.ts';
import { ShellUnreadable } from './shellUnreadable.ts';
import { sqlRule } from './sqlRules.ts';
import { splitAssignments, unwrap } from './unwrap.ts';

/** Scripts within scripts beyond this depth are nobody's honest work. */
const MAX_DEPTH = 12;

/** The first rule that a command or anything it would run breaks. */
export function inspectCommand(command: Command, depth = 0): Finding | undefined {
  if (depth > MAX_DEPTH) return unreadable('it is nested too deeply');
  const { assignments, rest } = splitAssignments(command.words);
  const early = secretPathRule(command.redirects) ?? secretAssignmentRule(assignments);
  const [head, ...args] = rest;
  if (!head || early) return early;
  if (head.dynamic || /[*?]/.test(head.text)) return unreadable('the program comes from a variable or a pattern');
  const program = head.text.slice(head.text.lastIndexOf('/') + 1);

  const inner = unwrap(program, args, command);
  if (inner.refused) return inner.refused;
  const git = gitInner(program, args);
  for (const script of [...(inner.scripts ?? []), ...git.scripts]) {
    const found = inspectScript(script, depth + 1);
    if (found) return found;
  }
  for (const nested of [...(inner.commands ?? []), ...git.commands]) {
    const problem = inspectCommand(nested, depth + 1);
    if (problem) return problem;
  }
  return inner.own === 'all' ? ruleOf(program, command, args) : secretRule(program, inner.own);
}

function ruleOf(program: string, command: Command, args: Command['words']): Finding | undefined {
  return (
    removalRule(program, args) ??
    findExecRule(program, args) ??
    gitRule(program, args) ??
    dockerRule(program, args) ??
    sqlRule(program, args, command.input) ??
    migrationRule(program, args) ??
    secretRule(program, args)
  );
}

/** As `inspectCommand`, for every command of a shell script and of the scripts inside it. */
function inspectScript(source: string, depth = 0): Finding | undefined {
  if (depth > MAX_DEPTH) return unreadable('it is nested too deeply');
  try {
    const { commands, scripts } = readScript(source);
    for (const command of commands) {
      const found = inspectCommand(command, depth + 1);
      if (found) return found;
    }
    for (const script of scripts) {
      const found = inspectScript(script, depth + 1);
      if (found) return found;
    }
    return undefined;
  } catch (error) {
    if (error instanceof ShellUnreadable)
      return unreadable(`the shell script cannot be read for certain (${error.message})`);
    throw error;
  }
}
