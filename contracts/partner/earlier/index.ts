import type { Operation } from '../../operation.ts';
import { getEarlierProfile, updateEarlierProfile } from './profile.ts';

/** What partners’ older programs call; each shares its path with a current operation, or stands alone. */
export const earlierOperations: readonly Operation[] = [getEarlierProfile, updateEarlierProfile];
