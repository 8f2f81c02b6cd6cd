import { expect, it } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { Payment } from '../gate/payment.ts'
import { FIRST_PAUSE_MS, OPENS_AFTER_FAULTS } from './breaker.ts'
import { createFacilitators, type FacilitatorPorts } from './facilitators.ts'
import {
  busyFor,
  type FacilitatorMember,
  type Fault,
  faulty,
  type MemberReply,
  type SettleReply,
  type SupportedReply,
  type VerifyReply,
} from './members/member.ts'
import { isAble, SETTLE_TIMEOUT_MS, VERIFY_TIMEOUT_MS } from './monitored-facilitator.ts'

const EVM = 'eip155:8453'
const SVM = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const SILENCE = new Promise<never>(() => {})

type Script = {
  verify?: () => Promise<MemberReply<VerifyReply>>
  settle?: () => Promise<MemberReply<SettleReply>>
  supported?: () => Promise<MemberReply<SupportedReply>>
}
const answer = <T>(value: T): Promise<MemberReply<T>> => Promise.resolve({ kind: 'answer', answer: value })
const fault = (name: Fault) => Promise.resolve(faulty(name))
const valid = () => answer<VerifyReply>({ isValid: true, reason: undefined })
const invalid = (reason: string) => answer<VerifyReply>({ isValid: false, reason })
const settled = () => answer<SettleReply>({ success: true, reason: undefined, transaction: '0xabc' })
const unsettled = (reason: string | undefined, transaction?: string) =>
  answer<SettleReply>({ success: false, reason, transaction })

/** Members a, b, … that follow a script and record every call. */
type Options = Partial<Pick<FacilitatorPorts, 'preferred' | 'networks' | 'lookAtPayer'>>
function start(scripts: readonly Script[], options: Options = {}) {
  const clock = createManualClock(1_000_000)
  const calls: string[] = []
  const members = scripts.map((script, index): FacilitatorMember => {
    const name = 'abc'[index] ?? '?'
    const call = <T>(step: string, run: () => T) => {
      calls.push(`${name} ${step}`)
      return run()
    }
    const kinds = [
      { network: EVM, feePayers: [] },
      { network: SVM, feePayers: [`fees-of-${name}`] },
    ]
    return {
      name,
      verify: () => call('verify', script.verify ?? valid),
      settle: () => call('settle', script.settle ?? settled),
      supported: () => call('supported', script.supported ?? (() => answer(kinds))),
    }
  })
  const pool = createFacilitators({ clock, log: silentLog, members, random: () => 0.5, ...options })
  const asked = (step: string) => calls.filter((call) => call.endsWith(step)).map((call) => call[0])
  return { clock, pool, asked, calls }
}

function pay(network = EVM, feePayer?: string, payer = 'payer'): Payment {
  return {
    version: 2,
    key: 'key',
    network,
    payer,
    payload: {},
    requirement: {
      scheme: 'exact',
      network,
      amount: '1000',
      asset: 'usdc',
      payTo: 'us',
      maxTimeoutSeconds: 300,
      extra: feePayer === undefined ? {} : { feePayer },
    },
    validBeforeMs: undefined,
    digest: 'digest',
    identifier: undefined,
  }
}

it('verifies with the next one when the first gives no answer', async () => {
  const { pool, asked } = start([
    { verify: () => fault('server_error') },
    { verify: () => invalid('unexpected_verify_error') },
    { verify: () => invalid('insufficient_funds') },
  ])
  expect(await pool.verify(pay())).toEqual({ kind: 'invalid', reason: 'insufficient_funds' })
  expect(asked('verify')).toEqual(['a', 'b', 'c'])
})

it('keeps a used authorization apart from a bad one', async () => {
  const { pool } = start([{ verify: () => invalid('invalid_exact_evm_nonce_already_used') }])
  expect(await pool.verify(pay())).toEqual({ kind: 'used' })
})

it('returns unavailable when no facilitator answers, after a bounded wait', async () => {
  const { clock, pool, asked } = start([
    { verify: () => SILENCE },
    { verify: () => SILENCE },
    { verify: () => SILENCE },
  ])
  const verdict = pool.verify(pay())
  for (let time = 0; time < 3; time++) {
    await new Promise(setImmediate)
    clock.advance(VERIFY_TIMEOUT_MS)
  }
  expect(await verdict).toEqual({ kind: 'unavailable' })
  expect(asked('verify')).toEqual(['a', 'b'])
})

