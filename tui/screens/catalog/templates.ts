import { byLastUse } from '../../../schemas/definitions/shippedTemplates.ts';
import type { PhaseKind } from '../../../schemas/enums.ts';
import { laneSettings } from '../../../schemas/kinds/lanes/settings.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { TemplateSummary } from '../../../schemas/rpc/views/definition.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Model } from '../../model/model.ts';
import { answerOf, query } from '../../model/query.ts';
import { EMPTY, fitWidth, type Line, line, span, wrap } from '../../text/line.ts';
import { memoize } from '../../text/memoize.ts';
import { theme } from '../../text/theme.ts';
import { createCatalogScreen } from './catalogScreen.ts';
import { fact, heading, nameOf, problemLines, quoted, usedBy } from './definitionText.ts';

const TEMPLATES = query('template.list', {});
const ordered = memoize((all: readonly TemplateSummary[]) => byLastUse(all));
const detailOf = (item: TemplateSummary) => query('template.get', { template: nameOf(item) });

export const templates = createCatalogScreen<TemplateSummary>({
  id: 'templates',
  title: 'Templates',
  key: { key: '4', label: 'templates', help: 'Go to the templates' },
  queries: (_, selected) => [TEMPLATES, ...(selected ? [detailOf(selected)] : [])],
  items(model) {
    const all = answerOf(model.data, TEMPLATES);
    return all && ordered(all);
  },
  keyOf: nameOf,
  columns: [
    { title: 'template', text: nameOf },
    { title: 'hash', text: ({ hash }) => hash.slice(0, 8) },
    {
      title: 'phases',
      text: ({ phases }) => `${counted(phases.length, 'phase')} ${phases.join(' → ')}`,
      order: ({ phases }) => phases.length,
    },
  ],
  also: ({ hash, about = '', phases, roles }) => [hash, about, ...phases, ...roles].join(' '),
  row: (item) =>
    line(
      ...fitWidth(line(span(nameOf(item), theme.title)), 20),
      span(` ${item.hash.slice(0, 8)} `, theme.muted),
      ` ${counted(item.phases.length, 'phase')}`,
      span(` ${item.phases.join(' → ')}`, theme.muted),
    ),
  copies: (item) => [
    { what: 'template', text: nameOf(item) },
    { what: 'hash', text: item.hash },
  ],
  text: templateLines,
  notice: (model, columns) => problemLines(model, 'template', columns),
  empty: 'There are no templates.',
});

function templateLines(model: Model, item: TemplateSummary, columns: number): Line[] {
  const detail = answerOf(model.data, detailOf(item));
  return [
    ...fact('template', nameOf(item), columns, theme.title),
    ...(item.about === undefined ? [] : fact('about', item.about, columns)),
    ...fact('hash', item.hash, columns),
    ...fact('used by', usedBy(detail?.usedBy), columns),
    ...(detail ? definitionLines(detail.definition, columns) : [EMPTY, line(span('Loading…', theme.muted))]),
  ];
}

type Definition = RpcResult<'template.get'>['definition'];

function definitionLines(definition: Definition, columns: number): Line[] {
  const roles = definition.roles.flatMap((role) => {
    const { id, requiredCapabilities, preferredBackends, count: times, diversity } = role;
    const facts = [
      ...(times > 1 ? [counted(times, 'agent')] : []),
      ...(diversity?.requireDifferentBackends ? ['each on a different backend'] : []),
      `needs ${requiredCapabilities.join(', ') || 'nothing'}`,
      ...(preferredBackends.length > 0 ? [`prefers ${preferredBackends.join(', then ')}`] : []),
    ];
    return fact(id, facts.join('; '), columns);
  });
  const phases = definition.phases.flatMap((phase, nth) => [EMPTY, ...phaseLines(definition, phase, nth + 1, columns)]);
  return [...heading('Roles'), ...roles, ...heading('Phases'), ...phases];
}

type Phase = Definition['phases'][number];

function phaseLines(definition: Definition, phase: Phase, number: number, columns: number): Line[] {
  const { key, title, kind, risk, roles, expectedArtifact, commands, instructions, timeoutMs, sessionBoundary } = phase;
  const gates = phase.gates.length > 0 ? phase.gates : expectedArtifact ? definition.defaultGates : [];
  const inner = columns - 2;
  return [
    line(span(`${number} ${key}`, theme.accent), '  ', span(title, theme.title)),
    ...[
      ...fact('kind', `${kind}, risk ${risk}`, inner),
      ...(roles.length > 0 ? fact('roles', roles.join(', '), inner) : []),
      ...settingsOf(definition, phase, inner),
      ...(expectedArtifact ? fact('artifact', `${expectedArtifact.path} (${expectedArtifact.schema})`, inner) : []),
      ...fact('gates', gates.length > 0 ? gates.join(', ') : 'none', inner),
      ...(timeoutMs === undefined ? [] : fact('timeout', `${Math.round(timeoutMs / 1000)} s`, inner)),
      ...(sessionBoundary ? fact('session', 'new', inner) : []),
      ...commands.flatMap((each) => fact(each.kind, each.argv.join(' '), inner)),
      ...(instructions === undefined
        ? []
        : [...wrap('instructions', inner, theme.muted), ...quoted(instructions, inner)]),
    ].map((each) => line('  ', ...each)),
  ];
}

/** The settings of a phase by its kind; null: it shows none of its own. A missing kind does not compile. */
const SETTINGS: Readonly<Record<PhaseKind, ((definition: Definition, phase: Phase) => string) | null>> = {
  agent: null,
  command: null,
  direct: null,
  evaluate: null,
  lanes: laneWords,
  review: null,
  step: null,
};

function settingsOf(definition: Definition, phase: Phase, columns: number): Line[] {
  const words = SETTINGS[phase.kind];
  return words ? fact(phase.kind, words(definition, phase), columns) : [];
}

function laneWords(definition: Definition, phase: Phase): string {
  const { from, max, batch, checks } = laneSettings(definition, phase);
  const checked = checks === null ? [] : [`checked by ${checks}`];
  return [`tasks of ${from}`, `at most ${max} at once`, `lands ${batch} together`, ...checked].join(', ');
}
