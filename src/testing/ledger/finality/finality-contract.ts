import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../core/time/time.ts'
import type { FinalityBook, Finding, UndoneState } from '../../../ledger/ports/finality-book.ts'
import type { Store } from '../../../ledger/ports/store.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { settling } from '../payment-contract.ts'
import { sale, someSales } from '../some-sales.ts'

const BASE = 'eip155:8453'
const START = { settledAtMs: 0, seq: 0 }
const finding = (key: string, state: UndoneState, atMs = 9): Finding => ({
  ...{ key, state, atMs },
  transaction: state === 'paid' ? '0xnew' : undefined,
})
const lose = ({ finality }: Store, ...keys: string[]) =>
  finality.pass(
    BASE,
    START,
    keys.map((key) => finding(key, 'lost')),
  )
const undecided = async (finality: FinalityBook, afterKey?: string, limit = 9) =>
  (await finality.undecided({ unseenSinceMs: 0, afterKey, limit })).map(({ key }) => key)

export function finalityContract(stores: OpenedStores): void {
  describe('finality', () => {
    passageContract(stores)
    undoneContract(stores)
  })
  lostContract(stores)
}

function passageContract({ open, restart }: OpenedStores): void {
  test('settled rows are read in the order in which they were settled, each once', async () => {
    const { finality, ...store } = await open()
    const opened = { finality, ...store }
    await sale(opened, 'late', 30)
    await sale(opened, 'early', 10)
    await sale(opened, 'same', 10)
    await sale(opened, 'other', 20, { network: 'solana:5' })
    await settling(opened, 'open')
    const seen: string[] = []
    let mark = await finality.mark(BASE)
    expect(mark).toEqual(START)
    for (;;) {
      const { rows, readTo } = await finality.settledAfter(BASE, mark, 30, 1)
      if (!readTo) break
      seen.push(...rows.map(({ key }) => key))
      for (const row of rows) expect(row.mark).toEqual(readTo)
      mark = readTo
    }
    expect(seen).toEqual(['early', 'same', 'late'])
    expect((await finality.settledAfter(BASE, START, 29, 9)).rows).toHaveLength(2)
    expect((await finality.settledAfter(BASE, START, 30, 9)).rows[0]).toMatchObject({
      ...{ key: 'early', network: BASE, amount: '1000', productId: 'price.token' },
      ...{ transaction: '0xAbearly', settledAtMs: 10, claimedAtMs: 1_000, payment: '{"x402Version":2}' },
    })
  })

  test('how far a network has come and what was found are kept together, over a restart', async () => {
    const { store, restarted } = await restart()
    await sale(store, 'a', 10)
    const mark = { settledAtMs: 10, seq: 7 }
    await store.finality.pass(BASE, mark, [finding('a', 'open')])
    const { finality } = await restarted()
    expect([await finality.mark(BASE), await finality.mark('solana:5')]).toEqual([mark, START])
    expect(await undecided(finality)).toEqual(['a'])
    expect((await finality.overview()).marks).toEqual([{ network: BASE, ...mark }])
  })
}

function undoneContract({ open }: OpenedStores): void {
  test('what was found first stays, and a decision is the last word', async () => {
    const store = await open()
    const { finality } = store
    for (const key of ['a', 'b', 'c', 'd']) await sale(store, key, 10)
    await settling(store, 'unsettled')
    const found = [finding('a', 'open'), finding('b', 'unseen'), finding('c', 'paid'), finding('d', 'lost')]
    await finality.pass(BASE, START, found)
    await finality.pass(BASE, START, [finding('a', 'lost'), finding('nobody', 'lost')])
    expect(await undecided(finality)).toEqual(['a', 'b'])
    expect([await undecided(finality, 'a'), await undecided(finality, undefined, 1)]).toEqual([['b'], ['a']])
    expect(await finality.undecided({ unseenSinceMs: 10, afterKey: undefined, limit: 9 })).toHaveLength(1)
    expect(await finality.decide(finding('b', 'open', 11))).toBe(true)
    expect(await finality.decide(finding('b', 'open', 12))).toBe(false)
    expect(await finality.decide(finding('a', 'paid', 12))).toBe(true)
    expect(await finality.decide(finding('a', 'lost', 13))).toBe(false)
    expect(await finality.decide(finding('d', 'paid', 13))).toBe(false)
    expect(await finality.decide(finding('unsettled', 'paid', 13))).toBe(false)
    const { undone, newest } = await finality.overview()
    expect(undone).toEqual({
      unseen: { count: 0, revenue: 0n },
      open: { count: 1, revenue: 1_000n },
      paid: { count: 2, revenue: 2_000n },
      lost: { count: 1, revenue: 1_000n },
    })
    expect(newest.map(({ key }) => key)).toEqual(['d', 'c', 'b', 'a'])
    expect(newest[3]).toMatchObject({
      ...{ state: 'paid', foundAtMs: 9, decidedAtMs: 12, transaction: '0xAba', newTransaction: '0xnew' },
    })
    expect(newest[2]).toMatchObject({ state: 'open', decidedAtMs: undefined, newTransaction: undefined })
  })

  test('payers of open and of lately lost payments are told', async () => {
    const store = await open()
    const { finality } = store
    for (const key of ['open', 'lost', 'old', 'paid', 'unseen']) await sale(store, key, 10, { payer: key })
    await sale(store, 'lost too', 11, { payer: 'open' })
    await finality.pass(BASE, START, [
      ...[finding('open', 'open'), finding('lost', 'lost', 50), finding('old', 'lost', 49)],
      ...[finding('paid', 'paid'), finding('unseen', 'unseen'), finding('lost too', 'lost', 60)],
    ])
    const told = (await finality.payersUndone(50)).toSorted((a, b) => (a.payer < b.payer ? -1 : 1))
    expect(told).toEqual([
      { payer: 'lost', lostAtMs: 50 },
      { payer: 'open', lostAtMs: undefined },
    ])
  })
}

