import { expect, test } from 'vitest'
import { notAHolder } from '../../account/not-a-holder.ts'
import { TIERS } from '../../account/tiers.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { createSignInWorld, outcomeOf } from '../../testing/account/sign-in-world.ts'
import { createCallCounts } from '../call-counts.ts'
import { createDemoBudget } from '../demo-budget.ts'
import { createHolderBalances } from './holder-balances.ts'
import { createHolders } from './holders.ts'

const wallet = `0x${'b2'.repeat(20)}`
const NOT_A_HOLDER = await outcomeOf(Promise.reject(notAHolder('0x')))
const HALF_A_DAY_S = 43_200

async function world({ totalPerDay = 1_000 } = {}) {
  const { clock, tokens, token, chain } = createSignInWorld()
  const counters = openSqliteStore(':memory:').demo
  const start = async () => {
    const counts = createCallCounts({ clock, counters })
    const demo = createDemoBudget({ counts, perClientPerDay: 5, totalPerDay: 5 })
    const balanceOf = createHolderBalances({ clock, random: () => 0.5, token })
    return { demo, holders: createHolders({ clock, tokens, counts, balanceOf, totalPerDay }) }
  }
  const of = (n: number) => tokens.issue(`0x${n.toString(16).padStart(40, '0')}`, TIERS[1])
  return { clock, tokens, chain, start, of, ...(await start()) }
}

test('the allowance is of the wallet: several tokens share it, and exactly one of two gets the last call', async () => {
  const { tokens, holders } = await world()
  const ofTokens = await Promise.all(
    [await tokens.issue(wallet, TIERS[1]), await tokens.issue(wallet, TIERS[1])].map(holders.identify),
  )
  const calls = await Promise.all(Array.from({ length: 120 }, (_, n) => ofTokens[n % 2]?.take()))
  expect(calls.filter(Boolean)).toHaveLength(100)
  expect(calls.slice(0, 2).map((call) => call?.remaining)).toEqual([99, 98])
  await calls[0]?.giveBack()
  expect([(await ofTokens[0]?.take())?.remaining, await ofTokens[1]?.take()]).toEqual([0, undefined])
})

test('what was taken survives a restart, and the next UTC day begins anew', async () => {
  const { clock, tokens, holders, start } = await world()
  const holder = await holders.identify(await tokens.issue(wallet, TIERS[1]))
  await Promise.all([holder.take(), holder.take()])
  const again = await start()
  const after = await again.holders.identify(await tokens.issue(wallet, TIERS[1]))
  expect((await after.take())?.remaining).toBe(97)
  clock.advance(DAY_MS)
  const tomorrow = await again.holders.identify(await tokens.issue(wallet, TIERS[1]))
  expect((await tomorrow.take())?.remaining).toBe(99)
})

test('calls of holders use up nothing of what is free for everybody', async () => {
  const { tokens, holders, demo } = await world()
  const holder = await holders.identify(await tokens.issue(wallet, TIERS[2]))
  for (let n = 0; n < 50; n++) await holder.take()
  expect((await demo.take('1.2.3.4'))?.remaining).toBe(4)
})

test('what is held now counts, and never more than at sign-in', async () => {
  const { clock, chain, tokens, holders } = await world()
  const [premium, holder] = [await tokens.issue(wallet, TIERS[2]), await tokens.issue(wallet, TIERS[1])]
  const limits = async () => [(await holders.identify(premium)).limit, (await holders.identify(holder)).limit]
  expect(await limits()).toEqual([10_000, 100])
  chain.held = 99n
  clock.advance(60_001)
  expect(await limits()).toEqual([100, 100])
  chain.held = 0n
  clock.advance(60_001)
  for (const token of [premium, holder]) expect(await outcomeOf(holders.identify(token))).toBe(NOT_A_HOLDER)
})

test('many calls of a wallet ask the chain once, and none waits while what is known is young', async () => {
  const { clock, chain, of, holders } = await world()
  const token = await of(1)
  await Promise.all(Array.from({ length: 50 }, () => holders.identify(token)))
  clock.advance(15_000)
  await Promise.all(Array.from({ length: 50 }, () => holders.identify(token)))
  expect(chain.asked).toBe(1)
  chain.isSilent = true
  clock.advance(45_000)
  await Promise.all(Array.from({ length: 50 }, () => holders.identify(token)))
  expect(chain.asked).toBe(2)
})

test('without the chain the last balance counts for five minutes, then nobody is let in and nothing is counted', async () => {
  const { clock, chain, of, holders } = await world()
  const token = await of(1)
  expect((await (await holders.identify(token)).take())?.remaining).toBe(99)
  chain.isDown = true
  clock.advance(299_999)
  expect((await (await holders.identify(token)).take())?.remaining).toBe(98)
  expect(await outcomeOf(holders.identify(await of(2)))).toMatch(/^upstream_unavailable: the chain/)
  clock.advance(1)
  expect(await outcomeOf(holders.identify(token))).toMatch(/^upstream_unavailable: .*without Authorization/)
  chain.isDown = false
  clock.advance(60_000)
  expect((await (await holders.identify(token)).take())?.remaining).toBe(97)
})

test('project tokens that go from wallet to wallet open no more than all holders together may call', async () => {
  const { clock, of, start, ...first } = await world({ totalPerDay: 3 })
  const takeBy = async ({ holders }: Pick<typeof first, 'holders'>, n: number) =>
    (await holders.identify(await of(n))).take()
  const [one] = [await takeBy(first, 1), await takeBy(first, 2), await takeBy(first, 3)]
  const refused = {
    code: 'rate_limited',
    message: expect.stringContaining('3 calls'),
    hint: expect.stringContaining('a payment still buys'),
    retryAfterS: HALF_A_DAY_S,
  }
  await expect(takeBy(first, 4)).rejects.toMatchObject(refused)
  await expect(takeBy(await start(), 4)).rejects.toMatchObject(refused)
  await one?.giveBack()
  expect((await takeBy(first, 4))?.remaining).toBe(99)
  clock.advance(DAY_MS)
  expect((await takeBy(first, 5))?.remaining).toBe(99)
})
