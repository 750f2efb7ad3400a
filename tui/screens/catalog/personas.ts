import type { PersonaSummary } from '../../../schemas/rpc/views/definition.ts';
import type { Model } from '../../model/model.ts';
import { answerOf, query } from '../../model/query.ts';
import { EMPTY, fitWidth, type Line, line, span } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { createCatalogScreen } from './catalogScreen.ts';
import { fact, heading, nameOf, problemLines, quoted, usedBy } from './definitionText.ts';

const PERSONAS = query('persona.list', {});
const detailOf = (item: PersonaSummary) => query('persona.get', { persona: nameOf(item) });

export const personas = createCatalogScreen<PersonaSummary>({
  id: 'personas',
  title: 'Personas',
  key: { key: '5', label: 'personas', help: 'Go to the personas' },
  queries: (_, selected) => [PERSONAS, ...(selected ? [detailOf(selected)] : [])],
  items: (model) => answerOf(model.data, PERSONAS),
  keyOf: nameOf,
  columns: [
    { title: 'persona', text: nameOf },
    { title: 'backend', text: ({ backend }) => backend },
    {
      title: 'risk',
      text: ({ maxRiskLevel }) => `risk ${maxRiskLevel}`,
      order: ({ maxRiskLevel }) => ['low', 'medium', 'high'].indexOf(maxRiskLevel),
    },
  ],
  also: ({ hash, capabilities }) => [hash, ...capabilities].join(' '),
  row: (item) =>
    line(
      ...fitWidth(line(span(nameOf(item), theme.title)), 22),
      ' ',
      ...fitWidth(line(span(item.backend, theme.accent)), 8),
      span(` risk ${item.maxRiskLevel}`, theme.muted),
    ),
  copies: (item) => [
    { what: 'persona', text: nameOf(item) },
    { what: 'hash', text: item.hash },
  ],
  text: personaLines,
  notice: (model, columns) => problemLines(model, 'persona', columns),
  empty: 'There are no personas.',
});

function personaLines(model: Model, item: PersonaSummary, columns: number): Line[] {
  const detail = answerOf(model.data, detailOf(item));
  return [
    ...fact('persona', nameOf(item), columns, theme.title),
    ...fact('hash', item.hash, columns),
    ...fact('used by', usedBy(detail?.usedBy), columns),
    ...fact('backend', item.backend, columns),
    ...fact('capabilities', item.capabilities.join(', '), columns),
    ...fact('risk', `at most ${item.maxRiskLevel}`, columns),
    ...fact('roles', item.allowedRoles?.join(', ') ?? 'any', columns),
    ...(detail ? [] : [EMPTY, line(span('Loading…', theme.muted))]),
    ...Object.entries(detail?.definition.modelConfig ?? {}).flatMap(([name, value]) =>
      fact(name, typeof value === 'string' ? value : JSON.stringify(value), columns),
    ),
    ...prompt('System prompt', detail?.definition.promptConfig.systemPrompt, columns),
    ...prompt('Instructions prelude', detail?.definition.promptConfig.instructionsPrelude, columns),
  ];
}

function prompt(title: string, text: string | undefined, columns: number): Line[] {
  return text === undefined ? [] : [...heading(title), ...quoted(text, columns)];
}