it.each<[string, () => Promise<MemberReply<SettleReply>>]>([
  ['no connection', () => fault('unreachable')],
  ['an edge rejection', () => fault('edge')],
  ['bad credentials', () => fault('unauthorized')],
  ['a rejected payload', () => fault('rejected')],
  ['a definite refusal', () => unsettled('insufficient_funds')],
])('settles with the next one after %s', async (_, settle) => {
  const { pool, asked } = start([{ settle }, {}])
  expect(await pool.settle(pay())).toEqual({ kind: 'accepted', transaction: '0xabc', facilitator: 'b' })
  expect(asked('settle')).toEqual(['a', 'b'])
})

it.each<[string, () => Promise<MemberReply<SettleReply>>]>([
  ['a reset', () => fault('reset')],
  ['a server error', () => fault('server_error')],
  ['an unparsable reply', () => fault('unparsable')],
  ['an exception', () => Promise.reject(new Error('boom'))],
  ['settlement_pending', () => unsettled('settlement_pending')],
  ['a used nonce', () => unsettled('invalid_exact_evm_nonce_already_used')],
  ['duplicate_settlement', () => unsettled('duplicate_settlement')],
  ['no reason', () => unsettled(undefined)],
  ['a refusal that names a transaction', () => unsettled('insufficient_funds', '0xabc')],
])('sends nothing elsewhere after %s', async (_, settle) => {
  const { pool, asked } = start([{ settle }, {}])
  expect(await pool.settle(pay())).toMatchObject({ kind: 'unknown', facilitator: 'a' })
  expect(asked('settle')).toEqual(['a'])
})

it('hands on the transaction that a failure named', async () => {
  const { pool } = start([{ settle: () => unsettled('unexpected_settle_error', '0xabc') }])
  expect(await pool.settle(pay())).toEqual({ kind: 'unknown', transaction: '0xabc', facilitator: 'a' })
})

it('calls a settle that takes too long unknown', async () => {
  const { clock, pool, asked } = start([{ settle: () => SILENCE }, {}])
  const result = pool.settle(pay())
  await new Promise(setImmediate)
  clock.advance(SETTLE_TIMEOUT_MS)
  expect(await result).toEqual({ kind: 'unknown', facilitator: 'a' })
  expect(asked('settle')).toEqual(['a'])
})

it('does not take any text for a transaction', async () => {
  const odd = () => answer<SettleReply>({ success: true, reason: undefined, transaction: '<script>' })
  const { pool } = start([{ settle: odd }])
  expect(await pool.settle(pay())).toEqual({ kind: 'accepted', transaction: undefined, facilitator: 'a' })
})

it('refuses when every facilitator has refused', async () => {
  const { pool } = start([
    { settle: () => fault('unreachable') },
    { settle: () => unsettled('insufficient_funds') },
  ])
  expect(await pool.settle(pay())).toEqual({
    kind: 'refused',
    reason: 'insufficient_funds',
    facilitator: 'b',
  })
})

it('sends a Solana payment only to the owner of its fee payer', async () => {
  const { pool, asked } = start([{}, { settle: () => fault('unreachable') }, {}])
  await pool.refresh()
  expect(await pool.verify(pay(SVM, 'fees-of-b'))).toEqual({ kind: 'valid' })
  expect(await pool.settle(pay(SVM, 'fees-of-b'))).toMatchObject({ kind: 'refused', facilitator: 'b' })
  expect([asked('verify'), asked('settle')]).toEqual([['b'], ['b']])
})

it('asks who owns a fee payer it has not heard of, and then gives up', async () => {
  const { pool, asked } = start([{}, {}])
  expect(await pool.settle(pay(SVM, 'fees-of-b'))).toMatchObject({ kind: 'accepted', facilitator: 'b' })
  expect(await pool.settle(pay(SVM, 'fees-of-nobody'))).toEqual({
    kind: 'refused',
    reason: 'no_facilitator',
    facilitator: undefined,
  })
  expect(asked('supported')).toEqual(['a', 'b'])
})

it('remembers a fee payer that was rotated away', async () => {
  let feePayer = 'old'
  const supported = () => answer([{ network: SVM, feePayers: [feePayer] }])
  const { pool } = start([{ supported }])
  await pool.refresh()
  feePayer = 'new'
  await pool.refresh()
  expect(pool.feePayerOf(SVM)).toBe('new')
  expect(await pool.settle(pay(SVM, 'old'))).toMatchObject({ kind: 'accepted' })
})

