import { expect, test } from 'vitest'
import { countEndings, openBoundedShop, paymentOf } from '../../../testing/payments/bounded-shop.ts'
import type { Payment } from '../payment.ts'
import type { ChainOutcome, SettleAnswer, VerifyAnswer } from '../ports.ts'
import {
  CLIENT_PLACES,
  FAILED_BY_CLIENT,
  FAILED_BY_CUSTOMER,
  FAILED_BY_PAYER,
  OPEN_BY_PAYER,
  PAYER_PLACES,
  STRANGERS,
} from './limits.ts'

type Shop = ReturnType<typeof openBoundedShop>

const EMPTY: VerifyAnswer = { kind: 'invalid', reason: 'insufficient_funds' }
const REFUSED: SettleAnswer = { kind: 'refused', reason: 'test', facilitator: 'test' }
const OPEN: ChainOutcome = { kind: 'open' }

/** Empty wallets fail on the chain too. */
function emptyWallets({ world }: Shop): void {
  world.verify = () => EMPTY
  world.outcome = () => OPEN
}

/** Sent, refused by every facilitator, and not used on the chain. */
function leaveOpen({ world }: Shop): void {
  world.verify = () => ({ kind: 'valid' })
  world.settle = () => REFUSED
  world.outcome = () => OPEN
}

/** Fails as often as one client may. */
async function useUp(shop: Shop, client: string): Promise<void> {
  emptyWallets(shop)
  for (let n = 0; n < FAILED_BY_CLIENT.calls; n++)
    expect(await shop.buy(paymentOf(`empty-${n}`), { client })).toBe('insufficient_funds')
}

const manyWallets = (count: number) => Array.from({ length: count }, (_, n) => paymentOf(`wallet-${n}`))

test('1,000 empty wallets of one client at once cost as many checks as may fail, and those under way', async () => {
  const shop = openBoundedShop()
  emptyWallets(shop)
  const endings = await Promise.all(manyWallets(1_000).map((payment) => shop.buy(payment)))
  expect(shop.asked.mostInFlight).toBe(STRANGERS.placesPerKey)
  expect(shop.asked.verify).toBeGreaterThanOrEqual(FAILED_BY_CLIENT.calls)
  expect(shop.asked.verify).toBeLessThan(FAILED_BY_CLIENT.calls + CLIENT_PLACES.first)
  expect(countEndings(endings)).toEqual({
    insufficient_funds: shop.asked.verify,
    rate_limited: 1_000 - shop.asked.verify,
  })
  expect(shop.rows.size).toBe(0)
})

test('1,000 empty wallets of 1,000 clients are checked a few at a time; who has bought does not wait for them', async () => {
  const shop = openBoundedShop()
  const { buy, world, asked } = shop
  await buy(paymentOf('buyer'), { client: 'home' })
  world.verify = ({ payer }) => (payer === 'buyer' ? { kind: 'valid' } : EMPTY)
  world.outcome = ({ payer }) => (payer === 'buyer' ? { kind: 'paid', transaction: '0x1' } : OPEN)
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  world.held = held
  const strangers = manyWallets(1_000).map((payment, n) => buy(payment, { client: `from-${n}` }))
  await new Promise(setImmediate)
  expect(asked.inFlight).toBe(STRANGERS.places)
  world.held = Promise.resolve()
  expect(await buy(paymentOf('buyer'), { client: 'home' })).toBe('sold')
  goOn()
  expect(countEndings(await Promise.all(strangers))).toEqual({
    insufficient_funds: STRANGERS.places + STRANGERS.line,
    payments_unavailable: 1_000 - STRANGERS.places - STRANGERS.line,
  })
  expect(asked.mostInFlight).toBe(STRANGERS.places + 1)
})

test('100 at once of one new wallet all buy: those who find no place wait, and each sale adds one', async () => {
  const shop = openBoundedShop()
  const payments = Array.from({ length: 100 }, () => paymentOf('agent'))
  const endings = await Promise.all(payments.map((payment) => shop.buy(payment)))
  expect(countEndings(endings)).toEqual({ sold: 100 })
  expect(shop.asked.mostInFlight).toBeGreaterThan(PAYER_PLACES.first)
})

