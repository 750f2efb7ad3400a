import type { Handler } from '../ports.ts';

export const templateGet: Handler<'template.get'> = ({ template }, { definitions }) =>
  definitions.getTemplate(template);
