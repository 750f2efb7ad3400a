import { GLOBAL, START_KEY } from './keys/global.ts';
import { type Binding, keyName } from './model/binding.ts';
import type { Model } from './model/model.ts';
import { activeBindings, screenOf } from './screens/index.ts';
import { NAME, tabs } from './screens/tabs.ts';
import { fitWidth, type Line, line, lineWidth, span, spread, withStyle } from './text/line.ts';
import { theme } from './text/theme.ts';

/** The lines around the screen: where one is above, what may be pressed below. */
export function header(model: Model): Line {
  const sign = {
    up: span('●', theme.good),
    away: span('○', theme.bad),
    connecting: span('◌', theme.muted),
    none: span('○', theme.bad),
    'other version': span('○', theme.bad),
  }[model.link.state];
  const left = line(span(NAME, theme.accent), ...tabs(model).flatMap((tab) => tab.line));
  return withStyle(spread(left, line(sign, ' '), model.size.columns), theme.bar);
}

export function banner({ link, now, size }: Model): Line[] {
  if (link.state !== 'away') return [];
  const seconds = Math.max(0, Math.round((now - link.since) / 1000));
  const say = ` The daemon is away (${seconds} s); what you see is from before.  `;
  const hint = [span(keyName(START_KEY), theme.key), span(' starts it', theme.warn)];
  return [fitWidth(line(span(say, theme.warn), ...hint), size.columns, theme.bar)];
}

/** As many hints as there is room for; the way to all others is always among them. */
export function footer(model: Model): Line {
  if (!model.overlay && screenOf(model).typing?.(model))
    return withStyle(fitWidth(TYPING, model.size.columns), theme.bar);
  const doing = model.busy.at(-1);
  const right = doing === undefined ? [] : line(span(`${doing}… `, theme.accent));
  const { own, always } = hints(model);
  let room = model.size.columns - 1 - lineWidth(right) - lineWidth(always.flatMap(hint));
  const fitting = own.map(hint).filter((each) => {
    room -= lineWidth(each);
    return room >= 0;
  });
  return withStyle(spread(line(' ', ...fitting.flat(), ...always.flatMap(hint)), right, model.size.columns), theme.bar);
}

function hints(model: Model): { own: readonly Binding[]; always: readonly Binding[] } {
  const shows = (each: Binding) => each.footer && each.keys.length > 0 && each.disabled?.(model) === undefined;
  const own = activeBindings(model).filter(shows);
  const taken = new Set(own.flatMap(({ keys }) => keys));
  const others = GLOBAL.filter((each) => shows(each) && !each.keys.every((key) => taken.has(key)));
  const isHelp = ({ id }: Binding) => id === 'help';
  return { own: [...own, ...others.filter((each) => !isHelp(each))], always: others.filter(isHelp) };
}

/** While one types a letter is no command. */
const TYPING = line(' ', span('Enter', theme.key), ' keep what is typed  ', span('Esc', theme.key), ' show all again');

function hint({ keys, label }: Binding): Line {
  return line(span(keyName(keys[0] ?? ''), theme.key), ` ${label}  `);
}
