import { expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { createManualClock, type ManualClock } from '../../core/time/manual-clock.ts'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import { createMemoryHintBook } from '../../testing/ledger/finality/memory-hint-book.ts'
import { createMemoryPaymentBook } from '../../testing/ledger/memory-payment-book.ts'
import type { MemoryRows } from '../../testing/ledger/memory-payment-rows.ts'
import { createOpenPayments } from './bounds/open-payments.ts'
import { CALLER_WAIT_MS, createCollect } from './collect.ts'
import { createLeases } from './leases.ts'
import type { Payment } from './payment.ts'
import type { Chain, ChainOutcome, SettleAnswer } from './ports.ts'
import { createReconcile } from './reconcile.ts'
import { createSell } from './sell.ts'
import { createSettleHints } from './settle-hints.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const payment: Payment = {
  version: 2,
  key: 'eip155:8453/usdc/payer/nonce',
  network: 'eip155:8453',
  payer: 'payer',
  payload: {},
  requirement: {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: 'usdc',
    amount: '1000',
    payTo: 'us',
    maxTimeoutSeconds: 300,
    extra: {},
  },
  validBeforeMs: NOW_MS + 300_000,
  digest: 'digest',
  identifier: undefined,
}

const FRESH_FOR_MS = 10_000

/** The real sale before a chain and a facilitator that a test controls. */
type Refusal = { code: string; message: string; hint?: string }

function shop(isShared = false) {
  const state = {
    isSilent: false,
    mayBeSettled: true,
    warnedAtMs: [] as number[],
    outcome: { kind: 'paid', transaction: '0x1' } as ChainOutcome,
    settled: { kind: 'accepted', transaction: '0x1', facilitator: 'test' } as SettleAnswer,
    whileWorking: () => {},
    whileSettling: () => {},
    /** The ledger has written it and its answer is still on the way. */
    afterPrepare: async () => {},
    done: [] as string[],
    landed: [] as string[],
    hints: [] as (string | undefined)[],
    claimedAt: [] as (number | undefined)[],
  }
  const clock = createManualClock(NOW_MS)
  const rows: MemoryRows = new Map()
  const memory = createMemoryPaymentBook({ rows })
  const book: typeof memory = {
    ...memory,
    async prepare(...given) {
      const isPrepared = await memory.prepare(...given)
      await state.afterPrepare()
      return isPrepared
    },
  }
  const chain: Chain = {
    async ready() {
      if (state.isSilent) throw new Error('the chain node answered 429')
    },
    async outcome(_, hint, claimedAtMs) {
      state.hints.push(hint)
      state.claimedAt.push(claimedAtMs)
      if (state.isSilent) throw new Error('the chain node answered 429')
      return state.outcome
    },
  }
  const facilitators = {
    verify: async () => {
      state.done.push('verify')
      return { kind: 'valid' as const }
    },
    ready: async () => {
      if (!state.mayBeSettled) throw new Error('nobody can settle')
    },
    settle: async (_: Payment, failedAt?: string) => {
      state.done.push(failedAt === undefined ? 'settle' : `settle, not at ${failedAt}`)
      state.whileSettling()
      return state.settled
    },
    noteLanding: (_: Payment, facilitator: string, isLanded: boolean, isNamed?: boolean) =>
      void state.landed.push(`${facilitator} ${isLanded}${isNamed ? ' as it named' : ''}`),
  }
  const log = { ...silentLog, warn: () => void state.warnedAtMs.push(clock.now()) }
  const receipts = { sign: async () => 'receipt' }
  const open = createOpenPayments({ clock })
  const hintBook = createMemoryHintBook(new Map(), rows)
  const hints = createSettleHints(hintBook)
  const leases = createLeases({ clock, book, log })
  const ports = { clock, book, receipts, log, chain, facilitators, hints, open, leases, isShared }
  const sell = createSell({ ...ports, random: { id: () => 'id' }, collect: createCollect(ports) })
  const work = async () => {
    state.done.push('work')
    state.whileWorking()
    return { text: '{}', bytes: 2, asOfMs: clock.now(), isOutage: false }
  }
  const isFresh = (asOfMs: number) => clock.now() - asOfMs <= FRESH_FOR_MS
  const buy = (paid = payment) =>
    sell(paid, { productId: 'p', request: 'GET /p', work, isFresh }, undefined).then(
      ({ kind }) => ({ kind: kind as string, message: '' }),
      ({ code, message, hint }: Refusal) => ({ kind: code, message, hint }),
    )
  /** As the next process makes it. */
  const restarted = async () => {
    const kept = createSettleHints(hintBook)
    await kept.load()
    return createReconcile({ ...ports, hints: kept })
  }
  return { state, clock, rows, book, open, buy, reconcile: createReconcile(ports), restarted }
}

