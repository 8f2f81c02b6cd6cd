import { expect, test } from 'vitest'
import { createRateCounters } from '../../access/rate-counters.ts'
import { createPaidMint } from '../../catalog/paid.ts'
import { silentLog } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createMemoryPaymentBook } from '../../testing/ledger/memory-payment-book.ts'
import {
  BASE_URL,
  cheap,
  NOW_MS,
  requirementOf,
  signAuthorization,
  terms,
  toHeader,
} from '../../testing/payments/sample-evm.ts'
import { createReadPayment } from '../read/read-payment.ts'
import { createBounds } from './bounds/bounds.ts'
import { FAILED_BY_CLIENT } from './bounds/limits.ts'
import { createOpenPayments } from './bounds/open-payments.ts'
import { createCollect } from './collect.ts'
import { createGate, type Holders, type Purchase } from './gate.ts'
import { createHandedOut } from './handed-out.ts'
import { createLeases } from './leases.ts'
import type { ChainOutcome, Facilitators } from './ports.ts'
import { createSell } from './sell.ts'
import { createSettleHints } from './settle-hints.ts'

const LOOKS = { name: 'test-looks', calls: 3, windowS: 60 }
const looked = { ...cheap, lookLimit: LOOKS }

/** The real gate, sale and reader, before a chain on which every payment moves, and a thing that can be taken off the shelf. */
function shop({
  holders,
  demoCalls = Number.POSITIVE_INFINITY,
}: {
  holders?: Holders
  demoCalls?: number
} = {}) {
  const clock = createManualClock(NOW_MS)
  const book = createMemoryPaymentBook()
  const asked: string[] = []
  const facilitators: Facilitators = {
    verify: async () => {
      asked.push('verify')
      return shelf.isPoor ? { kind: 'invalid', reason: 'insufficient_funds' } : { kind: 'valid' }
    },
    settle: async () => ({ kind: 'accepted', transaction: '0x1', facilitator: 'test' }),
    ready: async () => {},
  }
  const chain = {
    ready: async () => {
      if (shelf.isSilent) throw new Error('the node is silent')
    },
    outcome: async () =>
      (shelf.isPoor ? { kind: 'open' } : { kind: 'paid', transaction: '0x1' }) as ChainOutcome,
  }
  const receipts = { sign: async () => 'receipt' }
  const open = createOpenPayments({ clock })
  const collect = createCollect({
    clock,
    book,
    receipts,
    log: silentLog,
    facilitators,
    chain,
    hints: createSettleHints(),
    open,
  })
  const counters = createRateCounters({ clock })
  let purchases = 0
  const random = { id: () => `id-${++purchases}` }
  const demo = { taken: 0, limit: 1, remaining: async () => 1 }
  const leases = createLeases({ clock, book, log: silentLog })
  const sell = createSell({ clock, random, book, facilitators, chain, collect, leases })
  const reading = { clock, terms, baseUrl: BASE_URL }
  const gate = createGate({
    clock,
    mint: createPaidMint().mint,
    challenges: {
      challenge: (_route, _resource, _version, reason = 'payment_required') => ({
        ...{ header: '', pageHeader: '', body: reason, bodyBytes: 0, madeAtMs: 0 },
      }),
    },
    demo: {
      ...demo,
      take: async () => {
        if (demo.taken >= demoCalls) return undefined
        demo.taken++
        return { remaining: 0, giveBack: async () => {} }
      },
    },
    counters,
    holders,
    readPayment: createReadPayment({
      ...reading,
      signatures: {
        async holds() {
          asked.push('wallet')
          if (shelf.isNodeDown) throw new ServiceError('payments_unavailable', 'no node')
          return shelf.isSmart
        },
      },
    }),
    readByKey: createReadPayment({ ...reading, signatures: { holds: async () => false } }),
    bounds: createBounds({ clock, counters, open, sell, customerOf: (client) => client }),
    handedOut: createHandedOut({ customerOf: (client) => client }),
  })
  const shelf = {
    isEmpty: false,
    isPoor: false,
    isBroken: false,
    isSilent: false,
    isSmart: false,
    isNodeDown: false,
    asked,
    demo,
    looks: 0,
    known: new Set<string>(),
  }
  const admit = async (more: Partial<Purchase> = {}) => {
    const purchase: Purchase = {
      route: { method: 'GET', path: cheap.path, preset: {}, endpoint: cheap },
      product: looked,
      client: 'test',
      resource: '/price/BTC',
      checkExists: async (mayLook) => {
        const what = more.resource ?? '/price/BTC'
        if (shelf.known.has(what)) return
        if (what !== '/price/BTC') {
          await mayLook()
          shelf.looks++
        }
        if (shelf.isEmpty) throw new ServiceError('not_found', 'it is gone')
        if (what !== '/price/BTC') shelf.known.add(what)
      },
      askPriceOnly: false,
      payment: undefined,
      envelopeVersion: 2,
      maxAgeMs: undefined,
      ...more,
    }
    const text = '{"sold":true}'
    return gate.admit(purchase, () => {
      if (shelf.isBroken) throw new ServiceError('upstream_unavailable', 'it cannot be made')
      return { text, bytes: text.length, asOfMs: undefined, isOutage: false }
    })
  }
  const ask = (more: Partial<Purchase> = {}) =>
    admit(more).then(
      ({ kind }) => kind as string,
      (error: ServiceError) => error.code,
    )
  return { admit, ask, shelf, clock }
}