test('200 wallets behind one address all buy at once', async () => {
  const shop = openBoundedShop()
  const endings = await Promise.all(manyWallets(200).map((payment) => shop.buy(payment)))
  expect(countEndings(endings)).toEqual({ sold: 200 })
})

test('a wallet with money for one and 100 payments leaves few open, and buys again when they are decided', async () => {
  const shop = openBoundedShop()
  const { world, rows, asked, buy, clock } = shop
  let moved: string | undefined
  world.settle = ({ key }) => {
    moved ??= key
    return moved === key ? { kind: 'accepted', transaction: '0x1', facilitator: 'test' } : REFUSED
  }
  world.outcome = ({ key }) => (moved === key ? { kind: 'paid', transaction: '0x1' } : OPEN)
  const payments = Array.from({ length: 100 }, () => paymentOf('thin'))
  const counts = countEndings(await Promise.all(payments.map((payment) => buy(payment))))
  expect(counts).toMatchObject({ sold: 1 })
  expect(counts.payment_pending).toBeLessThanOrEqual(OPEN_BY_PAYER + 1)
  expect(counts.rate_limited).toBe(99 - (counts.payment_pending ?? 0))
  expect([rows.size, asked.settle]).toEqual([1 + (counts.payment_pending ?? 0), rows.size])
  expect(await buy(paymentOf('thin'), { client: 'another' })).toBe('rate_limited')
  expect(await buy(paymentOf('neighbour'))).toBe('payment_pending')
  clock.advance(FAILED_BY_PAYER.windowS * 1000)
  expect(await buy(paymentOf('thin'))).toBe('rate_limited')
  world.outcome = () => ({ kind: 'dead' })
  await reconcileOnce(shop)
  world.settle = () => ({ kind: 'accepted', transaction: '0x1', facilitator: 'test' })
  world.outcome = () => ({ kind: 'paid', transaction: '0x1' })
  expect(await buy(paymentOf('thin'))).toBe('sold')
})

test('rows that an earlier process left open count for their payer', async () => {
  const shop = openBoundedShop()
  leaveOpen(shop)
  for (let n = 0; n < OPEN_BY_PAYER; n++) await shop.buy(paymentOf('thin'))
  const later = openBoundedShop()
  for (const [key, row] of shop.rows) later.rows.set(key, row)
  await later.reconcile.recover()
  expect(await later.buy(paymentOf('thin'))).toBe('rate_limited')
  expect([later.asked.verify, later.rows.size]).toEqual([0, OPEN_BY_PAYER])
})

test('over budget nothing is claimed and nobody is asked, in every window anew', async () => {
  const shop = openBoundedShop()
  await useUp(shop, 'client')
  const { asked, clock, bounds } = shop
  const before = asked.verify
  expect(await bounds.findOver('client')).toMatchObject({ code: 'rate_limited', retryAfterS: 60 })
  expect(await bounds.findOver('another')).toBeUndefined()
  clock.advance(FAILED_BY_CLIENT.windowS * 1000)
  expect(await bounds.findOver('client')).toBeUndefined()
  expect(asked.verify).toBe(before)
})

test('a wallet that failed often is refused from everywhere, its neighbours are not', async () => {
  const shop = openBoundedShop()
  emptyWallets(shop)
  for (let n = 0; n < FAILED_BY_PAYER.calls; n++) await shop.buy(paymentOf('empty'), { client: `from-${n}` })
  expect(await shop.buy(paymentOf('empty'), { client: 'elsewhere' })).toBe('rate_limited')
  expect(shop.asked.verify).toBe(FAILED_BY_PAYER.calls)
  expect(await shop.buy(paymentOf('neighbour'), { client: 'from-0' })).toBe('insufficient_funds')
})

