import type { Handler } from '../ports.ts';

export const templateValidate: Handler<'template.validate'> = ({ text }, { definitions }) =>
  definitions.validateTemplate(text);
