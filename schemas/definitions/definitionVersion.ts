import { z } from 'zod';

/** The largest version is that of the database's column. */
export const DefinitionVersion = z.number().int().positive().max(2_147_483_647);
