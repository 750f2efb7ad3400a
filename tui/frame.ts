import { WITHOUT_SERVER } from '../schemas/states/host.ts';
import { localTime } from '../schemas/time/localTime.ts';
import { GLOBAL, START_KEY } from './keys/global.ts';
import { type Binding, keyName } from './model/binding.ts';
import type { Model } from './model/model.ts';
import { activeBindings, screenOf } from './screens/index.ts';
import { NAME, tabs } from './screens/tabs.ts';
import { fitWidth, type Line, line, lineWidth, span, spread, withStyle } from './text/line.ts';
import { theme } from './text/theme.ts';
import { awayServer } from './widgets/bodySize.ts';

/** The tabs, and the state of the connection. */
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

export function banner(model: Model): Line[] {
  const { link, now, size } = model;
  const server = awayServer(model);
  if (server) return [fitWidth(line(span(withoutServer(server), theme.warn)), size.columns, theme.bar)];
  if (link.state !== 'away') return [];
  const seconds = Math.max(0, Math.round((now - link.since) / 1000));
  const message = link.why
    ? ` ${link.why} This data is old.  `
    : ` Lost the daemon ${seconds} s ago; this data is old.  `;
  const hint = [span(keyName(START_KEY), theme.key), span(' starts the daemon', theme.warn)];
  return [fitWidth(line(span(message, theme.warn), ...hint), size.columns, theme.bar)];
}

function withoutServer({ since }: { since: string }): string {
  return ` devflow waits for Temporal since ${localTime(since)}. ${WITHOUT_SERVER}`;
}

/** The hints that fit. The key of the help is always among them. */
export function footer(model: Model): Line {
  if (!model.overlay && screenOf(model).typing?.(model))
    return withStyle(fitWidth(TYPING, model.size.columns), theme.bar);
  const doing = model.busy.at(-1);
  const right = doing === undefined ? [] : line(span(`${doing}… `, theme.accent));
  const { own, always } = hints(model);
  let left = model.size.columns - 1 - lineWidth(right) - lineWidth(always.flatMap(hint));
  const fitting = own.map(hint).filter((each) => {
    left -= lineWidth(each);
    return left >= 0;
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

/** Shown while one types, when letters are not keys. */
const TYPING = line(' ', span('Enter', theme.key), ' keep  ', span('Esc', theme.key), ' clear');

function hint({ keys, label }: Binding): Line {
  return line(span(keyName(keys[0] ?? ''), theme.key), ` ${label}  `);
}
