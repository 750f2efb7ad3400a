import { backendCheck } from '../backendCheck.ts';

export const claude = backendCheck('claude');
