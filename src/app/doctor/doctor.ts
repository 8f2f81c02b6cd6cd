import type { Config } from '../../config/config.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type OpenSocket, openSocket } from '../../feeds/open-socket.ts'
import type { Check } from './check.ts'
import { listChecks } from './checks.ts'
import { configurationCheck, readConfiguration } from './configuration.ts'
import { type FreeBytes, freeBytes } from './machine/disk.ts'
import { nodeVersionCheck } from './machine/node-version.ts'
import { redactConfig } from './redact-config.ts'
import { type Result, runChecks } from './run-checks.ts'

export type Examination = {
  /** Undefined where the configuration cannot be read. */
  mode: Config['mode'] | undefined
  results: AsyncGenerator<Result>
}

export type DoctorInput = {
  load: () => Config
  clock: Clock
  timeoutMs: number
  /** Names of checks or groups; empty: all. */
  only: readonly string[]
  /** Replaced in tests only. */
  openSocket?: OpenSocket
  free?: FreeBytes
}

/** Checks everything that the mode needs, without starting the service, beside one or not; changes nothing. */
export function examine(input: DoctorInput): Examination | { unknown: string; names: readonly string[] } {
  const { load, clock, timeoutMs, only } = input
  const read = readConfiguration(load)
  const first = [configurationCheck(read), nodeVersionCheck()]
  if ('error' in read)
    return { mode: undefined, results: runChecks(first, { clock, timeoutMs, redact: (text) => text }) }
  const { config } = read
  const ports = {
    config,
    clock,
    timeoutMs,
    openSocket: input.openSocket ?? openSocket,
    free: input.free ?? freeBytes,
  }
  const all = [...first, ...listChecks(ports)]
  const unknown = only.find((word) => !all.some((check) => isMeant(check, word)))
  if (unknown !== undefined)
    return { unknown, names: [...new Set(all.flatMap(({ name, group }) => [name, group]))] }
  const chosen = only.length === 0 ? all : all.filter((check) => only.some((word) => isMeant(check, word)))
  return { mode: config.mode, results: runChecks(chosen, { clock, timeoutMs, redact: redactConfig(config) }) }
}

const isMeant = ({ name, group }: Check, word: string) => name === word || group === word