type Signed = { validBefore?: string; from?: `0x${string}`; identifier?: string }
const payment = async (nonce: string, { identifier, ...over }: Signed = {}) => ({
  version: 2 as const,
  text: toHeader({
    x402Version: 2,
    ...(identifier && { extensions: { 'payment-identifier': { info: { id: identifier } } } }),
    accepted: requirementOf(cheap, 'eip155'),
    payload: await signAuthorization(requirementOf(cheap, 'eip155'), {
      nonce: `0x${nonce.repeat(32)}`,
      ...over,
    }),
  }),
})

test('nobody is asked to pay for what does not exist, nor is a free call or a facilitator used', async () => {
  const { ask, shelf } = shop()
  shelf.isEmpty = true
  expect(await ask()).toBe('not_found')
  expect(await ask({ askPriceOnly: true })).toBe('not_found')
  expect(await ask({ envelopeVersion: 1 })).toBe('not_found')
  expect(await ask({ payment: { version: 2, text: 'garbage' } })).toBe('not_found')
  expect(await ask({ payment: { version: 1, text: 'e30=' } })).toBe('not_found')
  expect(await ask({ payment: await payment('5a') })).toBe('not_found')
  expect([shelf.asked, shelf.demo.taken]).toEqual([[], 0])
  shelf.isEmpty = false
  expect(await ask({ payment: await payment('5a') })).toBe('sold')
})

test('what was bought while it existed is handed out again to its buyer, and to nobody else', async () => {
  const { ask, shelf } = shop()
  const bought = await payment('5a')
  expect(await ask({ payment: bought })).toBe('sold')
  shelf.isEmpty = true
  expect(await ask({ payment: bought })).toBe('sold')
  expect(await ask({ payment: bought, resource: '/price/ETH' })).toBe('not_found')
  expect(await ask({ payment: await payment('5b') })).toBe('not_found')
})

test('a reply that reached its buyer goes to nobody else who sends the payment: the chain shows all of it', async () => {
  const { admit, ask } = shop()
  const bought = await payment('5a')
  const sold = await admit({ payment: bought })
  // It has reached nobody yet: whoever comes is taken for the buyer, from another address.
  expect(await ask({ payment: bought, client: 'elsewhere' })).toBe('sold')
  if (sold.kind === 'sold') sold.onSent()
  expect(await ask({ payment: bought, client: 'elsewhere' })).toBe('payment_already_used')
  expect(await ask({ payment: bought })).toBe('sold')
})

test('who came first with a payment is not locked out by one who fetched its reply before him', async () => {
  const { admit, ask } = shop()
  const bought = await payment('5a')
  // The buyer's connection breaks, and somebody who reads the chain is quicker than he.
  await admit({ payment: bought })
  const stolen = await admit({ payment: bought, client: 'elsewhere' })
  if (stolen.kind === 'sold') stolen.onSent()
  expect(await ask({ payment: bought })).toBe('sold')
  expect(await ask({ payment: bought, client: 'a third' })).toBe('payment_already_used')
})

test('who names the identifier of the payment gets its reply from anywhere; a chain does not tell it', async () => {
  const { admit, ask } = shop()
  const named = await payment('5a', { identifier: 'a-name-that-nobody-guesses' })
  const sold = await admit({ payment: named })
  if (sold.kind === 'sold') sold.onSent()
  const client = 'elsewhere'
  expect(await ask({ payment: named, client })).toBe('sold')
  expect(await ask({ payment: await payment('5a'), client })).toBe('payment_already_used')
  const guessed = await payment('5a', { identifier: 'a-name-that-was-guessed' })
  expect(await ask({ payment: guessed, client })).toBe('payment_already_used')
})

