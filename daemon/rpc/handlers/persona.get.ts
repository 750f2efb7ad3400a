import type { Handler } from '../ports.ts';

export const personaGet: Handler<'persona.get'> = ({ persona }, { definitions }) => definitions.getPersona(persona);
