import { describeError } from './describe-error.ts'
import type { Log } from './log.ts'

/** What is tried again and again is logged when it begins to fail, and when it fails for another reason. */
export type FaultLog = {
  /** `facts`: what the line says beside its text. */
  failed(error: unknown, facts: object): void
  succeeded(): void
  /** Whether it failed the last time. */
  isFailing(): boolean
}

export function createFaultLog(log: Pick<Log, 'warn'>, text: string): FaultLog {
  let told: string | undefined
  return {
    failed(error, facts) {
      const cause = describeError(error)
      if (cause !== told) log.warn(facts, text)
      told = cause
    },
    succeeded() {
      told = undefined
    },
    isFailing: () => told !== undefined,
  }
}