test('who tries payments of others is sent away like one whose payments fail', async () => {
  const { admit, ask } = shop()
  const bought = await payment('5a')
  const sold = await admit({ payment: bought })
  if (sold.kind === 'sold') sold.onSent()
  const tries = []
  for (let n = 0; n < FAILED_BY_CLIENT.calls; n++)
    tries.push(await ask({ payment: bought, client: 'elsewhere' }))
  expect(new Set(tries)).toEqual(new Set(['payment_already_used']))
  expect(await ask({ payment: { version: 2, text: 'garbage' }, client: 'elsewhere' })).toBe('rate_limited')
})

const unseen = (n: number) => ({ resource: `/price/new-${n}` })
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

test('a client looks up so much unpaid, whatever it sends in place of a payment; what is known is no look', async () => {
  const { ask, shelf, clock } = shop()
  for (const n of range(0, 3)) expect(await ask({ ...unseen(n), askPriceOnly: true })).toBe('refused')
  expect(await ask(unseen(3))).toBe('rate_limited')
  expect(await ask({ ...unseen(3), payment: { version: 2, text: 'garbage' } })).toBe('rate_limited')
  const late = await payment('5a', { validBefore: '1' })
  expect(await ask({ ...unseen(3), payment: late })).toBe('rate_limited')
  expect([shelf.looks, shelf.asked]).toEqual([3, []])
  expect(await ask({ ...unseen(0), askPriceOnly: true })).toBe('refused')
  expect(await ask({ ...unseen(3), client: 'another', askPriceOnly: true })).toBe('refused')
  expect(await ask({ ...unseen(4) })).toBe('rate_limited')
  clock.advance(60_000)
  expect(await ask({ ...unseen(4), askPriceOnly: true })).toBe('refused')
})

test('a good payment goes past the limit, one without money behind it does not', async () => {
  const { ask, shelf } = shop()
  for (const n of range(0, 3)) await ask({ ...unseen(n), askPriceOnly: true })
  shelf.isPoor = true
  expect(await ask({ ...unseen(3), payment: await payment('5a') })).toBe('rate_limited')
  expect([shelf.looks, shelf.asked]).toEqual([3, ['verify']])
  shelf.isPoor = false
  // Many more than the limit: each that is sold counts for nothing.
  for (const n of range(3, 13))
    expect(await ask({ ...unseen(n), payment: await payment((n + 16).toString(16)) })).toBe('sold')
  expect(await ask({ ...unseen(13), askPriceOnly: true })).toBe('rate_limited')
})

test('who can pay looks up as much again for nothing, and is not charged', async () => {
  const { ask, shelf } = shop()
  for (const n of range(0, 3)) await ask({ ...unseen(n), askPriceOnly: true })
  shelf.isEmpty = true
  const signed = await payment('5a')
  for (const n of range(3, 6)) expect(await ask({ ...unseen(n), payment: signed })).toBe('not_found')
  expect(await ask({ ...unseen(6), payment: signed })).toBe('rate_limited')
  expect(shelf.looks).toBe(6)
  shelf.isEmpty = false
  expect(await ask({ ...unseen(0), payment: signed })).toBe('sold')
})

test('the look that told a buyer the price does not count once he has paid', async () => {
  const { ask, shelf } = shop()
  for (const n of range(0, 20)) {
    expect(await ask({ ...unseen(n), askPriceOnly: true })).toBe('refused')
    expect(await ask({ ...unseen(n), payment: await payment((n + 16).toString(16)) })).toBe('sold')
  }
  const again = await payment('10')
  // A stored reply is fetched as often as one likes, and earns nothing.
  for (const n of range(20, 23)) {
    expect(await ask({ ...unseen(n), askPriceOnly: true })).toBe('refused')
    expect(await ask({ ...unseen(0), payment: again })).toBe('sold')
  }
  expect(await ask({ ...unseen(23), askPriceOnly: true })).toBe('rate_limited')
  expect(shelf.looks).toBe(23)
})

/** Knows one token, with two calls. */
function twoCalls() {
  const book: string[] = []
  let left = 2
  const holders: Holders = {
    async identify(token) {
      if (token !== 'good') throw new ServiceError('unauthorized', 'no')
      const take = async () => {
        if (left === 0) return undefined
        left--
        book.push('taken')
        const giveBack = async () => {
          left++
          book.push('given back')
        }
        return { remaining: left, giveBack }
      }
      return { wallet: '0xb2', limit: 2, take }
    },
  }
  return { holders, book }
}

