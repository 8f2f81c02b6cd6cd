import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ChainUnavailableError } from '../../src/sandbox/chains/evm/anvil-binary.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { describeOutcome } from './describe.ts'
import { torture } from './torture.ts'

/** A share of `npm run torture`: shows that it runs, sells and finds nothing. */
const SHORT = { kills: 2, buyers: 4, thieves: 1, seed: 1, deathWatchMs: 5_000 }
const LIMIT_MS = 240_000

test(`${SHORT.kills} kills under paying load cost nobody a cent`, { timeout: LIMIT_MS }, async (context) => {
  const outcome = await torture(SHORT).catch((error: unknown) => {
    if (!(error instanceof ChainUnavailableError)) throw error
    console.warn(`not tortured: ${error.message}`)
    return undefined
  })
  if (!outcome) return context.skip(lackOf('anvil'))
  if (outcome.violations.length > 0) console.error(`${outcome.dir}\n${describeOutcome(outcome)}`)
  expect(outcome.violations).toEqual([])
  expect(outcome.kills).toHaveLength(SHORT.kills)
  expect(outcome.counts.transfers).toBeGreaterThan(0)
  rmSync(outcome.dir, { recursive: true, force: true })
})
