import { defined } from '../../../schemas/defined.ts';
import type { RightsHook } from '../../../schemas/repository/programRights.ts';
import { type LeftOut, listIn, MOST_HOOKS, otherKeys, plainIn, recordIn, textIn } from './reading.ts';

/** The form of hooks that Claude Code and Codex share: events with groups, which have a matcher and handlers. */
export interface HookForm {
  file: string;
  /** The events that devflow gives to agents. */
  events: readonly string[];
  /** Keys of a handler that start nothing. */
  options: readonly string[];
  /** True if a handler may have its arguments apart from its command. */
  hasArgs: boolean;
}

export interface ReadHooks {
  hooks: readonly RightsHook[];
  leftOut: readonly LeftOut[];
}

export function hooksIn(value: unknown, form: HookForm): ReadHooks {
  const hooks: RightsHook[] = [];
  const leftOut: LeftOut[] = [];
  const leave = (what: string, why: string) => leftOut.push({ file: form.file, what, why });
  for (const [event, groups] of Object.entries(recordIn(value) ?? {})) {
    if (!form.events.includes(event)) {
      leave(`hooks.${event}`, 'devflow gives no hooks of this event to agents');
      continue;
    }
    for (const [nth, group] of listIn(groups).entries()) {
      for (const [at, handler] of listIn(recordIn(group)?.hooks).entries()) {
        const read = readHandler(event, recordIn(group)?.matcher, handler, form);
        if ('why' in read) leave(`hooks.${event}[${nth}].hooks[${at}]`, read.why);
        else if (hooks.length >= MOST_HOOKS)
          leave(`hooks.${event}[${nth}].hooks[${at}]`, `more than ${MOST_HOOKS} hooks`);
        else hooks.push(read);
      }
    }
  }
  return { hooks, leftOut };
}

function readHandler(event: string, matcher: unknown, value: unknown, form: HookForm): RightsHook | { why: string } {
  const handler = recordIn(value);
  if (handler?.type !== 'command') return { why: 'it is no command' };
  const command = textIn(handler.command);
  if (command === undefined) return { why: 'its command is no text, or a very long one' };
  const args = handler.args === undefined ? undefined : listIn(handler.args).map((each) => textIn(each));
  if (args !== undefined && !(form.hasArgs && args.every((each) => each !== undefined)))
    return { why: 'its arguments are no list of texts' };
  const pattern = matcher === undefined || matcher === '' ? undefined : textIn(matcher);
  // Without its pattern, the hook would run for all tools.
  if (pattern === undefined && matcher !== undefined && matcher !== '') return { why: 'its matcher is no text' };
  const others = otherKeys(handler, ['type', 'command', ...(form.hasArgs ? ['args'] : []), ...form.options]);
  if (others.length > 0) return { why: `devflow does not know ${others.slice(0, 5).join(', ')}` };
  const options = plainIn(handler, form.options);
  if (Object.keys(options).length < otherKeys(handler, ['type', 'command', 'args']).length)
    return { why: `one of ${form.options.join(', ')} has no plain value` };
  return defined({ file: form.file, event, matcher: pattern, command, args: args as string[] | undefined, options });
}
