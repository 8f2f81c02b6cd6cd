import { expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { samplePlan } from '../../testing/bot/sample-order.ts'
import { createScriptedBroker } from '../../testing/bot/scripted-broker.ts'
import { createMemoryBotBook } from '../../testing/ledger/bot/memory-bot-book.ts'
import { createMemoryBotRows } from '../../testing/ledger/bot/memory-bot-rows.ts'
import { createLedgerView } from '../account/ledger-view.ts'
import { createOrderReconciler } from '../reconcile/orders.ts'
import { createDesk } from './desk.ts'
import { createOutcomes } from './outcomes.ts'

const order = samplePlan()
const wanted = async () => ({ order })

function createParts() {
  const clock = createManualClock(order.createdMs)
  const book = createMemoryBotBook(createMemoryBotRows())
  const view = createLedgerView(book)
  const broker = createScriptedBroker('paper')
  const outcomes = createOutcomes({ clock, book, view })
  const ports = { clock, log: silentLog, book, view, outcomes }
  const desk = createDesk({ ...ports, brokerOf: () => broker })
  const reconcile = createOrderReconciler({ ...ports, desk, findBroker: () => broker })
  return { clock, book, view, broker, outcomes, desk, reconcile }
}

/** A broker whose `place` ends when it is told to. */
function holdPlaces(broker: ReturnType<typeof createScriptedBroker>) {
  const { place } = broker
  const { promise, resolve } = Promise.withResolvers<void>()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  broker.place = async (planned) => {
    reach()
    await promise
    return place(planned)
  }
  return { reached, release: resolve }
}

test('an order that is just being sent is not looked up: the venue would say that it never had it', async () => {
  const { desk, reconcile, broker, book } = createParts()
  const held = holdPlaces(broker)
  const placed = desk.order(wanted)
  await held.reached
  expect(desk.isUnderWay(order.clientOrderId)).toBe(true)
  await reconcile()
  expect(await book.findOrder(order.clientOrderId)).toMatchObject({ state: 'open' })
  held.release()
  expect(await placed).toMatchObject({ state: 'closed', note: undefined, fills: [{ state: 'confirmed' }] })
  expect(desk.isUnderWay(order.clientOrderId)).toBe(false)
})

test('at whatever moment the orders are reconciled while one is planned and sent, it is not lost', async () => {
  for (let turns = 0; turns < 60; turns++) {
    const { desk, reconcile, book } = createParts()
    const placed = desk.order(wanted)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    await Promise.all([placed, reconcile()])
    expect([turns, await book.findOrder(order.clientOrderId)]).toMatchObject([
      turns,
      { note: undefined, fills: [{ state: 'confirmed' }] },
    ])
  }
})

test('the same order once more does not let one that is being sent be looked up', async () => {
  const { desk, broker } = createParts()
  const held = holdPlaces(broker)
  const placed = desk.order(wanted)
  await held.reached
  expect(await desk.order(wanted)).toBeUndefined()
  expect(desk.isUnderWay(order.clientOrderId)).toBe(true)
  held.release()
  await placed
})

test('what was planned before is not sent, whoever planned it', async () => {
  const { desk, book, broker, view } = createParts()
  await book.planOrder(order, {})
  expect(await desk.order(wanted)).toBeUndefined()
  expect(broker.account.sent.size).toBe(0)
  expect(view.orders()).toMatchObject([{ clientOrderId: order.clientOrderId, state: 'open' }])
})

test('a slow order of one coin does not hold up another', async () => {
  const { desk, broker } = createParts()
  const held = holdPlaces(broker)
  const slow = desk.order(wanted)
  await held.reached
  const { place } = createScriptedBroker('paper')
  broker.place = place
  const other = { ...order, clientOrderId: 'r-1767614400-ETH-1', coin: 'ETH' as const }
  expect(await desk.order(async () => ({ order: other }))).toMatchObject({ coin: 'ETH', state: 'closed' })
  held.release()
  expect(await slow).toMatchObject({ coin: 'BTC', state: 'closed' })
})

test('a plan of which the ledger did not say whether it has it holds the coin and is not sent', async () => {
  const { desk, book, broker, view, outcomes } = createParts()
  const { planOrder } = book
  book.planOrder = async (...given) => {
    await planOrder(...given)
    throw new Error('the answer was lost')
  }
  await expect(desk.order(wanted)).rejects.toThrow('the answer was lost')
  expect([desk.isHeld('BTC'), desk.isHeld('ETH'), view.orders().length]).toEqual([true, false, 0])
  await outcomes.flush()
  expect([desk.isHeld('BTC'), view.orders().length, broker.account.sent.size]).toEqual([false, 1, 0])
})

test('a coin waits as long as the venue says', async () => {
  const { desk, broker, clock } = createParts()
  broker.place = async () => ({ state: 'refused', reason: 'too early', retryAfterMs: 3_000 })
  expect(await desk.order(wanted)).toMatchObject({ state: 'closed', note: 'too early' })
  clock.advance(2_999)
  expect(desk.isHeld('BTC')).toBe(true)
  clock.advance(1)
  expect(desk.isHeld('BTC')).toBe(false)
})
