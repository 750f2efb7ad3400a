import type { Handler } from '../ports.ts';

export const templateList: Handler<'template.list'> = (_params, { definitions }) => definitions.listTemplates();
