import { type Binding, keyName } from './keys/binding.ts';
import { GLOBAL } from './keys/global.ts';
import { known, need } from './model/data.ts';
import type { Model, Size } from './model/model.ts';
import { bodySize, LEAST } from './model/size.ts';
import { withOverlay } from './overlays/view.ts';
import { screenOf } from './screens/index.ts';
import { noDaemonView } from './screens/noDaemon.ts';
import { EMPTY, type Line, lay, line, over, sized, span, spread, wrap } from './text/line.ts';
import { theme } from './text/theme.ts';

/** What the header shows on every screen. */
export const STATUS = need('daemon.status', {});

/** All lines of the terminal, exactly `size.rows` of `size.columns` cells. Pure. */
export function view(model: Model): readonly Line[] {
  const { size, link } = model;
  if (size.columns < LEAST.columns || size.rows < LEAST.rows) return tooSmall(size);
  if (link.state === 'none' || link.state === 'other version') return filled(noDaemonView(model, size), size);
  const body = bodySize(model);
  const lines = withToasts(model, filled(screenOf(model).view(model, body), body), body);
  return [header(model), ...banner(model), ...withOverlay(model, lines, body), footer(model)];
}

function filled(lines: readonly Line[], { columns, rows }: Size): Line[] {
  return Array.from({ length: rows }, (_, row) => sized(lines[row] ?? EMPTY, columns));
}

function tooSmall(size: Size): Line[] {
  const say = `devflow needs ${LEAST.columns}x${LEAST.rows} cells; this is ${size.columns}x${size.rows}. Make it larger, or press q.`;
  return filled(wrap(say, size.columns), size);
}

const TABS = ['runs', 'approvals', 'sessions', 'templates', 'personas', 'doctor'] as const;
const PARENT: Readonly<Record<string, string>> = {
  run: 'runs',
  approval: 'approvals',
  session: 'sessions',
  new: 'runs',
};

function header(model: Model): Line {
  const status = known(model.data, STATUS);
  const here = PARENT[model.place.screen] ?? model.place.screen;
  const isShort = model.size.columns < 96;
  const tabs = TABS.flatMap((tab, nth) => {
    const waiting = tab === 'approvals' && status ? status.approvals.pending : 0;
    const count = waiting > 0 ? span(` ${waiting}`, theme.warn) : undefined;
    const isHere = tab === here;
    const name = isShort && !isHere ? tab.slice(0, 4) : tab;
    return line(' ', span(`${nth + 1} `, theme.key), span(name, isHere ? theme.title : theme.muted), count, ' ');
  });
  const link = { up: ['●', theme.good], away: ['○', theme.bad] }[model.link.state as string] ?? ['◌', theme.muted];
  const right = line(span(String(link[0]), link[1] as typeof theme.good), ' ');
  return over(spread(line(span(' devflow ', theme.accent), ...tabs), right, model.size.columns), theme.bar);
}

function banner({ link, now, size }: Model): Line[] {
  if (link.state !== 'away') return [];
  const seconds = Math.max(0, Math.round((now - link.since) / 1000));
  const say = ` The daemon is away (${seconds} s). What you see is from before; it goes on by itself when it is back.`;
  return [sized(line(span(say, theme.warn)), size.columns, theme.bar)];
}

function footer(model: Model): Line {
  const doing = model.busy.at(-1);
  const hint = ({ keys, label }: Binding) => line(span(keyName(keys[0] ?? ''), theme.key), ` ${label}  `);
  const all = [...screenOf(model).bindings, ...GLOBAL];
  const shown = all.filter((each) => each.footer && each.keys.length > 0 && each.disabled?.(model) === undefined);
  const right = doing === undefined ? [] : line(span(`${doing}… `, theme.accent));
  return over(spread(line(' ', ...shown.flatMap(hint)), right, model.size.columns), theme.bar);
}

function withToasts(model: Model, lines: Line[], { columns, rows }: Size): readonly Line[] {
  if (model.toasts.length === 0) return lines;
  const width = Math.min(columns - 4, 64);
  const said = model.toasts.flatMap(({ tone, text }) => {
    const sign = span({ good: ' ✓ ', warn: ' ! ', bad: ' ✗ ' }[tone], theme[tone]);
    return wrap(text, width - 4).map((each, nth) =>
      over(sized(line(nth === 0 ? sign : '   ', ...each), width), { bg: 238 }),
    );
  });
  const shown = said.slice(-Math.max(1, rows - 2));
  return lay(lines, shown, rows - shown.length, columns - width - 1);
}