it('prefers facilitators in the order of the network', async () => {
  const { pool, asked } = start([{}, {}, {}], { preferred: { [SVM]: ['c'], [EVM]: ['b', 'c'] } })
  await pool.refresh()
  await pool.verify(pay())
  expect(asked('verify')).toEqual(['b'])
  expect(pool.feePayerOf(SVM)).toBe('fees-of-c')
})

it('skips a network that a facilitator does not settle', async () => {
  const { pool, asked } = start([{ supported: () => answer([{ network: SVM, feePayers: ['x'] }]) }, {}])
  await pool.refresh()
  await pool.verify(pay())
  expect(asked('verify')).toEqual(['b'])
})

it('leaves a failing facilitator alone, offers another fee payer and tries it again after a pause', async () => {
  let isDown = true
  const verify = () => (isDown ? fault('server_error') : valid())
  const { clock, pool, asked } = start([{ verify }, {}])
  await pool.refresh()
  for (let time = 0; time < OPENS_AFTER_FAULTS + 2; time++)
    await pool.verify(pay(SVM, 'fees-of-a', `payer ${time}`))
  expect(asked('verify')).toHaveLength(OPENS_AFTER_FAULTS)
  expect(pool.feePayerOf(SVM)).toBe('fees-of-b')
  expect(await pool.verify(pay(SVM, 'fees-of-a'))).toEqual({ kind: 'unavailable' })
  expect(pool.health()[0]).toMatchObject({ name: 'a', lastFault: 'server_error' })
  expect(pool.health()[0]?.networks).toContainEqual({ network: SVM, verify: 'open', settle: 'closed' })
  isDown = false
  clock.advance(10_000)
  expect(await pool.verify(pay(SVM, 'fees-of-a'))).toEqual({ kind: 'valid' })
  expect(pool.feePayerOf(SVM)).toBe('fees-of-a')
})

it('shows that a facilitator which was never reached cannot be', async () => {
  const { clock, pool } = start([{ supported: () => fault('unreachable') }])
  await pool.refresh()
  const reachedMs = clock.now()
  clock.advance(1_000)
  expect(pool.health()).toMatchObject([
    { networks: [], lastFault: 'unreachable', lastFaultAtMs: reachedMs, supportedFault: 'unreachable' },
  ])
})

it('is not shut by payloads that a facilitator rejects', async () => {
  const { pool, asked } = start([{ verify: () => fault('rejected') }])
  for (let time = 0; time < OPENS_AFTER_FAULTS + 2; time++) await pool.verify(pay())
  expect(asked('verify')).toHaveLength(OPENS_AFTER_FAULTS + 2)
})

it.each<Fault>(['server_error', 'unparsable'])(
  'is not shut for others by one payer for whom a facilitator fails: %s',
  async (odd) => {
    let asker = 'odd'
    const { pool, asked } = start([{ verify: () => (asker === 'odd' ? fault(odd) : valid()) }])
    for (let time = 0; time < OPENS_AFTER_FAULTS + 2; time++) await pool.verify(pay(EVM, undefined, asker))
    expect(asked('verify')).toHaveLength(OPENS_AFTER_FAULTS + 2)
    asker = 'honest'
    expect(await pool.verify(pay(EVM, undefined, asker))).toEqual({ kind: 'valid' })
  },
)

it.each<Fault>(['unreachable', 'edge', 'timeout', 'reset', 'unauthorized'])(
  'is left alone after %s, whoever pays',
  async (name) => {
    const { pool, asked } = start([{ verify: () => fault(name) }])
    for (let time = 0; time < OPENS_AFTER_FAULTS + 2; time++) await pool.verify(pay())
    expect(asked('verify')).toHaveLength(OPENS_AFTER_FAULTS)
  },
)

it('reads what is supported again after failures, but not with every failure', async () => {
  const { clock, pool, asked } = start([{ verify: () => fault('server_error') }])
  await pool.refresh()
  await pool.verify(pay())
  expect(asked('supported')).toHaveLength(1)
  clock.advance(10_000)
  await pool.verify(pay())
  await pool.verify(pay())
  expect(asked('supported')).toHaveLength(2)
})

