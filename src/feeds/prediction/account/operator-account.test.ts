import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { heldPosition } from '../../../testing/products/hand-made-prediction.ts'
import type { Position } from '../../../upstreams/polymarket/account-activity.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'
import { createOperatorAccount } from './operator-account.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const WALLET = `0x${'a'.repeat(40)}`

function openAccount() {
  const clock = createManualClock(START_MS)
  const asked: string[] = []
  const said: string[] = []
  const held: Record<string, readonly Position[]> = {}
  const venue = { state: 'well' as 'well' | 'down' | 'hanging' }
  const answer = async <T>(what: string, value: T): Promise<T> => {
    asked.push(what)
    if (venue.state === 'hanging') return new Promise<never>(() => {})
    if (venue.state === 'down') throw new UpstreamError('down', 'gone')
    return value
  }
  const data = {
    activity: (wallet: string) => answer(`activity ${wallet}`, { rows: [], isWhole: true }),
    positions: (wallet: string, status: string) => answer(`${status} ${wallet}`, held[status] ?? []),
  }
  const say = (_: unknown, text: string) => void said.push(text)
  const log = { debug: say, info: say, warn: say } as never
  const account = createOperatorAccount({ clock, random: () => 1, log, data, wallet: WALLET })
  const pass = async (ms: number) => {
    clock.advance(ms)
    await nextTurn()
  }
  return { clock, asked, said, held, venue, account, pass }
}
const nothing = { rows: [], cutMs: undefined }

test('activity and positions are read at the start and every 30 s, for one wallet', async () => {
  const { account, asked, pass } = openAccount()
  expect(account.positions()).toBeUndefined()
  account.start()
  await pass(0)
  expect(await account.activity()).toEqual({ value: nothing, asOfMs: START_MS })
  for (let each = 0; each < 100; each++) account.positions()
  const once = ['activity', 'OPEN', 'MERGEABLE', 'REDEEMABLE'].map((what) => `${what} ${WALLET}`)
  expect(asked.toSorted()).toEqual(once.toSorted())
  await pass(30_000)
  expect(asked).toHaveLength(8)
  expect(account.positions()?.asOfMs).toBe(START_MS + 30_000)
  account.stop()
  await pass(600_000)
  expect(asked).toHaveLength(8)
})

test('what is open, mergeable or redeemable is held, each token once and as it was read last', async () => {
  const { account, held, pass } = openAccount()
  held.OPEN = [heldPosition({ tokenId: '1' }), heldPosition({ tokenId: '2' })]
  held.MERGEABLE = [heldPosition({ tokenId: '2', mergeable: true })]
  held.REDEEMABLE = [heldPosition({ tokenId: '1', redeemable: true }), heldPosition({ tokenId: '3' })]
  held.REDEEMABLE_LOST = [heldPosition({ tokenId: '4' })]
  account.start()
  await pass(0)
  expect(
    account.positions()?.value.map(({ tokenId, redeemable, mergeable }) => [tokenId, redeemable, mergeable]),
  ).toEqual([
    ['1', true, false],
    ['2', false, true],
    ['3', false, false],
  ])
})

test('while the venue hangs the last positions stay, at once', async () => {
  const { account, held, venue, pass } = openAccount()
  held.OPEN = [heldPosition()]
  account.start()
  await pass(0)
  venue.state = 'hanging'
  await pass(60_000)
  expect(account.positions()).toMatchObject({ value: { length: 1 }, asOfMs: START_MS })
})

test('a failure is logged once, and so is its end; history is refused when it is too old', async () => {
  const { account, said, venue, pass } = openAccount()
  account.start()
  await pass(0)
  venue.state = 'down'
  for (let each = 0; each < 10; each++) await pass(30_000)
  expect(await account.activity()).toEqual({ value: nothing, asOfMs: START_MS })
  await pass(1)
  await expect(account.activity()).rejects.toThrow('gone')
  const failed = 'the operator’s account could not be read'
  expect(said).toEqual([failed, failed])
  venue.state = 'well'
  await pass(60_000)
  expect(said.slice(2)).toEqual(Array(2).fill('the operator’s account is read again'))
})