const UNAVAILABLE = {
  kind: 'payments_unavailable',
  message: 'the chain cannot be asked; nothing was charged',
  hint: 'retry with the same payment',
}

test('while the chain cannot be asked nobody is asked for money and nothing is kept', async () => {
  const { state, rows, buy } = shop()
  state.isSilent = true
  expect(await buy()).toEqual(UNAVAILABLE)
  expect([state.done, rows.size]).toEqual([[], 0])
  state.isSilent = false
  expect(await buy()).toMatchObject({ kind: 'sold' })
})

test('a stored reply is handed out although the chain cannot be asked', async () => {
  const { state, buy } = shop()
  expect(await buy()).toMatchObject({ kind: 'sold' })
  state.isSilent = true
  expect(await buy()).toMatchObject({ kind: 'sold' })
  expect(state.done).toEqual(['verify', 'work', 'settle'])
})

test('a chain that falls silent during the work stops the sale before money moves', async () => {
  const { state, rows, buy } = shop()
  state.whileWorking = () => {
    state.isSilent = true
  }
  expect(await buy()).toEqual(UNAVAILABLE)
  expect([state.done, rows.size]).toEqual([['verify', 'work'], 0])
})

test('where nobody can settle nothing is kept, and the payment can be used again', async () => {
  const { state, rows, buy } = shop()
  state.mayBeSettled = false
  expect((await buy()).message).toContain('nobody can settle')
  expect([state.done, rows.size]).toEqual([[], 0])
  state.mayBeSettled = true
  state.whileWorking = () => {
    state.mayBeSettled = false
  }
  expect((await buy()).message).toContain('nobody can settle')
  expect([state.done, rows.size]).toEqual([['verify', 'work'], 0])
  Object.assign(state, { mayBeSettled: true, whileWorking: () => {} })
  expect(await buy()).toMatchObject({ kind: 'sold' })
})

test('what a facilitator says it could not move is sent once more while the buyer waits, and not at once', async () => {
  const opened = shop()
  const { state, clock } = opened
  state.outcome = { kind: 'open' }
  state.settled = { kind: 'unknown', facilitator: 'first', isFailed: true }
  const bought = opened.buy()
  await untilDone(
    opened,
    untilTrue(() => state.done.includes('settle, not at first')),
  )
  expect(clock.now() - NOW_MS).toBeGreaterThanOrEqual(1_500)
  state.outcome = { kind: 'paid', transaction: '0x2' }
  await untilDone(opened, bought)
  expect(await bought).toMatchObject({ kind: 'sold' })
  expect(state.done).toEqual(['verify', 'work', 'settle', 'settle, not at first'])
})

test.each<SettleAnswer>([
  { kind: 'unknown', facilitator: 'test' },
  { kind: 'unknown', facilitator: 'test', transaction: '0xfeed' },
  { kind: 'accepted', facilitator: 'test', transaction: '0xfeed' },
])('what may be on its way is sent once: %j', async (settled) => {
  const { state } = await pendingShop(settled)
  expect(state.done).toEqual(['verify', 'work', 'settle'])
})

