import type { BriefServices } from './services.ts'

/** Once a second: no part of a bundle is worth more to a reader, and prices change many times in one. */
export const briefChanges = ({ sentiment }: BriefServices): number => sentiment.changes()
