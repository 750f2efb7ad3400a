import { backendCheck } from '../backendCheck.ts';

/** Plan 3.11. */
export const claude = backendCheck('claude');
