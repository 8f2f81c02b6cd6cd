import { expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { countEndings, openBoundedShop, paymentOf } from '../../testing/payments/bounded-shop.ts'
import { createFacilitators } from './facilitators.ts'
import { PUBLIC_LIMITS } from './load.ts'
import { busyFor, type FacilitatorMember } from './members/member.ts'

const TAKES_A_SECOND = 10
const EMPTY_AT_ONCE = 14
const SECONDS = 65
const isRich = (payer: string) => payer === 'buyer' || payer.startsWith('new')

/** Takes so many calls a second; then it asks for `retryMs`. */
function limited(clock: Clock, retryMs: number, asked: { atMs: number }[]): FacilitatorMember {
  let second = 0
  let calls = 0
  return {
    name: 'limited',
    limits: PUBLIC_LIMITS,
    async verify({ paymentPayload }) {
      asked.push({ atMs: clock.now() })
      const now = Math.floor(clock.now() / 1000)
      calls = now === second ? calls + 1 : 1
      second = now
      if (calls > TAKES_A_SECOND) return busyFor(retryMs)
      await sleep(clock, 100)
      const isValid = isRich(String(paymentPayload.payer))
      return { kind: 'answer', answer: { isValid, reason: isValid ? undefined : 'insufficient_funds' } }
    },
    settle: async () => ({
      kind: 'answer',
      answer: { success: true, reason: undefined, transaction: '0x1' },
    }),
    supported: async () => ({ kind: 'fault', fault: 'unreachable' }),
  }
}

async function openBusyShop(retryMs: number) {
  const asked: { atMs: number }[] = []
  const looks = { count: 0 }
  const shop = openBoundedShop((clock) => ({
    facilitators: createFacilitators({
      ...{ clock, log: silentLog, random: () => 0.5, members: [limited(clock, retryMs, asked)] },
      async lookAtPayer({ payer }) {
        looks.count++
        return { hasFunds: isRich(payer) || payer.startsWith('odd'), isUnused: true }
      },
    }),
  }))
  shop.world.outcome = ({ payer }) =>
    isRich(payer) ? { kind: 'paid', transaction: '0x1' } : { kind: 'open' }
  const go = async (ms: number) => {
    for (let gone = 0; gone < ms; gone += 100) {
      shop.clock.advance(100)
      for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate)
    }
  }
  const buyOne = () => shop.buy(paymentOf('buyer'), { client: 'home' })
  const first = buyOne()
  await go(1_000)
  expect(await first).toBe('sold')
  return { shop, asked, looks, go, buyOne }
}

test('empty wallets that make a facilitator busy close it to nobody who has bought lately', async () => {
  const { shop, asked, go, buyOne } = await openBusyShop(30_000)
  const endings: Promise<string>[] = []
  for (let second = 0; second < SECONDS; second++) {
    if (second % 31 === 0)
      for (let n = 0; n < EMPTY_AT_ONCE; n++)
        void shop.buy(paymentOf(`empty ${second} ${n}`), { client: 'elsewhere' })
    endings.push(buyOne())
    await go(1_000)
  }
  await go(5_000)
  const { sold = 0 } = countEndings(await Promise.all(endings))
  expect(sold).toBeGreaterThanOrEqual(0.9 * SECONDS)
  expect(asked.length).toBeLessThan(SECONDS + 2 * EMPTY_AT_ONCE)
}, 60_000)

test('for a while after it was busy our own node sorts out empty wallets', async () => {
  const { shop, asked, looks, go } = await openBusyShop(1_000)
  const buyEmpty = (time: string) =>
    Array.from({ length: EMPTY_AT_ONCE }, (_, n) =>
      shop.buy(paymentOf(`${time} ${n}`), { client: 'elsewhere' }),
    )
  void buyEmpty('first')
  await go(5_000)
  const before = asked.length
  looks.count = 0
  const second = buyEmpty('second')
  await go(5_000)
  expect(countEndings(await Promise.all(second))).toEqual({ insufficient_funds: EMPTY_AT_ONCE })
  expect([asked.length - before, looks.count]).toEqual([0, EMPTY_AT_ONCE])
}, 60_000)

test('of the few calls that strangers have then, the most insistent one does not get all', async () => {
  const { shop, go } = await openBusyShop(1_000)
  /** They have money, and what they sign is refused: only a facilitator finds that out. */
  const insist = (n: number, times: number) => {
    for (let n2 = 0; n2 < times; n2++) void shop.buy(paymentOf(`odd ${n} ${n2}`), { client: `odd ${n % 4}` })
  }
  // Busy again and again, until strangers have one call in more than a second.
  for (let n = 0; n < 12; n++) {
    insist(n, 40)
    await go(3_000)
  }
  const endings: Promise<string>[] = []
  for (let second = 0; second < SECONDS; second++) {
    insist(second, 20)
    if (second % 5 === 0) endings.push(shop.buy(paymentOf(`new ${second}`), { client: `new ${second}` }))
    await go(1_000)
  }
  await go(10_000)
  expect(countEndings(await Promise.all(endings))).toEqual({ sold: endings.length })
}, 60_000)
