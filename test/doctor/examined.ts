import { expect } from 'vitest'
import { examine } from '../../src/app/doctor/doctor.ts'
import type { Result } from '../../src/app/doctor/run-checks.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Clock, systemClock } from '../../src/core/time/clock.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'

type Examined = {
  env: Readonly<Record<string, string>>
  only?: string[]
  clock?: Clock
  timeoutMs?: number
  free?: () => number
}

export async function examined({
  env,
  only = [],
  clock = systemClock,
  timeoutMs = 10_000,
  free,
}: Examined): Promise<Result[]> {
  const found = examine({ load: () => readConfig(env), clock, timeoutMs, only, ...(free && { free }) })
  if ('unknown' in found) throw new Error(`no check ${found.unknown}`)
  const results: Result[] = []
  for await (const result of found.results) results.push(result)
  return results
}

/** What one check finds, in a data directory of its own unless the environment names one. */
export async function state(
  env: Record<string, string>,
  name: string,
  rest: Partial<Examined> = {},
): Promise<Result | undefined> {
  const [found] = await examined({
    env: { TOLLBOOK_DATA_DIR: temporaryDir(), ...env },
    only: [name],
    ...rest,
  })
  return found
}

/** Named, with what to do. */
export const broken = (words: string | RegExp) => ({
  state: 'failure',
  what: expect.stringMatching(words),
  next: [expect.stringMatching(/\w+ \w+/)],
})