it('asks again soon while a facilitator has not said what it supports', async () => {
  let isDown = true
  const supported = () =>
    isDown ? fault('unreachable') : answer([{ network: SVM, feePayers: ['fees-of-a'] }])
  const { clock, pool } = start([{ supported }])
  const stop = new AbortController()
  const running = pool.run(stop.signal)
  await new Promise(setImmediate)
  expect(pool.feePayerOf(SVM)).toBeUndefined()
  isDown = false
  clock.advance(16_500)
  await new Promise(setImmediate)
  expect(pool.feePayerOf(SVM)).toBe('fees-of-a')
  stop.abort()
  await running
})

it('keeps reading what is supported until it is stopped', async () => {
  const { clock, pool, asked } = start([{}])
  const stop = new AbortController()
  const running = pool.run(stop.signal)
  await new Promise(setImmediate)
  clock.advance(330_000)
  await new Promise(setImmediate)
  expect(asked('supported')).toHaveLength(2)
  stop.abort()
  await running
})

const FAILS = { settle: () => unsettled('failed_to_execute_transfer') }
const ofPayer = (payer: string) => ({ ...pay(EVM, undefined, payer), key: payer })
const settleAll = async (pool: ReturnType<typeof start>['pool'], payers: readonly string[]) => {
  for (const payer of payers) {
    await pool.settle(ofPayer(payer))
    await new Promise(setImmediate)
  }
}

it('leaves one that says it could move nothing, where our own node shows that it could be moved', async () => {
  const { pool, asked } = start([FAILS, {}], {
    lookAtPayer: async () => ({ hasFunds: true, isUnused: true, hasCode: false }),
  })
  await settleAll(pool, ['p', 'q', 'r'])
  expect(asked('settle')).toEqual(['a', 'a', 'a'])
  expect(pool.health()[0]).toMatchObject({ lastFault: 'unsettled' })
  expect(await pool.settle(ofPayer('s'))).toMatchObject({ kind: 'accepted', facilitator: 'b' })
})

it.each([
  'nonce too low',
  'transaction_nonce_too_low',
  'replacement transaction underpriced',
  'Nonce provided for the transaction (5) is lower than the current nonce of the account.',
])('leaves one whose own account is out of step: %s', async (reason) => {
  let isUnused = true
  const { pool, clock } = start([{ settle: () => unsettled(reason) }, {}], {
    lookAtPayer: async () => ({ hasFunds: true, isUnused, hasCode: false }),
  })
  const fail = async (payers: string[], isUnusedThen: boolean) => {
    await settleAll(pool, payers)
    isUnused = isUnusedThen
    clock.advance(5_000)
    await new Promise(setImmediate)
    isUnused = true
  }
  // Who sent his payment to it twice at once.
  await fail(['p', 'q', 'r'], false)
  expect(pool.health()[0]?.lastFault).toBeUndefined()
  await fail(['p', 'q', 'r'], true)
  expect(pool.health()[0]).toMatchObject({ lastFault: 'unsettled' })
  expect(await pool.settle(ofPayer('s'))).toMatchObject({ kind: 'accepted', facilitator: 'b' })
})

it('leaves one whose own account is out of step also where another one moved the payment meanwhile', async () => {
  let isMoved = false
  let hasCode = false
  const { pool, clock } = start([{ settle: () => unsettled('nonce too low') }, {}], {
    lookAtPayer: async () => ({ hasFunds: true, isUnused: !isMoved, hasCode }),
  })
  const fail = async (payers: string[], landedAt: string | undefined, isNamed = true) => {
    isMoved = false
    await settleAll(pool, payers)
    isMoved = true
    // Seen before our own look, and after it.
    for (const [at, payer] of payers.entries()) {
      if (at === 1) await pass(5_000)
      if (landedAt) pool.noteLanding?.(ofPayer(payer), landedAt, true, isNamed)
    }
    await pass(8_000)
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    await new Promise(setImmediate)
  }
  const isLeft = () => pool.health()[0]?.lastFault !== undefined
  await fail(['p', 'q', 'r'], undefined)
  await fail(['p', 'q', 'r'], 'a')
  await fail(['p', 'q', 'r'], 'b', false)
  hasCode = true
  await fail(['p', 'q', 'r'], 'b')
  expect(isLeft()).toBe(false)
  hasCode = false
  await fail(['p', 'q', 'r'], 'b')
  expect(isLeft()).toBe(true)
  expect(await pool.settle(ofPayer('s'))).toMatchObject({ kind: 'accepted', facilitator: 'b' })
})