test('a holder uses the allowance, then the free calls of its address', async () => {
  const { holders, book } = twoCalls()
  const { ask, shelf } = shop({ holders })
  const asked = await Promise.all(Array.from({ length: 3 }, () => ask({ token: 'good' })))
  expect(asked.sort()).toEqual(['demo', 'holder', 'holder'])
  expect([book.filter((each) => each === 'taken').length, shelf.demo.taken]).toEqual([2, 1])
})

test('a holder hears that the allowance is used up, with the free calls that follow and when those are gone', async () => {
  const { holders } = twoCalls()
  const { admit, ask } = shop({ holders, demoCalls: 1 })
  expect([await ask({ token: 'good' }), await ask({ token: 'good' })]).toEqual(['holder', 'holder'])
  const holder = { wallet: '0xb2', limit: 2, remaining: 0 }
  expect(await admit({ token: 'good' })).toMatchObject({ kind: 'demo', holder })
  const challenge = { body: 'allowance_used' }
  expect(await admit({ token: 'good' })).toMatchObject({ kind: 'refused', holder, challenge })
  const plain = await admit()
  expect(plain).toMatchObject({ kind: 'refused', challenge: { body: 'payment_required' } })
  expect(plain).not.toHaveProperty('holder.limit')
  const priced = await admit({ token: 'good', askPriceOnly: true })
  expect(priced).toMatchObject({ challenge: { body: 'payment_required' } })
})

test('who is told the price is told how many free calls are left, and none is taken', async () => {
  const { admit, shelf } = shop({})
  expect(await admit({ askPriceOnly: true })).toMatchObject({ kind: 'refused', demoRemaining: 1 })
  expect(shelf.demo.taken).toBe(0)
})

test('a page of another site gets no free call, and what it pays or holds a token for', async () => {
  const { holders } = twoCalls()
  const { ask, shelf } = shop({ holders })
  const foreign = { isForeignPage: true }
  expect(await ask(foreign)).toBe('refused')
  expect(await ask({ ...foreign, payment: await payment('f1') })).toBe('sold')
  const held = [1, 2, 3].map(() => ask({ ...foreign, token: 'good' }))
  expect((await Promise.all(held)).sort()).toEqual(['holder', 'holder', 'refused'])
  expect(shelf.demo.taken).toBe(0)
})

test('a bad token is refused, and uses no free call', async () => {
  const { ask, shelf } = shop(twoCalls())
  expect(await ask({ token: 'bad' })).toBe('unauthorized')
  expect(await ask({ token: '' })).toBe('unauthorized')
  expect(shelf.demo.taken).toBe(0)
})

test('a payment comes before a token, and a question for the price before both', async () => {
  const { holders, book } = twoCalls()
  const { ask } = shop({ holders })
  expect(await ask({ token: 'bad', payment: await payment('5a') })).toBe('sold')
  expect(await ask({ token: 'good', payment: { version: 2, text: 'garbage' } })).toBe('refused')
  expect(await ask({ token: 'good', askPriceOnly: true })).toBe('refused')
  expect(book).toEqual([])
})

test('a holder gets the call back where nothing could be made', async () => {
  const { holders, book } = twoCalls()
  const { ask, shelf } = shop({ holders })
  shelf.isBroken = true
  expect(await ask({ token: 'good' })).toBe('upstream_unavailable')
  expect(book).toEqual(['taken', 'given back'])
  shelf.isEmpty = true
  expect(await ask({ token: 'good' })).toBe('not_found')
  expect(book).toHaveLength(2)
})

test('where calls of holders cannot be counted a token opens nothing, and a payment still buys', async () => {
  const take = () => Promise.reject(new ServiceError('counters_unavailable', 'lost'))
  const { ask, shelf } = shop({ holders: { identify: async () => ({ wallet: '0xb2', limit: 2, take }) } })
  expect(await ask({ token: 'good' })).toBe('counters_unavailable')
  expect(shelf.demo.taken).toBe(0)
  expect(await ask({ token: 'good', payment: await payment('5a') })).toBe('sold')
})

test('where nobody can sign in a token is not looked at', async () => {
  const { ask } = shop()
  expect(await ask({ token: 'whatever' })).toBe('demo')
})

