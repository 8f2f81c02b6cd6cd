import { expect, test } from 'vitest'
import { type Clock, sleep } from '../../../core/time/clock.ts'
import { openBoundedShop, paymentOf } from '../../../testing/payments/bounded-shop.ts'
import { createSlowPool } from '../../../testing/payments/slow-pool.ts'
import { PUBLIC_LIMITS } from '../../facilitators/load.ts'

/** By the clock of the test: what a machine under load does is not in it. */
const VERIFY_MS = 100
const LOOK_MS = 100
const STEP_MS = 10
const CLIENTS = 1_000
const PAYMENTS = 10_000
const MINUTE_MS = 60_000
/** What a 503 tells clients to wait. */
const AGAIN_MS = 2_000

function openStreet() {
  let pool: ReturnType<typeof createSlowPool> | undefined
  const shop = openBoundedShop((clock) => {
    pool = createSlowPool({
      ...{ clock, verifyMs: VERIFY_MS, lookMs: LOOK_MS },
      hasMoney: (payer) => payer.startsWith('honest'),
    })
    const { facilitators, outcome } = pool
    return { facilitators, chain: { ready: async () => {}, outcome } }
  })
  const { clock, bounds, buy } = shop
  /** As the gate does it. */
  const send = async (...[payment, options]: Parameters<typeof buy>) => {
    const problem = (await bounds.findOver(options?.client ?? '')) ?? options?.problem
    return buy(payment, { ...options, problem })
  }
  return { clock, bounds, send, asked: () => pool?.asked }
}
type Street = ReturnType<typeof openStreet>

async function attack({ clock, bounds, send }: Street, used: ReturnType<typeof paymentOf>) {
  const sent: Promise<unknown>[] = []
  for (let n = 0; n < PAYMENTS; n++) {
    const client = `from-${n % CLIENTS}`
    const kind = (n * 37) % 10
    const payer = `empty-${n % CLIENTS}`
    if (kind < 6) sent.push(send(paymentOf(payer), { client }))
    else if (kind < 8) sent.push(send(paymentOf(payer), { client, problem: 'invalid_signature' }))
    else if (kind < 9) sent.push(send(used, { client, request: 'GET /another' }))
    else sent.push(bounds.countUnusable(client))
    if (n % 10 === 9) await sleep(clock, (10 * MINUTE_MS) / PAYMENTS)
  }
  return Promise.all(sent)
}

/** How long each purchase took until it was sold, tries included. */
async function buyFor(
  { clock, send }: Street,
  everyMs: number,
  buyerOf: (n: number) => { payer: string; client: string },
): Promise<number[]> {
  const tookMs: Promise<number>[] = []
  const buy = async (n: number) => {
    const { payer, client } = buyerOf(n)
    const payment = paymentOf(payer)
    const fromMs = clock.now()
    while ((await send(payment, { client })) !== 'sold') await sleep(clock, AGAIN_MS)
    return clock.now() - fromMs
  }
  for (let n = 0; n * everyMs < MINUTE_MS; n++) {
    tookMs.push(buy(n))
    await sleep(clock, everyMs)
  }
  return Promise.all(tookMs)
}

async function run<T>(clock: { advance(ms: number): void } & Clock, work: Promise<T>): Promise<T> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    clock.advance(STEP_MS)
    await new Promise(setImmediate)
  }
  return over
}

test('10,000 hostile payments of 1,000 clients in a minute: who has bought does not wait, new buyers wait less than a second', async () => {
  const street = openStreet()
  const { clock, send } = street
  const home = { payer: 'honest', client: 'home' }
  const used = paymentOf(home.payer)
  await run(clock, send(used, home))
  const quietMs = Math.max(
    ...(await run(
      clock,
      buyFor(street, 500, () => home),
    )),
  )
  const [known, fresh] = await run(
    clock,
    Promise.all([
      buyFor(street, 500, () => home),
      buyFor(street, 1_000, (n) => ({ payer: `honest-${n}`, client: `new-${n}` })),
      attack(street, used),
    ]),
  )
  expect(Math.max(...known)).toBeLessThanOrEqual(quietMs + STEP_MS)
  // At first every address is new; once each has failed, those that have not come first.
  expect(Math.max(...fresh)).toBeLessThan(1_000)
  expect(Math.max(...fresh.slice(15))).toBeLessThanOrEqual(quietMs + LOOK_MS + STEP_MS)
  const { burst, perSecond } = PUBLIC_LIMITS.verify
  expect(street.asked()?.verify).toBeLessThan(2 * burst + 2 * 60 * perSecond)
})
