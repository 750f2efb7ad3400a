import { backendCheck } from '../backendCheck.ts';

export const opencode = backendCheck('opencode');
