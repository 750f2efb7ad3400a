import { readTemplateText, type Schemas } from '../../../schemas/definitions/definitionFile.ts';
import { templateHash } from '../../../schemas/definitions/template.ts';
import { problemSentence } from '../../../schemas/definitions/yamlFile.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { derivedId } from '../../../schemas/ids.ts';
import type { TemplateRecord } from '../../store/definitions.ts';

type Draft = Pick<TemplateRecord, 'id' | 'name' | 'version' | 'hash' | 'template'>;

const LONGEST_NAME = 64;

/**
 * The template of a draft, for one run. Its name says so and has a part of its hash, so that it never meets what is published:
 * neither this text later, nor another draft of that name. Throws template_invalid.
 */
export function draftTemplate(text: string, schemas: Schemas): Draft {
  const read = readTemplateText(text, schemas, 'draft');
  if (!read.ok) {
    const [first] = read.problems;
    throw new DevflowError('template_invalid', first ? `${problemSentence(first)}.` : 'The draft is no template.');
  }
  const { name: own, version, hash: ofText, definition } = read.value;
  const suffix = `-draft-${ofText.slice(0, 8)}`;
  const name = `${own.slice(0, LONGEST_NAME - suffix.length)}${suffix}`;
  const template = { ...definition, name };
  const hash = templateHash(template);
  return { id: derivedId('draft', hash), name, version, hash, template };
}
