import type { Handler } from '../ports.ts';

export const personaList: Handler<'persona.list'> = (_params, { definitions }) => definitions.listPersonas();
