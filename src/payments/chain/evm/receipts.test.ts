import { expect, test } from 'vitest'
import { cheap, requirementOf } from '../../../testing/payments/sample-evm.ts'
import { EVM_NETWORK } from '../../challenge/terms.ts'
import type { Settled } from '../../finality/ports.ts'
import type { Payment } from '../../gate/payment.ts'
import { type JsonRpc, NoBatchError, NodeBusyError, ReplyTooLargeError, type RpcCall } from '../json-rpc.ts'
import { createEvmReferee } from './chain.ts'
import { AUTHORIZATION_USED, addressTopic, TRANSFER } from './logs.ts'
import { createEvmReviewer } from './review.ts'

const BLOCK_S = 2
const CLAIMED_S = 1_800_000_000
const [USED_AT, FINAL, HEAD] = [100, 150, 200].map((more) => CLAIMED_S / BLOCK_S + more) as [
  number,
  number,
  number,
]
const ANY_REPLY_BYTES = 8 * 1024 * 1024
const requirement = requirementOf(cheap, 'eip155')
const PAYER = `0x${'11'.repeat(20)}` as const
const OTHER = `0x${'de'.repeat(20)}`
const hex = (value: number) => `0x${value.toString(16)}`
const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`
const hashOf = (name: string) => `0x${Buffer.from(name).toString('hex').padEnd(64, '0')}`

const paymentOf = (nonce: number): Payment => ({
  ...{
    version: 2,
    key: `key ${nonce}`,
    network: EVM_NETWORK,
    payer: PAYER,
    digest: '',
    identifier: undefined,
  },
  ...{ requirement, validBeforeMs: (CLAIMED_S + 300) * 1_000 },
  payload: {
    payload: {
      signature: '0x12',
      authorization: {
        ...{ from: PAYER, to: requirement.payTo, value: requirement.amount, validAfter: '0' },
        ...{ validBefore: String(CLAIMED_S + 300), nonce: word(nonce) },
      },
    },
  },
})
type NodeLog = { address: string; topics: string[]; data: string }
const pays = (nonce: number, to: string = requirement.payTo): NodeLog[] => [
  { address: requirement.asset, topics: [AUTHORIZATION_USED, addressTopic(PAYER), word(nonce)], data: '0x' },
  transferOf(to),
]
const transferOf = (to: string): NodeLog => ({
  address: requirement.asset,
  topics: [TRANSFER, addressTopic(PAYER), addressTopic(to)],
  data: word(BigInt(requirement.amount)),
})
const filler = (logs: number): NodeLog[] =>
  Array.from({ length: logs }, () => ({ address: OTHER, topics: [], data: '0x' }))

/** All in one block. Of a reply it sends as much as is read. */
function nodeOf(transactions: Record<string, readonly NodeLog[]>) {
  const asked: RpcCall[] = []
  const all = Object.entries(transactions).flatMap(([name, logs]) =>
    logs.map((log) => ({ ...log, transactionHash: hashOf(name), blockNumber: hex(USED_AT) })),
  )
  const placed = all.map((log, at) => ({ ...log, logIndex: hex(at) }))
  const answer = ([method, [first]]: RpcCall): unknown => {
    const blockOf = (number: number) => ({ number: hex(number), timestamp: hex(number * BLOCK_S) })
    if (method === 'eth_blockNumber') return hex(HEAD)
    if (method === 'eth_getBlockByNumber')
      return blockOf(first === 'latest' ? HEAD : first === 'finalized' ? FINAL : Number(first))
    if (method === 'eth_call') {
      const { data } = first as { data: string }
      return word(placed.some(({ topics }) => topics[2] && data.endsWith(topics[2].slice(2))) ? 1 : 0)
    }
    if (method === 'eth_getTransactionReceipt') {
      const logs = placed.filter(({ transactionHash }) => transactionHash === first)
      return logs.length === 0
        ? null
        : { status: '0x1', blockNumber: hex(USED_AT), transactionHash: first, logs }
    }
    if (method !== 'eth_getLogs') throw new Error(`${method} is not scripted`)
    const { address, topics, fromBlock, toBlock } = first as Filter
    if (Number(fromBlock) > USED_AT || Number(toBlock) < USED_AT) return []
    const isAsked = (log: NodeLog) =>
      log.address.toLowerCase() === address.toLowerCase() &&
      topics.every((wanted, at) => [wanted].flat().includes(log.topics[at] ?? ''))
    return placed.filter(isAsked)
  }
  const bounded = <T>(reply: T, replyBytes = ANY_REPLY_BYTES): T => {
    if (JSON.stringify(reply).length > replyBytes) throw new ReplyTooLargeError()
    return reply
  }
  const rpc: JsonRpc = {
    async call(method, params, limits) {
      asked.push([method, params])
      return bounded(answer([method, params]), limits?.replyBytes)
    },
    async batch(calls, limits) {
      asked.push(...calls)
      return bounded(calls.map(answer), limits?.replyBytes)
    },
  }
  return { rpc, asked: (method: string) => asked.filter(([each]) => each === method).length }
}
type Filter = { address: string; topics: (string | string[])[]; fromBlock: string; toBlock: string }

const settledOf = (nonce: number, name: string): Settled => ({
  ...{ payment: paymentOf(nonce), transaction: hashOf(name) },
  ...{ claimedAtMs: CLAIMED_S * 1_000, settledAtMs: (CLAIMED_S + 2 * BLOCK_S) * 1_000 },
})
const outcomeOf = (rpc: JsonRpc, nonce: number, hint?: string) =>
  createEvmReferee({ rpc, confirmations: () => 1 }).outcome(paymentOf(nonce), hint, CLAIMED_S * 1_000)
/** Above what is read of one receipt, and above what is read of anything. */
const LONG = [5_000, 40_000]

test('a facilitator may settle three hundred payments in one transaction, which is read once', async () => {
  const nonces = Array.from({ length: 300 }, (_, at) => at + 1)
  const { rpc, asked } = nodeOf({ all: nonces.flatMap((nonce) => pays(nonce)) })
  const step = nonces.slice(0, 25).map((nonce) => settledOf(nonce, 'all'))
  expect(new Set((await createEvmReviewer({ rpc }).review(step)).map(({ kind }) => kind))).toEqual(
    new Set(['final']),
  )
  expect(asked('eth_getTransactionReceipt')).toBe(1)
  expect(await outcomeOf(rpc, 299, hashOf('all'))).toEqual({ kind: 'paid', transaction: hashOf('all') })
})

test.each([
  ['above its own final block', { number: '0x1', timestamp: '0x2' }],
  ['that has no final block yet', null],
])('what a machine shows %s is not final, whatever another one says', async (_, own) => {
  const { rpc } = nodeOf({ short: pays(3) })
  // Behind the same address: it lags, or stands on a fork that was left, and shows what was undone since.
  const batch: JsonRpc['batch'] = async (calls, limits) =>
    (await rpc.batch(calls, limits)).map((reply, at) => (calls[at]?.[1][0] === 'finalized' ? own : reply))
  const reviewOf = (of: JsonRpc) => createEvmReviewer({ rpc: of }).review([settledOf(3, 'short')])
  expect(await reviewOf(rpc)).toEqual([{ kind: 'final', transaction: hashOf('short') }])
  expect(await reviewOf({ ...rpc, batch })).toEqual([{ kind: 'early' }])
})

test('a node that takes few calls at once is asked in pairs, each of one machine', async () => {
  const names = Array.from({ length: 25 }, (_, at) => `of ${at + 1}`)
  const { rpc } = nodeOf(Object.fromEntries(names.map((name, at) => [name, pays(at + 1)])))
  const sizes: number[] = []
  let final: unknown
  const batch: JsonRpc['batch'] = async (calls, limits) => {
    sizes.push(calls.length)
    if (calls.length > 3) throw new NoBatchError()
    return (await rpc.batch(calls, limits)).map((reply, at) =>
      final !== undefined && calls[at]?.[1][0] === 'finalized' ? final : reply,
    )
  }
  const settled = names.map((name, at) => settledOf(at + 1, name))
  const kinds = async () =>
    (await createEvmReviewer({ rpc: { ...rpc, batch } }).review(settled)).map((each) => each.kind)
  expect(await kinds()).toEqual(names.map(() => 'final'))
  expect(sizes).toEqual([26, ...names.map(() => 2)])
  final = { number: '0x1', timestamp: '0x2' }
  expect(await kinds()).toEqual(names.map(() => 'early'))
})

test('a node that is asked too much is not asked more', async () => {
  const { rpc } = nodeOf({ short: pays(3) })
  const sizes: number[] = []
  const batch: JsonRpc['batch'] = async (calls) => {
    sizes.push(calls.length)
    throw new NodeBusyError('eth_getTransactionReceipt')
  }
  const { review } = createEvmReviewer({ rpc: { ...rpc, batch } })
  await expect(review([settledOf(3, 'short'), settledOf(4, 'gone')])).rejects.toThrow(NodeBusyError)
  expect(sizes).toEqual([3])
})

test('payments whose receipts are too long only together are looked at one by one', async () => {
  const names = Array.from({ length: 25 }, (_, at) => `of ${at + 1}`)
  const { rpc, asked } = nodeOf(
    Object.fromEntries(names.map((name, at) => [name, [...pays(at + 1), ...filler(2_200)]])),
  )
  const reviews = await createEvmReviewer({ rpc }).review(names.map((name, at) => settledOf(at + 1, name)))
  expect(reviews).toEqual(names.map((name) => ({ kind: 'final', transaction: hashOf(name) })))
  expect(asked('eth_getLogs')).toBe(0)
})

test.each(LONG)('a receipt with %i logs of others: the logs of its payer decide', async (others) => {
  const { rpc } = nodeOf({
    long: [...filler(3), ...pays(1), ...pays(2, OTHER), ...filler(others)],
    short: pays(3),
    else: [transferOf(requirement.payTo)],
  })
  const { review } = createEvmReviewer({ rpc })
  const settled = [settledOf(1, 'long'), settledOf(2, 'long'), settledOf(3, 'short'), settledOf(4, 'gone')]
  expect(await review(settled)).toEqual([
    { kind: 'final', transaction: hashOf('long') },
    { kind: 'undone', isOver: true },
    { kind: 'final', transaction: hashOf('short') },
    { kind: 'undone', isOver: false },
  ])
  for (const hint of [undefined, hashOf('long')]) {
    expect(await outcomeOf(rpc, 1, hint)).toEqual({ kind: 'paid', transaction: hashOf('long') })
    expect(await outcomeOf(rpc, 2, hint)).toEqual({ kind: 'dead' })
  }
})

test('one that cannot be read at all is unseen, and the others are looked at', async () => {
  const own = Array.from({ length: 5_000 }, () => transferOf(OTHER))
  const { rpc } = nodeOf({ long: [...pays(1), ...own], short: pays(3) })
  expect(await createEvmReviewer({ rpc }).review([settledOf(1, 'long'), settledOf(3, 'short')])).toEqual([
    { kind: 'unseen', error: expect.any(ReplyTooLargeError) },
    { kind: 'final', transaction: hashOf('short') },
  ])
  await expect(outcomeOf(rpc, 1)).rejects.toThrow(ReplyTooLargeError)
})

test('a transfer that does not follow its use at once decides nothing', async () => {
  const [used, transfer] = pays(1) as [NodeLog, NodeLog]
  const { rpc } = nodeOf({ long: [used, ...filler(LONG[0] ?? 0), transfer] })
  await expect(outcomeOf(rpc, 1)).rejects.toThrow('not its receipt')
})
