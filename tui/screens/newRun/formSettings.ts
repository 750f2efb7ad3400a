import { parseArgv } from '../../../cli/client/parseArgv.ts';
import { defined } from '../../../schemas/defined.ts';
import { addsChecks, CHECKS, checksKey } from '../../../schemas/repository/checks.ts';
import type { ConsentView } from '../../../schemas/repository/consent.ts';
import { commandText } from '../../../schemas/repository/settingText.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Model } from '../../model/model.ts';
import { answerOf, type QueryOf, query } from '../../model/query.ts';
import { settingsQuery, shortPlace } from '../repository/shownRepository.ts';
import { formOf, type NewForm, repoOf } from './form.ts';

type View = RpcResult<'repository.show'>;
type Row = View['rows'][number];
type TemplateEntry = RpcResult<'template.list'>[number];

export const TEMPLATES = query('template.list', {});

/** Asks for the settings of the form's repository; undefined if nobody named one. */
export function formSettingsQuery(model: Model): QueryOf<'repository.show'> | undefined {
  const { host, repo = '', base } = formOf(model);
  if (host !== undefined && !repo.startsWith('/')) return undefined;
  return settingsQuery({ repo: repoOf(model), ...defined({ base: base || undefined, host }) });
}

export function settingsOf(model: Model): View | undefined {
  const asked = formSettingsQuery(model);
  return asked && answerOf(model.data, asked);
}

/** A setting of the repository, by its dotted key. */
export function settingRow(model: Model, key: string): Row | undefined {
  return settingsOf(model)?.rows.find((row) => row.key === key);
}

/** The file and line that says so, for a value that the form does not say itself. */
export function settingPlace(model: Model, key: string): string | undefined {
  const row = settingRow(model, key);
  return row && shortPlace(row);
}

/** The template of the run: the chosen one, else that of the settings. A name without a version is the newest. */
export function templateOf(model: Model): TemplateEntry | undefined {
  const ref = templateRef(model);
  const all = answerOf(model.data, TEMPLATES) ?? [];
  const [name, version] = (ref ?? '').split('@');
  const named = all.filter((each) => each.name === name && (version === undefined || `${each.version}` === version));
  return named.toSorted((a, b) => b.version - a.version)[0];
}

export function templateRef(model: Model): string | undefined {
  const { template } = formOf(model);
  const value = template ?? settingRow(model, 'template')?.value;
  return typeof value === 'string' ? value : undefined;
}

/** The checks of the settings that this run takes. */
function settledChecks(model: Model): Row | undefined {
  const row = settingRow(model, CHECKS);
  const isWanted = addsChecks(row?.from, formOf(model).template !== undefined);
  const takes = checksKey(templateOf(model)?.phases ?? []);
  return isWanted && takes !== undefined ? row : undefined;
}

/** The checks of the work, as a person would type them: those of the form, else those of the settings. */
export function checksOf(model: Model): { texts: readonly string[]; place: string | undefined } {
  const { verify } = formOf(model);
  const row = verify.length > 0 ? undefined : settledChecks(model);
  if (row === undefined) return { texts: verify, place: undefined };
  return { texts: (row.value as string[][]).map(typed), place: shortPlace(row) };
}

/** A text that is read as this command. */
function typed(argv: string[]): string {
  const text = commandText(argv);
  try {
    const isSame = parseArgv('', text).join('\0') === argv.join('\0');
    return isSame ? text : JSON.stringify(argv);
  } catch {
    return JSON.stringify(argv);
  }
}

/** The parts of the settings that need consent. */
export function consentsOf(model: Model): readonly ConsentView[] {
  const { verify, sandbox, template } = formOf(model);
  const isChecked = verify.length === 0 && settledChecks(model) !== undefined;
  const isUsed: Partial<Record<ConsentView['part'], boolean>> = {
    [CHECKS]: isChecked,
    sandbox: sandbox === undefined,
    template: template === undefined,
  };
  return settingsOf(model)?.consents.filter(({ part }) => isUsed[part] ?? true) ?? [];
}

/** Those that nobody decided about, and that the person did not decline for this run. */
export function openConsents(model: Model): readonly ConsentView[] {
  const { declined } = formOf(model);
  return consentsOf(model).filter(({ state, hash }) => state === 'unknown' && !declined.includes(hash));
}

/** The person says no for this run alone. */
export function decline(consents: readonly ConsentView[]): Pick<NewForm, 'declined'> {
  return { declined: consents.map(({ hash }) => hash) };
}
