import { GLOBAL } from './keys/global.ts';
import { type Binding, keyName } from './model/binding.ts';
import { initialModel, type Model } from './model/model.ts';
import { ALL_SCREENS } from './screens/index.ts';
import { NO_DAEMON } from './screens/noDaemon.ts';

export interface KeyTable {
  readonly title: string;
  /** Keys as a person reads them, and what they do. */
  readonly rows: readonly { readonly keys: readonly string[]; readonly help: string }[];
}

/** All keys, for docs/keys.md: first the global ones, then screen by screen. */
export function keyTables(): KeyTable[] {
  return [
    { title: 'Everywhere', rows: rows(GLOBAL) },
    ...ALL_SCREENS.map((screen) => ({ title: screen.title(at(screen.id)).trim(), rows: rows(screen.bindings) })),
    { title: 'While no daemon answers', rows: rows(NO_DAEMON) },
  ];
}

function at(screen: Model['place']['screen']): Model {
  const size = { columns: 80, rows: 24 };
  return initialModel({ size, now: 0, version: '', cwd: '/', place: { screen } });
}

function rows(bindings: readonly Binding[]): KeyTable['rows'] {
  return bindings.map(({ keys, help, label }) => ({ keys: keys.map(keyName), help: help || label }));
}