test('nobody locks a wallet with payments that it did not sign, or with those that it has used', async () => {
  const { buy, bounds } = openBoundedShop()
  const used = paymentOf('victim')
  expect(await buy(used)).toBe('sold')
  for (let n = 0; n < 2 * FAILED_BY_PAYER.calls; n++) {
    const client = `thief-${n}`
    expect(await buy(paymentOf('victim'), { client, problem: 'invalid_signature' })).toBe('invalid_signature')
    expect(await buy(used, { client, request: 'GET /another' })).toBe('payment_already_used')
  }
  expect(await buy(paymentOf('victim'))).toBe('sold')
  for (let n = 0; n < FAILED_BY_CLIENT.calls; n++)
    await buy(used, { client: 'thief', request: 'GET /another' })
  expect(await bounds.findOver('thief')).toBeDefined()
})

test('the lines of one customer share a budget of four', async () => {
  const shop = openBoundedShop()
  for (let line = 0; line < FAILED_BY_CUSTOMER.calls / FAILED_BY_CLIENT.calls; line++)
    await useUp(shop, `customer line ${line}`)
  expect(await shop.bounds.findOver('customer line fresh')).toMatchObject({ code: 'rate_limited' })
  expect(await shop.bounds.findOver('neighbour line 1')).toBeUndefined()
})

test('faults of ours do not count among what failed, nor do replays and sales', async () => {
  const { buy, world, bounds } = openBoundedShop()
  const bought = paymentOf('buyer')
  for (let n = 0; n < 2 * FAILED_BY_CLIENT.calls; n++) {
    world.verify = () => ({ kind: 'unavailable' })
    expect(await buy(paymentOf(`buyer-${n}`))).toBe('payments_unavailable')
    world.verify = () => ({ kind: 'valid' })
    world.isBroken = true
    expect(await buy(paymentOf(`buyer-${n}`))).toBe('upstream_unavailable')
    world.isBroken = false
    expect(await buy(bought)).toBe('sold')
  }
  expect(await bounds.findOver('client')).toBeUndefined()
  expect(await buy(paymentOf('buyer'))).toBe('sold')
})

test('who was charged and whose payment our node does not show yet is not refused for asking', async () => {
  const { buy, world, clock } = openBoundedShop()
  const charged = paymentOf('buyer')
  world.verify = () => ({ kind: 'used' })
  world.outcome = () => OPEN
  for (let n = 0; n < 2 * FAILED_BY_PAYER.calls; n++) {
    expect(await buy(charged)).toBe('payment_pending')
    clock.advance(1_000)
  }
  world.outcome = () => ({ kind: 'paid', transaction: '0x1' })
  expect(await buy(charged)).toBe('sold')
})

test('over every bound, what was bought is handed out and what may have moved is asked about', async () => {
  const shop = openBoundedShop()
  const { buy, bounds, world, asked } = shop
  const bought = paymentOf('buyer')
  expect(await buy(bought)).toBe('sold')
  leaveOpen(shop)
  const left = Array.from({ length: OPEN_BY_PAYER }, () => paymentOf('buyer'))
  for (const payment of left) expect(await buy(payment)).toBe('payment_pending')
  await useUp(shop, 'client')
  const over = await bounds.findOver('client')
  expect(over).toBeDefined()
  world.outcome = () => OPEN
  const before = asked.outcome
  for (const problem of [over, undefined]) {
    expect(await buy(bought, { problem })).toBe('sold')
    expect(await buy(left[0] as Payment, { problem })).toBe('payment_pending')
    expect(await buy(paymentOf('buyer'), { problem })).toBe('rate_limited')
  }
  expect(asked.outcome).toBe(before + 2)
  world.outcome = () => ({ kind: 'paid', transaction: '0x1' })
  for (const payment of left) expect(await buy(payment, { problem: over })).toBe('sold')
})

test('a stored reply does not wait in line', async () => {
  const { buy, world, asked } = openBoundedShop()
  const bought = paymentOf('buyer')
  await buy(bought)
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  world.held = held
  const waiting = manyWallets(2 * CLIENT_PLACES.first).map((payment) => buy(payment))
  expect(await buy(bought)).toBe('sold')
  await new Promise(setImmediate)
  expect(asked.inFlight).toBe(STRANGERS.placesPerKey)
  goOn()
  expect(countEndings(await Promise.all(waiting))).toEqual({ sold: waiting.length })
})