it('does not leave one that is well again for what it said before', async () => {
  let isOut = true
  const settle = () => (isOut ? unsettled('nonce too low') : settled())
  const { pool, clock } = start([{ settle }], {
    lookAtPayer: async () => ({ hasFunds: true, isUnused: true, hasCode: false }),
  })
  await settleAll(pool, ['p', 'q', 'r'])
  isOut = false
  clock.advance(4_000)
  await settleAll(pool, ['s'])
  clock.advance(1_000)
  await new Promise(setImmediate)
  expect(pool.health()[0]?.lastFault).toBeUndefined()
  expect(await pool.settle(ofPayer('t'))).toMatchObject({ kind: 'accepted' })
})

it('waits for the judgement of no payment before it asks one that may be well again', async () => {
  let reason: string | undefined = 'failed_to_execute_transfer'
  const settle = () => (reason ? unsettled(reason) : settled())
  const { pool, clock } = start([{ settle }], {
    lookAtPayer: async () => ({ hasFunds: true, isUnused: true, hasCode: false }),
  })
  await settleAll(pool, ['p', 'q', 'r'])
  clock.advance(6_000)
  reason = 'nonce too low'
  await settleAll(pool, ['s'])
  await pool.ready(ofPayer('t'))
  // It is found ill in the end, and is left for the next pause.
  clock.advance(5_000)
  await new Promise(setImmediate)
  await expect(pool.ready(ofPayer('t'))).rejects.toThrow('no facilitator can settle now')
  reason = undefined
  clock.advance(12_000)
  expect(await pool.settle(ofPayer('t'))).toMatchObject({ kind: 'accepted' })
})

it.each(['invalid_exact_evm_nonce_already_used', 'authorization_used_or_canceled', 'duplicate_settlement'])(
  'does not leave one that says %s: its node may have seen that before ours',
  async (reason) => {
    const { pool, asked } = start([{ settle: () => unsettled(reason) }, {}], {
      lookAtPayer: async () => ({ hasFunds: true, isUnused: true, hasCode: false }),
    })
    await settleAll(pool, ['p', 'q', 'r', 's'])
    expect(asked('settle')).toEqual(['a', 'a', 'a', 'a'])
    expect(pool.health()[0]?.lastFault).toBeUndefined()
  },
)

it.each([
  ['is empty', { hasFunds: false, isUnused: true }],
  ['has paid', { hasFunds: true, isUnused: false }],
  ['may be a contract', { hasFunds: true, isUnused: true }],
  ['is a contract, which may refuse on purpose', { hasFunds: true, isUnused: true, hasCode: true }],
  ['is not known', undefined],
])('does not leave it where the payer %s', async (_, look) => {
  const { pool, asked } = start([FAILS, {}], { lookAtPayer: async () => look })
  await settleAll(pool, ['p', 'q', 'r', 's'])
  expect(asked('settle')).toEqual(['a', 'a', 'a', 'a'])
  expect(pool.health()[0]?.lastFault).toBeUndefined()
})

it('does not leave it where the payment expires', async () => {
  const { pool, asked, clock } = start([FAILS, {}], {
    lookAtPayer: async () => ({ hasFunds: true, isUnused: true, hasCode: false }),
  })
  for (const payer of ['p', 'q', 'r', 's'])
    await pool.settle({ ...ofPayer(payer), validBeforeMs: clock.now() + 10_000 })
  await new Promise(setImmediate)
  expect(asked('settle')).toEqual(['a', 'a', 'a', 'a'])
})

it('comes last when three payers saw nothing on the chain of what it said it had settled', async () => {
  const { pool, asked, clock } = start([{}, {}])
  await pool.refresh()
  for (const payer of ['p', 'q', 'q']) pool.noteLanding?.(ofPayer(payer), 'a', false)
  await pool.settle(pay())
  pool.noteLanding?.(ofPayer('r'), 'a', false)
  await pool.settle(pay())
  clock.advance(5 * 60_000 + 1)
  await pool.settle(pay())
  for (const payer of ['p', 'q', 'r']) pool.noteLanding?.(ofPayer(payer), 'a', false)
  pool.noteLanding?.(ofPayer('s'), 'a', true)
  await pool.settle(pay())
  expect(asked('settle')).toEqual(['a', 'b', 'a', 'a'])
  for (const payer of ['p', 'q', 'r']) pool.noteLanding?.(ofPayer(payer), 'b', false)
  await pool.settle(pay(), 'a')
  expect(asked('settle').at(-1)).toBe('b')
  for (const payer of ['p', 'q', 'r']) pool.noteLanding?.(pay(SVM, 'fees-of-a', payer), 'a', false)
  expect(pool.feePayerOf(SVM)).toBe('fees-of-b')
})

