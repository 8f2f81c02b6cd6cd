import { describe, expect, it } from 'vitest'
import { loadPatched } from './bot-code.ts'
import { QUICK_MUTANTS } from './mutants.ts'
import type { MutantResult } from './run-mutant.ts'
import { inLanes, runMutantApart, runWeekApart } from './workers.ts'

/** A share of what `npm run simulate-bot` does: it takes seconds here and minutes there. */
const HOURS_3 = 36
const WORKERS = 2
const TRIES = 4

describe.each(['paper', 'polymarket'] as const)('the bot with %s', (broker) => {
  it('keeps a ledger that agrees with the venue to the last unit, the same rows for the same seed', async () => {
    const hours = { broker, windows: HOURS_3, kills: 0, isRough: false }
    const [first, again] = await Promise.all([runWeekApart(1, hours), runWeekApart(1, hours)])
    expect(first.violations).toEqual([])
    expect(first.counts.trades).toBeGreaterThan(10)
    expect(again.digest).toBe(first.digest)
  })

  it('neither doubles nor loses anything when it is killed while everything fails', async () => {
    const hours = { broker, windows: HOURS_3, kills: 20, isRough: true }
    const { violations, counts } = await runWeekApart(2, hours)
    expect(violations).toEqual([])
    expect(counts.kills).toBe(20)
    expect(counts.trades).toBeGreaterThan(5)
  })
})

describe('the simulation', () => {
  it('notices planted bugs', async () => {
    const results: MutantResult[] = []
    await inLanes([...QUICK_MUTANTS.keys()], WORKERS, async (mutant) => {
      results.push(await runMutantApart(mutant, TRIES))
    })
    expect(results.filter(({ caught }) => !caught).map(({ name }) => name)).toEqual([])
    expect(results).toHaveLength(QUICK_MUTANTS.length)
  })

  it('refuses a patch that no longer fits', async () => {
    const patch = { file: 'bot/desk/desk.ts', from: 'text that is not there', to: '' }
    await expect(loadPatched([patch])).rejects.toThrow('does not fit')
  })
})
