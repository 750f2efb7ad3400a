import type { Handler } from '../ports.ts';

export const personaValidate: Handler<'persona.validate'> = ({ text }, { definitions }) =>
  definitions.validatePersona(text);