test('one that failed is not asked first when the buyer comes back', async () => {
  const opened = await pendingShop({ kind: 'unknown', facilitator: 'first', isFailed: true })
  const { state } = opened
  state.done.length = 0
  state.settled = { kind: 'accepted', facilitator: 'second', transaction: '0x2' }
  state.outcome = { kind: 'paid', transaction: '0x2' }
  expect(await opened.buy()).toMatchObject({ kind: 'sold' })
  expect(state.done).toEqual(['settle, not at first'])
})

test('nor is one whose settlement did not reach the chain while the buyer waited', async () => {
  const opened = await pendingShop({ kind: 'accepted', facilitator: 'first', transaction: '0xfeed' })
  const { state } = opened
  expect(state.landed).toEqual(['first false'])
  state.done.length = 0
  state.settled = { kind: 'accepted', facilitator: 'second', transaction: '0x2' }
  state.outcome = { kind: 'paid', transaction: '0x2' }
  expect(await opened.buy()).toMatchObject({ kind: 'sold' })
  expect([state.done, state.landed]).toEqual([
    ['settle, not at first'],
    ['first false', 'second true as it named'],
  ])
})

test.each([
  ['0xFEED', ['first true as it named']],
  ['0x2', []],
  [undefined, ['first true']],
])('a facilitator that named %s is credited only where the payment may be in that', async (named, landed) => {
  const { state, buy } = shop()
  state.outcome = { kind: 'paid', transaction: '0xfeed' }
  state.settled = { kind: 'accepted', facilitator: 'first', transaction: named }
  expect(await buy()).toMatchObject({ kind: 'sold' })
  expect(state.landed).toEqual(landed)
})

test.each([
  ['that accepted it only when nobody waited any more', 12_500, { kind: 'open' }],
  ['whose payment is on the chain, in a block that is too young', 0, { kind: 'open', isSeen: true }],
] as const)('a facilitator %s has done nothing wrong', async (_, tookMs, outcome) => {
  const opened = shop()
  const { state, clock } = opened
  state.outcome = outcome
  state.whileSettling = () => clock.advance(tookMs)
  const bought = opened.buy()
  await untilDone(opened, bought)
  expect(await bought).toMatchObject({ kind: 'payment_pending' })
  expect([state.done, state.landed]).toEqual([['verify', 'work', 'settle'], []])
})

test('a process that stood still does not send what nobody would buy any more', async () => {
  const opened = shop()
  const { state, clock, rows } = opened
  state.afterPrepare = async () => void clock.advance(200_000)
  state.outcome = { kind: 'open' }
  const bought = opened.buy()
  await untilDone(opened, bought)
  expect(await bought).toMatchObject({ kind: 'payment_pending' })
  expect([state.done, rows.get(payment.key)?.state]).toEqual([['verify', 'work'], 'settling'])
})

test('of two payments under one identifier the second is told what became of the first', async () => {
  const { state, rows, buy } = shop()
  const [first, second] = ['first', 'second'].map((key) => ({ ...payment, key, identifier: 'order 7' }))
  state.outcome = { kind: 'dead' }
  await buy(first)
  expect(rows.get('first')?.state).toBe('void')
  expect(await buy(second)).toMatchObject({
    kind: 'payment_already_used',
    message: expect.stringContaining('ended without a charge'),
    hint: 'sign with a new identifier',
  })
})

test('a node that did not answer all that time says nothing against a facilitator', async () => {
  const opened = shop()
  opened.state.whileWorking = () => void setImmediate(() => Object.assign(opened.state, { isSilent: true }))
  opened.state.outcome = { kind: 'open' }
  const bought = opened.buy()
  await untilDone(opened, bought)
  expect(opened.state.landed).toEqual([])
})

