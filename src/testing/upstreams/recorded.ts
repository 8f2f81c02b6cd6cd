import { existsSync, readFileSync } from 'node:fs'
import { isMissing } from '../missing.ts'

// Payloads recorded from the real services lie beside the project where it is developed, not in it.
export const FIXTURES = new URL('../../../../shared/fixtures/', import.meta.url)

/** For `skipIf`; says once for each test file what is skipped. */
export const areRecordedMissing = (): boolean => isMissing('recordedReplies', existsSync(FIXTURES))

export const recordedText = (file: string): string => readFileSync(new URL(file, FIXTURES), 'utf8')