function lostContract({ open }: OpenedStores): void {
  test('a lost payment is in no sum, and everything else is', async () => {
    const store = await open()
    const { payments } = store
    await someSales(store)
    await lose(store, 'b', 'c')
    expect(await payments.totals({ exceptPayers: ['0xOWN'] })).toEqual({
      ...{ count: 1, revenue: 1_000n, payers: 1 },
      perProduct: [{ productId: 'price', count: 1, revenue: 1_000n }],
      perNetwork: [{ network: BASE, count: 1, revenue: 1_000n }],
      perDay: [{ day: 0, count: 1, revenue: 1_000n }],
      perPayer: [{ payer: '0xAA', count: 1, revenue: 1_000n, firstMs: 5, lastMs: 5 }],
    })
    expect(await payments.overview(['0xOWN'])).toMatchObject({
      ...{ customers: { count: 1, revenue: 1_000n }, payers: 1, own: { count: 1, revenue: 7n } },
      perNetwork: [{ network: BASE, count: 1, revenue: 1_000n }],
      lastSettledMs: DAY_MS + 3,
    })
    const bought = await payments.purchasesOf('0xAA', { limit: 9, offset: 0 })
    expect([bought.count, bought.revenue, bought.rows.length]).toEqual([1, 1_000n, 1])
    expect(await payments.purchasesOf('SoL', { limit: 9, offset: 0 })).toEqual({
      ...{ count: 0, revenue: 0n, rows: [] },
    })
  })

  test('a lost payment is in no sum of a period, whole days or part of one', async () => {
    const store = await open()
    await someSales(store)
    await sale(store, 'd', DAY_MS + 9, { payer: '0xAA', amount: '3', productId: 'price' })
    await lose(store, 'b')
    for (const sinceMs of [DAY_MS, DAY_MS + 1, DAY_MS - 1])
      expect(await store.payments.totals({ sinceMs, exceptPayers: ['0xOWN', 'sol'] })).toMatchObject({
        ...{ count: 1, revenue: 3n, payers: 1 },
        perProduct: [{ productId: 'price', count: 1 }],
        perPayer: [{ payer: '0xAA', count: 1, revenue: 3n, firstMs: DAY_MS + 9, lastMs: DAY_MS + 9 }],
      })
  })

  test("the operator's own lost payments are taken from its own sum", async () => {
    const store = await open()
    await someSales(store)
    await lose(store, 'own')
    const { customers, own, payers } = await store.payments.overview(['0xOWN'])
    expect([customers.count, own, payers]).toEqual([3, { count: 0, revenue: 0n }, 2])
    const all = await store.payments.overview([])
    expect([all.customers.count, all.payers]).toEqual([3, 2])
    expect((await store.payments.totals({ exceptPayers: [] })).payers).toBe(2)
    expect((await store.payments.totals({ exceptPayers: ['0xOWN'] })).count).toBe(3)
  })

  test('a payment that is undone and not decided yet, or was paid again, still counts', async () => {
    const store = await open()
    await someSales(store)
    await store.finality.pass(BASE, START, [
      finding('a', 'open'),
      finding('b', 'paid'),
      finding('c', 'unseen'),
    ])
    expect((await store.payments.overview([])).customers.count).toBe(4)
    await store.finality.decide(finding('a', 'lost'))
    expect((await store.payments.overview([])).customers.count).toBe(3)
  })
}