test.each([
  ['after 45 s with a reply that has grown old', 45_000, false],
  ['before', 44_000, true],
  ['when it has expired', 300_000, false],
])('what has not moved is sent again when its buyer comes back: %s', async (_, afterMs, isSent) => {
  const opened = await pendingShop({ kind: 'unknown', facilitator: 'test' })
  const { state, clock } = opened
  clock.advance(NOW_MS + afterMs - clock.now())
  state.done.length = 0
  const bought = opened.buy()
  await untilDone(opened, bought)
  expect(await bought).toMatchObject({ kind: 'payment_pending' })
  expect(state.done).toEqual(isSent ? ['settle'] : [])
  // It may have been sent before: what it bought is there all the same.
  state.outcome = { kind: 'paid', transaction: '0x1' }
  expect(await opened.buy()).toMatchObject({ kind: 'sold' })
})

test('a reply that does not grow old is sold until the payment expires', async () => {
  const opened = await pendingShop({ kind: 'unknown', facilitator: 'test' })
  const { state, clock, rows } = opened
  const row = rows.get(payment.key)
  if (row?.reply) row.reply.asOfMs = undefined
  clock.advance(NOW_MS + 299_000 - clock.now())
  state.done.length = 0
  state.outcome = { kind: 'paid', transaction: '0x1' }
  expect(await opened.buy()).toMatchObject({ kind: 'sold' })
  expect(state.done).toEqual(['settle'])
})

/** Settled at a facilitator, and the chain does not show it while the caller waits. */
async function pendingShop(settled: SettleAnswer) {
  const opened = shop()
  opened.state.outcome = { kind: 'open' }
  opened.state.settled = settled
  const bought = opened.buy()
  await untilDone(opened, bought)
  expect(await bought).toMatchObject({ kind: 'payment_pending' })
  return opened
}

test('a payment under way is not sent once more while the chain cannot be asked, and nobody says that it was free', async () => {
  const opened = await pendingShop({ kind: 'unknown', facilitator: 'test' })
  opened.state.isSilent = true
  opened.state.done.length = 0
  expect(await opened.buy()).toMatchObject({ kind: 'payment_pending' })
  expect(opened.state.done).toEqual([])
})

test.each(['now and when reconciling', 'after a restart'])(
  'a transaction that a facilitator named with a failure is looked at, %s, from the time of the claim',
  async (when) => {
    const opened = await pendingShop({ kind: 'unknown', transaction: '0xfeed', facilitator: 'test' })
    expect(new Set(opened.state.hints)).toEqual(new Set(['0xfeed']))
    opened.state.hints.length = 0
    opened.state.claimedAt.length = 0
    opened.state.outcome = { kind: 'paid', transaction: '0xfeed' }
    const stop = new AbortController()
    const reconcile = when === 'after a restart' ? await opened.restarted() : opened.reconcile
    const running = reconcile.run(stop.signal)
    await untilDone(opened, untilSettled(opened.rows))
    stop.abort()
    await running
    expect([opened.state.hints, opened.state.claimedAt]).toEqual([['0xfeed'], [NOW_MS]])
    expect(opened.rows.get(payment.key)).toMatchObject({ state: 'settled', transaction: '0xfeed' })
  },
)

test('that the chain cannot be asked about a payment is a warning only when it is no longer young', async () => {
  const opened = await pendingShop({ kind: 'unknown', facilitator: 'test' })
  const { state, clock, reconcile } = opened
  state.isSilent = true
  state.warnedAtMs.length = 0
  const stop = new AbortController()
  const running = reconcile.run(stop.signal)
  await untilDone(
    opened,
    untilTrue(() => state.warnedAtMs.length > 0),
  )
  stop.abort()
  clock.advance(60_000)
  await running
  expect(state.claimedAt.length).toBeGreaterThan(3)
  expect((state.warnedAtMs[0] ?? 0) - NOW_MS).toBeGreaterThanOrEqual(30_000)
})

test('a payment whose turn fell into a silence is asked about as soon as the chain is back, not at its next turn', async () => {
  const opened = await pendingShop({ kind: 'unknown', facilitator: 'test' })
  const { state, clock, rows, reconcile } = opened
  state.isSilent = true
  const stop = new AbortController()
  const running = reconcile.run(stop.signal)
  const turns = untilTrue(() => state.claimedAt.length >= TURNS)
  await untilDone(opened, turns)
  // By now there are 15 s from one turn to the next, and the last one has just been.
  const silentUntilMs = clock.now()
  Object.assign(state, { isSilent: false, outcome: { kind: 'paid', transaction: '0x1' } })
  await untilDone(opened, untilSettled(rows))
  expect(clock.now() - silentUntilMs).toBeLessThanOrEqual(3_000)
  stop.abort()
  clock.advance(60_000)
  await running
})