const SMART = `0x${'77'.repeat(20)}` as const

test('a client whose payments fail too often gets 429 and nobody is asked; what was bought is handed out', async () => {
  const { ask, shelf, clock } = shop()
  shelf.isSmart = true
  const bought = await payment('5a', { from: SMART })
  expect(await ask({ payment: bought })).toBe('sold')
  const garbage = { version: 2 as const, text: 'garbage' }
  for (const _ of range(0, FAILED_BY_CLIENT.calls / 2)) {
    expect(await ask({ payment: garbage })).toBe('refused')
    expect(await ask({ payment: await payment('5b', { validBefore: '1' }) })).toBe('refused')
  }
  const before = shelf.asked.length
  expect(await ask({ payment: garbage })).toBe('rate_limited')
  expect(await ask({ payment: await payment('5c') })).toBe('rate_limited')
  expect(await ask({ payment: await payment('5d', { from: SMART }) })).toBe('rate_limited')
  expect(await ask({ payment: bought })).toBe('sold')
  expect(await ask({ askPriceOnly: true })).toBe('refused')
  expect(shelf.asked).toHaveLength(before)
  expect(await ask({ payment: await payment('5c'), client: 'another' })).toBe('sold')
  clock.advance(60_000)
  expect(await ask({ payment: await payment('5d', { from: SMART }) })).toBe('sold')
})

test('who has bought lately is not locked out by others behind his address, if his key proves it', async () => {
  const { ask, shelf } = shop()
  shelf.isSmart = true
  const garbage = { version: 2 as const, text: 'garbage' }
  const bought = [await payment('5a'), await payment('5b', { from: SMART })]
  for (const each of bought) expect(await ask({ payment: each })).toBe('sold')
  for (const _ of range(0, FAILED_BY_CLIENT.calls)) expect(await ask({ payment: garbage })).toBe('refused')
  const before = shelf.asked.length
  expect(await ask({ payment: garbage })).toBe('rate_limited')
  expect(await ask({ payment: await payment('5c', { from: SMART }) })).toBe('rate_limited')
  expect(await ask({ payment: await payment('5d', { validBefore: '1' }) })).toBe('rate_limited')
  expect(shelf.asked).toHaveLength(before)
  expect(await ask({ payment: await payment('5e') })).toBe('sold')
  expect(shelf.asked.slice(before)).toEqual(['verify'])
  shelf.isPoor = true
  expect(await ask({ payment: await payment('5f') })).toBe('refused')
  shelf.isPoor = false
  expect(await ask({ payment: await payment('60') })).toBe('rate_limited')
})

test('what a contract wallet bought is handed out while nobody can be asked about its signature', async () => {
  const { ask, shelf } = shop()
  shelf.isSmart = true
  const bought = await payment('5a', { from: SMART })
  expect(await ask({ payment: bought })).toBe('sold')
  shelf.isNodeDown = true
  expect(await ask({ payment: bought })).toBe('sold')
  expect(await ask({ payment: await payment('5b', { from: SMART }) })).toBe('payments_unavailable')
})

test('no wallet is asked about what does not exist, and who pays for it in vain is counted', async () => {
  const { ask, shelf, clock } = shop()
  Object.assign(shelf, { isEmpty: true, isSmart: true })
  const from = `0x${'c1'.repeat(20)}` as const
  for (let n = 0; n < FAILED_BY_CLIENT.calls; n++)
    expect(await ask({ payment: await payment(n.toString(16).padStart(2, '0'), { from }) })).toBe('not_found')
  expect(shelf.asked).toEqual([])
  expect(await ask({ payment: await payment('ff', { from }) })).toBe('rate_limited')
  expect(await ask({ payment: await payment('ff', { from }), client: 'another' })).toBe('not_found')
  clock.advance(FAILED_BY_CLIENT.windowS * 1000)
  shelf.isEmpty = false
  expect(await ask({ payment: await payment('fe') })).toBe('sold')
})

test('a wallet over its budget costs its client, so that no node is asked about it for ever', async () => {
  const { ask, shelf } = shop()
  Object.assign(shelf, { isPoor: true, isSmart: true })
  const from = `0x${'c1'.repeat(20)}` as const
  for (let n = 0; n < 4 * FAILED_BY_CLIENT.calls; n++)
    await ask({ payment: await payment(n.toString(16).padStart(2, '0'), { from }) })
  expect(shelf.asked.filter((what) => what === 'wallet')).toHaveLength(FAILED_BY_CLIENT.calls)
})