test('strangers who wait for an open payment hold no place of those who buy', async () => {
  const shop = openBoundedShop()
  const { buy, world } = shop
  leaveOpen(shop)
  const left = manyWallets(STRANGERS.places)
  for (const [n, payment] of left.entries())
    expect(await buy(payment, { client: `slow-${n}` })).toBe('payment_pending')
  world.settle = () => ({ kind: 'unknown', facilitator: 'test' })
  world.outcome = ({ payer }) => (payer === 'new' ? { kind: 'paid', transaction: '0x1' } : OPEN)
  for (const [n, payment] of left.entries()) void buy(payment, { client: `slow-${n}` })
  await new Promise(setImmediate)
  expect(await buy(paymentOf('new'), { client: 'home' })).toBe('sold')
})

test('a stranger who has sent his payment does not wait in line to hear what became of it', async () => {
  const shop = openBoundedShop()
  const { buy, world } = shop
  leaveOpen(shop)
  const sent = paymentOf('sender')
  expect(await buy(sent, { client: 'home' })).toBe('payment_pending')
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  world.held = held
  const strangers = manyWallets(2 * STRANGERS.places).map((each, n) => buy(each, { client: `from-${n}` }))
  await new Promise(setImmediate)
  world.outcome = () => ({ kind: 'paid', transaction: '0x1' })
  expect(await buy(sent, { client: 'home' })).toBe('sold')
  goOn()
  await Promise.all(strangers)
})

test('the lines of one customer together have some of the places for strangers, and others the rest', async () => {
  const { buy, world, asked } = openBoundedShop()
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  world.held = held
  const many = manyWallets(100).map((payment, n) => buy(payment, { client: `customer line ${n}` }))
  await new Promise(setImmediate)
  expect(asked.inFlight).toBe(STRANGERS.placesPerKey)
  world.held = Promise.resolve()
  expect(await buy(paymentOf('new'), { client: 'home' })).toBe('sold')
  goOn()
  await Promise.all(many)
})

test('who has bought lately does not wait behind strangers of his address', async () => {
  const { buy, world } = openBoundedShop()
  expect(await buy(paymentOf('buyer'))).toBe('sold')
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  world.held = held
  const strangers = manyWallets(2 * CLIENT_PLACES.first).map((payment) => buy(payment))
  await new Promise(setImmediate)
  world.held = Promise.resolve()
  expect(await buy(paymentOf('buyer'))).toBe('sold')
  goOn()
  expect(countEndings(await Promise.all(strangers))).toEqual({ sold: strangers.length })
})

test('who has bought lately and waits for a place is not refused for what others of his address did', async () => {
  const { buy, world, bounds } = openBoundedShop()
  expect(await buy(paymentOf('buyer'))).toBe('sold')
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  world.held = held
  const bought = Array.from({ length: 2 * PAYER_PLACES.first }, () => buy(paymentOf('buyer')))
  await new Promise(setImmediate)
  for (let n = 0; n < FAILED_BY_CLIENT.calls; n++) await bounds.countUnusable('client')
  goOn()
  expect(countEndings(await Promise.all(bought))).toEqual({ sold: bought.length })
})

test('a new buyer comes before any number of clients whose payments failed lately', async () => {
  const shop = openBoundedShop()
  const { buy, world, clock } = shop
  emptyWallets(shop)
  const count = STRANGERS.places + STRANGERS.line
  const attack = (name: string) =>
    manyWallets(count).map((_, n) => buy(paymentOf(`${name}-${n}`), { client: `from-${n}` }))
  await Promise.all(attack('first'))
  // Their failures no longer count, and are still known.
  clock.advance(FAILED_BY_CLIENT.windowS * 1000)
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
  world.held = held
  const strangers = attack('second')
  await new Promise(setImmediate)
  world.verify = ({ payer }) => (payer === 'new' ? { kind: 'valid' } : EMPTY)
  world.outcome = ({ payer }) => (payer === 'new' ? { kind: 'paid', transaction: '0x1' } : OPEN)
  let isOver = false
  const over = Promise.all(strangers).then((endings) => {
    isOver = true
    return endings
  })
  const sold = buy(paymentOf('new'), { client: 'home' })
  await new Promise(setImmediate)
  goOn()
  expect([await sold, isOver]).toEqual(['sold', false])
  expect(countEndings(await over)).toEqual({ insufficient_funds: count - 1, payments_unavailable: 1 })
})

