import { backendCheck } from '../backendCheck.ts';

/** Plan 3.10. */
export const codex = backendCheck('codex');