it('two payers in turn do not make it leave', async () => {
  const { pool, asked } = start([FAILS, {}], {
    lookAtPayer: async () => ({ hasFunds: true, isUnused: true, hasCode: false }),
  })
  await settleAll(pool, ['p', 'q', 'p', 'q', 'p'])
  expect(asked('settle')).toEqual(['a', 'a', 'a', 'a', 'a'])
})

it('one payer alone does not make it leave', async () => {
  const { pool, asked } = start([FAILS, {}], {
    lookAtPayer: async () => ({ hasFunds: true, isUnused: true, hasCode: false }),
  })
  await settleAll(pool, ['p', 'p', 'p', 'p'])
  expect(asked('settle')).toEqual(['a', 'a', 'a', 'a'])
})

it('asks others before one that said it had moved nothing', async () => {
  const { pool, asked } = start([FAILS, {}])
  expect(await pool.settle(pay())).toEqual({ kind: 'unknown', facilitator: 'a', isFailed: true })
  expect(await pool.settle(pay(), 'a')).toMatchObject({ kind: 'accepted', facilitator: 'b' })
  expect(asked('settle')).toEqual(['a', 'b'])
})

it('is ready to settle where one of them is', async () => {
  const busy = { settle: () => Promise.resolve(busyFor(30_000)) }
  const broken = { settle: () => fault('server_error') }
  const alone = start([busy])
  await alone.pool.ready(pay())
  await alone.pool.settle(pay())
  await expect(alone.pool.ready(pay())).rejects.toMatchObject({
    code: 'payments_unavailable',
    retryAfterS: 30,
  })
  const both = start([busy, {}])
  await both.pool.settle(pay())
  await both.pool.ready(pay())
  const down = start([broken])
  await settleAll(down.pool, ['p', 'q', 'r'])
  await expect(down.pool.ready(pay())).rejects.toThrow('no facilitator can settle now; nothing was charged')
  expect(down.asked('settle')).toHaveLength(OPENS_AFTER_FAULTS)
  await expect(alone.pool.ready(pay(SVM, 'of nobody'))).rejects.toThrow('no facilitator can settle now')
})

it('is not ready to settle while the only one that could does not verify', async () => {
  const broken = { verify: () => fault('unreachable') }
  const alone = start([broken])
  const both = start([broken, {}])
  for (const { pool } of [alone, both])
    for (let time = 0; time < OPENS_AFTER_FAULTS; time++) await pool.verify(pay())
  await expect(alone.pool.ready(pay())).rejects.toThrow('no facilitator can settle now; nothing was charged')
  await both.pool.ready(pay())
  alone.clock.advance(FIRST_PAUSE_MS)
  await alone.pool.ready(pay())
})

it('offers the fee payer of another one while the first refuses payer after payer', async () => {
  const { pool, clock } = start([{ verify: () => invalid('transaction_simulation_failed') }, {}])
  await pool.refresh()
  for (const payer of ['p', 'q', 'q']) await pool.verify(pay(SVM, 'fees-of-a', payer))
  expect(pool.feePayerOf(SVM)).toBe('fees-of-a')
  await pool.verify(pay(SVM, 'fees-of-a', 'r'))
  expect(pool.feePayerOf(SVM)).toBe('fees-of-b')
  clock.advance(5 * 60_000 + 1)
  expect(pool.feePayerOf(SVM)).toBe('fees-of-a')
})

it('knows of the networks that payments are offered on, however many others are listed', async () => {
  const many = Array.from({ length: 3_000 }, (_, n) => `fees-${n}`)
  const kinds = [
    { network: EVM, feePayers: [] },
    { network: 'eip155:1', feePayers: [] },
    { network: 'solana:devnet', feePayers: many },
  ]
  const { pool } = start([{ supported: () => answer(kinds), verify: () => fault('unauthorized') }], {
    networks: [EVM, SVM],
  })
  await pool.refresh()
  for (const payer of ['p', 'q', 'r']) await pool.verify(ofPayer(payer))
  expect(pool.health().map(({ networks }) => networks)).toEqual([
    [{ network: EVM, verify: 'open', settle: 'closed' }],
  ])
  expect(pool.health().some(isAble)).toBe(false)
})