/** Those of the purchase itself too. */
const TURNS = 30

const untilSettled = (rows: MemoryRows): Promise<void> =>
  untilTrue(() => (rows.get(payment.key) as PaymentRow | undefined)?.state === 'settled')

async function untilTrue(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate)
}

/** Lets time pass until it is done: what waits on the clock goes on. */
async function untilDone({ clock }: ReturnType<typeof shop>, awaited: Promise<unknown>): Promise<void> {
  let isDone = false
  void awaited.finally(() => {
    isDone = true
  })
  for (let ms = 0; !isDone && ms < 10 * CALLER_WAIT_MS; ms += 50) {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    if (!isDone) clock.advance(50)
  }
}

/** So much time passes, and what it brings about ends. */
async function turn(clock: ManualClock, ms: number): Promise<void> {
  clock.advance(ms)
  for (let n = 0; n < 5; n++) await new Promise(setImmediate)
}

test('a process that only follows asks nobody, and learns what another one has decided', async () => {
  const { state, clock, rows, book, open, reconcile } = await pendingShop({
    kind: 'unknown',
    facilitator: 'test',
  })
  expect(open.countOf('payer')).toBe(1)
  const stop = new AbortController()
  const following = reconcile.follow(stop.signal)
  const asked = state.claimedAt.length
  for (let n = 0; n < 5; n++) await turn(clock, 2_000)
  expect([state.claimedAt.length, open.countOf('payer')]).toEqual([asked, 1])
  const outcome = { transaction: '0x1', facilitator: 'test', settledAtMs: clock.now(), receipt: 'receipt' }
  await book.settle(payment.key, outcome)
  expect(rows.get(payment.key)).toMatchObject({ state: 'settled' })
  for (let n = 0; n < 2; n++) await turn(clock, 2_000)
  expect([state.claimedAt.length, open.countOf('payer')]).toEqual([asked, 0])
  stop.abort()
  await turn(clock, 2_000)
  await following
})

test('a process that only follows releases the claim of one that has died', async () => {
  const { clock, rows, book, reconcile } = shop()
  const { network, key, payer, requirement } = payment
  await book.claim({
    ...{ key, payer, network, id: 'of the dead', fingerprint: 'f', identifier: undefined },
    ...{ productId: 'p', request: 'GET /p', payment: JSON.stringify(payment), claimedAtMs: clock.now() },
    ...{ asset: requirement.asset, amount: requirement.amount, payTo: requirement.payTo },
  })
  const stop = new AbortController()
  const following = reconcile.follow(stop.signal)
  for (let n = 0; n < 5; n++) await turn(clock, 2_000)
  expect(rows.size).toBe(1)
  for (let n = 0; n < 30; n++) await turn(clock, 2_000)
  expect(rows.size).toBe(0)
  stop.abort()
  await turn(clock, 2_000)
  await following
})

test('a copy that comes before a shared ledger has answered does not keep the payment from being sent', async () => {
  const { state, rows, buy, open } = shop(true)
  const answered = Promise.withResolvers<void>()
  const prepared = Promise.withResolvers<void>()
  state.afterPrepare = () => {
    prepared.resolve()
    return answered.promise
  }
  const first = buy()
  await prepared.promise
  expect(rows.get(payment.key)).toMatchObject({ state: 'settling' })
  expect(await buy()).toMatchObject({ kind: 'payment_in_progress' })
  expect(open.has(payment.key)).toBe(false)
  answered.resolve()
  expect(await first).toMatchObject({ kind: 'sold' })
  expect(state.done.filter((step) => step === 'settle')).toHaveLength(1)
})
