import { expect, test } from 'vitest'
import type { Requirement } from '../../catalog/payment-terms.ts'
import { HOUR_MS } from '../../core/time/time.ts'
import { EVM_USDC } from '../../core/usdc.ts'
import { PAY_TO, START_MS, transferLog } from '../../testing/payments/scripted-node.ts'
import type { FinalChain, Settled } from '../finality/ports.ts'
import type { Payment } from '../gate/payment.ts'
import type { MinedTransaction } from './read-transaction.ts'
import { toPayment } from './transfer-payment.ts'
import { createTransferReview } from './transfer-review.ts'

const PAYER = `0x${'12'.repeat(20)}`
const requirement: Requirement = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: EVM_USDC,
  amount: '0',
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  extra: {},
}
const transfer = { position: 0, from: PAYER, value: 100_000n, byAuthorization: false }
const settledOf = (payment: Payment): Settled => ({
  ...{ payment, transaction: '0x1', claimedAtMs: START_MS, settledAtMs: START_MS + 4_000 },
})
const paid = settledOf(toPayment(transfer, '0x1', START_MS, requirement))
const other = settledOf({ ...paid.payment, payload: {} })
const MINED: MinedTransaction = {
  ...{ succeeded: true, confirmations: 9, blockTimeMs: START_MS },
  logs: [{ ...transferLog(PAYER, 100_000n), position: 0 }],
}

type Said = MinedTransaction | undefined | 'silent' | 'pruned'

function reviewOf(finalMs: number, said: Said, next = said) {
  const says = [said, next]
  const asked: Settled[] = []
  const otherwise: FinalChain = {
    isStrained: () => false,
    finalMs: async () => finalMs,
    async review(_, settled) {
      asked.push(...settled)
      return settled.map(() => ({ kind: 'final', transaction: '0xother' }))
    },
  }
  const readFinal = async () => {
    const mined = says.shift()
    if (mined === 'pruned') return undefined
    if (mined === 'silent') throw new Error('the node is down')
    return mined
  }
  const checkPast = async (atMs: number) => {
    expect(atMs).toBe(START_MS)
    if (said === 'pruned') throw new Error('the node no longer has the receipts of that time')
  }
  const { review } = createTransferReview({ readFinal, checkPast, otherwise })
  return { review: (...settled: Settled[]) => review('eip155:8453', settled), asked }
}

test.each([
  ['in a final block', START_MS, MINED, { kind: 'final', transaction: '0x1' }],
  ['in a block that is not final', START_MS - 1, MINED, { kind: 'early' }],
  [
    'in a block that is not final to the machine that shows it',
    START_MS,
    { ...MINED, confirmations: 0 },
    { kind: 'early' },
  ],
  ['in no block, and it is too early to say', START_MS + 4_000, undefined, { kind: 'early' }],
  ['in no block', START_MS + 60_000, undefined, { kind: 'undone', isOver: false }],
  ['in no block an hour later', START_MS + 2 * HOUR_MS, undefined, { kind: 'undone', isOver: true }],
  [
    'in a block in which it failed',
    START_MS + 60_000,
    { ...MINED, succeeded: false },
    { kind: 'undone', isOver: false },
  ],
  [
    'in no block of a node that has lost that time',
    START_MS + 2 * HOUR_MS,
    'pruned',
    { kind: 'unseen', error: expect.any(Error) },
  ],
  [
    'that failed in a block that is not final',
    START_MS - 1,
    { ...MINED, succeeded: false },
    { kind: 'early' },
  ],
  ['not to be looked up', START_MS, 'silent', { kind: 'unseen', error: expect.any(Error) }],
] as const)('a transfer %s', async (_, finalMs, mined, review) => {
  expect(await reviewOf(finalMs, mined).review(paid)).toEqual([review])
})

test('a transfer that the next look finds is not undone: behind one address there may be several machines', async () => {
  const { review } = reviewOf(START_MS + 2 * HOUR_MS, undefined, MINED)
  expect(await review(paid)).toEqual([{ kind: 'early' }])
})

test('other payments are left to others, in their places', async () => {
  const { review, asked } = reviewOf(START_MS, MINED)
  const final = (transaction: string) => ({ kind: 'final', transaction })
  expect(await review(other, paid, other)).toEqual([final('0xother'), final('0x1'), final('0xother')])
  expect(asked).toEqual([other, other])
})
