import { autodevPart } from './autodev/autodevPart.ts';
import { cyclePart } from './cycle/cyclePart.ts';
import { handoverPart } from './handover/handoverPart.ts';
import type { ContractPart } from './report/part.ts';
import type { Wanted } from './report/tree.ts';
import { stateDirectoryPart } from './stateDirectory/stateDirectoryPart.ts';

/** Every family, in the order in which they are shown. */
export const PARTS: readonly ContractPart[] = [stateDirectoryPart, handoverPart, autodevPart, cyclePart];

/** Everything that detection and checks read. */
export const WANTED_OF_ALL: readonly Wanted[] = PARTS.flatMap(({ wanted }) => wanted);
