import { expect, test } from 'vitest'
import { TIERS } from '../../account/tiers.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { createSignInWorld } from '../../testing/account/sign-in-world.ts'
import { createCallCounts } from '../call-counts.ts'
import { createDemoBudget } from '../demo-budget.ts'
import { createHolders } from './holders.ts'

const wallet = `0x${'b2'.repeat(20)}`

async function world() {
  const { clock, tokens } = createSignInWorld()
  const counters = openSqliteStore(':memory:').demo
  const start = async () => {
    const counts = await createCallCounts({ clock, counters })
    const demo = createDemoBudget({ counts, perClientPerDay: 5, totalPerDay: 5 })
    return { demo, holders: createHolders({ tokens, counts }) }
  }
  return { clock, tokens, start, ...(await start()) }
}

test('the allowance is of the wallet: several tokens share it, and exactly one of two gets the last call', async () => {
  const { tokens, holders } = await world()
  const ofTokens = await Promise.all(
    [await tokens.issue(wallet, TIERS[1]), await tokens.issue(wallet, TIERS[1])].map(holders.identify),
  )
  const calls = Array.from({ length: 120 }, (_, n) => ofTokens[n % 2]?.take())
  expect(calls.filter(Boolean)).toHaveLength(100)
  expect(calls.slice(0, 2).map((call) => call?.remaining)).toEqual([99, 98])
  calls[0]?.giveBack()
  expect([ofTokens[0]?.take()?.remaining, ofTokens[1]?.take()]).toEqual([0, undefined])
})

test('what was spent survives a restart, and the next UTC day begins anew', async () => {
  const { clock, tokens, holders, start } = await world()
  const holder = await holders.identify(await tokens.issue(wallet, TIERS[1]))
  await Promise.all([holder.take()?.spend(), holder.take()?.spend()])
  const again = await start()
  const after = await again.holders.identify(await tokens.issue(wallet, TIERS[1]))
  expect(after.take()?.remaining).toBe(97)
  clock.advance(DAY_MS)
  const tomorrow = await again.holders.identify(await tokens.issue(wallet, TIERS[1]))
  expect(tomorrow.take()?.remaining).toBe(99)
})

test('calls of holders use up nothing of what is free for everybody', async () => {
  const { tokens, holders, demo } = await world()
  const holder = await holders.identify(await tokens.issue(wallet, TIERS[2]))
  for (let n = 0; n < 50; n++) holder.take()
  expect(demo.take('1.2.3.4')?.remaining).toBe(4)
})
