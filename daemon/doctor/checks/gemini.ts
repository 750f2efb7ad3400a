import { backendCheck } from '../backendCheck.ts';

export const gemini = backendCheck('gemini');