test('what a facilitator found bad counts, also where the chain could not be asked about it', async () => {
  const { buy, world, asked } = openBoundedShop()
  world.verify = () => EMPTY
  world.outcome = () => {
    throw new Error('the node is down')
  }
  for (let n = 0; n < FAILED_BY_PAYER.calls; n++)
    expect(await buy(paymentOf('empty'), { client: `from-${n}` })).toBe('payments_unavailable')
  expect(await buy(paymentOf('empty'), { client: 'elsewhere' })).toBe('rate_limited')
  expect(asked.verify).toBe(FAILED_BY_PAYER.calls)
})

test('what a facilitator found bad and the chain shows paid does not count when our own work fails', async () => {
  const { buy, world } = openBoundedShop()
  world.verify = () => EMPTY
  world.isBroken = true
  for (let n = 0; n < 2 * FAILED_BY_PAYER.calls; n++)
    expect(await buy(paymentOf('buyer'))).toBe('upstream_unavailable')
  world.isBroken = false
  expect(await buy(paymentOf('buyer'))).toBe('sold')
})

test('what was left open and is paid after all does not count', async () => {
  const shop = openBoundedShop()
  const { buy, world, bounds } = shop
  for (let n = 0; n < 2 * FAILED_BY_CLIENT.calls; n++) {
    const payment = paymentOf(`payer-${n}`)
    leaveOpen(shop)
    expect(await buy(payment)).toBe('payment_pending')
    world.outcome = () => ({ kind: 'paid', transaction: '0x1' })
    expect(await buy(payment)).toBe('sold')
  }
  expect(await bounds.findOver('client')).toBeUndefined()
})

test('what the worker decides while a buyer looks is not open for ever', async () => {
  const shop = openBoundedShop()
  leaveOpen(shop)
  shop.world.outcome = ({ key }) => {
    const row = shop.rows.get(key)
    if (row) shop.rows.set(key, { ...row, state: 'settled', transaction: '0x1', settledAtMs: 0 })
    return OPEN
  }
  for (let n = 0; n < OPEN_BY_PAYER; n++) expect(await shop.buy(paymentOf('buyer'))).toBe('payment_pending')
  expect(shop.open.countOf('buyer')).toBe(0)
})

test('who asks about an open payment again and again costs few calls', async () => {
  const shop = openBoundedShop()
  const { buy, asked, clock } = shop
  leaveOpen(shop)
  const payment = paymentOf('payer')
  await buy(payment)
  const before = { ...asked }
  for (let n = 0; n < 100; n++) {
    for (let time = 0; time < 5; time++) expect(await buy(payment)).toBe('payment_pending')
    clock.advance(100)
  }
  expect(asked.outcome - before.outcome).toBe(10)
  // At once, after 2 s and after 4 more.
  expect(asked.settle - before.settle).toBeLessThanOrEqual(3)
  expect(asked.verify).toBe(before.verify)
})

test('facilitators hear who has bought lately; a failure makes a stranger of him', async () => {
  const shop = openBoundedShop()
  const { buy, asked } = shop
  await buy(paymentOf('buyer'))
  await buy(paymentOf('buyer'))
  await buy(paymentOf('stranger'))
  emptyWallets(shop)
  await buy(paymentOf('buyer'))
  await buy(paymentOf('buyer'))
  expect(asked.known).toEqual([false, true, false, true, false])
})

/** One round of the worker. */
async function reconcileOnce({ reconcile, rows }: Shop): Promise<void> {
  const stop = new AbortController()
  const running = reconcile.run(stop.signal)
  while ([...rows.values()].some(({ state }) => state === 'settling')) await new Promise(setImmediate)
  stop.abort()
  await running
}
