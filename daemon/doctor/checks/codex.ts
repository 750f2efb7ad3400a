import { backendCheck } from '../backendCheck.ts';

export const codex = backendCheck('codex');
