import { encodeFunctionData, erc20Abi, type Hex, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { createRateCounters } from '../../access/rate-counters.ts'
import { silentLog } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { openBoundedShop } from '../../testing/payments/bounded-shop.ts'
import {
  account,
  BASE_URL,
  cheap,
  NOW_MS,
  requirementOf,
  signAuthorization,
  terms,
  toHeader,
} from '../../testing/payments/sample-evm.ts'
import { createChain } from '../chain/chain.ts'
import { createEvmReferee } from '../chain/evm/chain.ts'
import { evmNode } from '../chain/evm/evm-node.ts'
import { createEvmReviewer } from '../chain/evm/review.ts'
import type { JsonRpc, RpcCall } from '../chain/json-rpc.ts'
import { createAgreedReferee } from '../chain/nodes/agree.ts'
import { createChainNode } from '../chain/nodes/chain-node.ts'
import { joinNodes } from '../chain/nodes/chain-nodes.ts'
import { createFacilitators } from '../facilitators/facilitators.ts'
import { createLookAtPayer } from '../facilitators/look-at-payer.ts'
import { createIsUsed } from '../facilitators/used.ts'
import { createEvmToken } from '../payable/evm-token.ts'
import { createPayable } from '../payable/payable.ts'
import { createSmartWalletSignatures } from '../read/evm/smart-wallet-signatures.ts'
import { createReadPayment } from '../read/read-payment.ts'

const accepted = requirementOf(cheap, 'eip155')
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
const BALANCE = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account.address] })
const STATE = toFunctionSelector('authorizationState(address,bytes32)')
const HEAD = 1_000_000
const hex = (value: number) => `0x${value.toString(16)}`
const blockOf = (number: number) => ({
  number: hex(number),
  timestamp: hex(NOW_MS / 1_000 - 2 * (HEAD - number)),
})

type World = { says: string; balance: number; isUsed: boolean }

/** A node that writes down each request: its method, or those of a batch. */
function openNode({ balance, isUsed }: World, requests: string[]): JsonRpc {
  const answer = ([method, [first]]: RpcCall): unknown => {
    if (method === 'eth_chainId') return '0x2105'
    if (method === 'eth_getBlockByNumber') return blockOf(first === 'latest' ? HEAD : Number(first))
    if (method === 'eth_getTransactionReceipt') return null
    if (method === 'eth_getLogs') return []
    const { data } = first as { data: Hex }
    if (data === BALANCE) return word(balance)
    return data.startsWith(STATE) ? word(isUsed ? 1 : 0) : '0x'
  }
  return {
    async call(method, params) {
      requests.push(method)
      return answer([method, params])
    },
    async batch(calls) {
      requests.push(calls.map(([method]) => method).join('+'))
      return calls.map(answer)
    },
  }
}

/** The real reader, sale, pool, token and referee, before a node and a facilitator that a test controls. */
function openShop(world: World) {
  const requests: string[] = []
  const rpcOf = (clock: Clock) => {
    const rpc = openNode(world, requests)
    const kind = evmNode({ isLocal: true })
    return joinNodes('base', [createChainNode({ clock, host: 'node', kind, rpc })])
  }
  let read: ReturnType<typeof createReadPayment> | undefined
  const shop = openBoundedShop((clock) => {
    const nodes = rpcOf(clock)
    const { rpc } = nodes
    const token = createEvmToken({ rpc, payTo: accepted.payTo })
    const facilitators = createFacilitators({
      ...{ clock, log: silentLog, random: () => 0 },
      members: [
        {
          name: 'a',
          verify: async () => ({ kind: 'answer', answer: { isValid: false, reason: world.says } }),
          settle: async () => ({ kind: 'fault', fault: 'unreachable' }),
          supported: async () => ({ kind: 'fault', fault: 'unreachable' }),
        },
      ],
      lookAtPayer: createLookAtPayer({ clock, rpc }),
      isUsed: createIsUsed({ rpc }),
      token: createPayable({ clock, tokens: new Map([[accepted.network, token]]) }),
    })
    const confirmations = () => 1
    const referee = createAgreedReferee(clock, nodes, (node) =>
      createEvmReferee({ rpc: node, confirmations }),
    )
    const evm = { nodes, referee, reviewer: createEvmReviewer({ rpc }) }
    const signatures = createSmartWalletSignatures({ rpc, clock, counters: createRateCounters({ clock }) })
    read = createReadPayment({ clock, terms, baseUrl: BASE_URL, signatures })
    return { facilitators, chain: createChain({ evm, svm: undefined }) }
  })
  let nonces = 0
  /** How it ends, and what the node was asked for it. */
  const buy = async (changes: Parameters<typeof signAuthorization>[1] = {}, spoil = (hex: Hex) => hex) => {
    const nonce = word(++nonces) as Hex
    const payload = await signAuthorization(accepted, { nonce, ...changes })
    const signed = { ...payload, signature: spoil(payload.signature) }
    const text = toHeader({ x402Version: 2, accepted, payload: signed })
    const found = await read?.({ version: 2, text }, cheap, 'client')
    if (!found || 'reason' in found) throw new Error(found?.reason)
    const ended = await shop.buy(found.payment, { problem: found.problem })
    return { ended, asked: requests.splice(0) }
  }
  return { buy, clock: shop.clock }
}

/** The first call of a service also asks which chain it is on, and whether it is well. */
async function openWarm(world: World) {
  const shop = openShop(world)
  await shop.buy()
  return shop
}

const LOOK = 'eth_call+eth_call'
/** Whether it was used, and the time of the chain. */
const OUTCOME = 'eth_getBlockByNumber+eth_call'

test('an empty wallet costs the node one request', async () => {
  const { buy } = await openWarm({ says: 'insufficient_funds', balance: 0, isUsed: false })
  expect(await buy()).toEqual({ ended: 'insufficient_funds', asked: [LOOK] })
})

test('an empty wallet whose payment somebody has submitted is searched for', async () => {
  const { buy } = await openWarm({ says: 'insufficient_funds', balance: 0, isUsed: true })
  const { ended, asked } = await buy()
  expect(ended).toBe('payments_unavailable')
  expect(asked.slice(0, 3)).toEqual([LOOK, OUTCOME, 'eth_call'])
  expect(asked).toContain('eth_getLogs')
})

test('a signature of nobody costs one, and an expired payment none', async () => {
  const { buy } = await openWarm({ says: 'insufficient_funds', balance: 0, isUsed: false })
  const forge = (signature: Hex) => `${signature.slice(0, 10)}00${signature.slice(12)}` as Hex
  expect(await buy({}, forge)).toEqual({ ended: 'invalid_signature', asked: ['eth_call'] })
  expect(await buy({ validBefore: String(NOW_MS / 1_000 - 1) })).toEqual({ ended: 'expired', asked: [] })
})

test('a refusal without a reason that we can see costs three', async () => {
  const { buy } = await openWarm({ says: 'transaction_simulation_failed', balance: 1e9, isUsed: false })
  expect(await buy()).toEqual({ ended: 'payment_refused', asked: [LOOK, 'eth_call', OUTCOME] })
})

test('a wallet with money that is called empty costs two, and is not told so', async () => {
  const { buy } = await openWarm({ says: 'insufficient_funds', balance: 1e9, isUsed: false })
  expect(await buy()).toEqual({ ended: 'payment_refused', asked: [LOOK, OUTCOME] })
})

test('a payment that is about to expire costs one', async () => {
  const { buy } = await openWarm({ says: 'invalid_exact_evm_expired', balance: 1e9, isUsed: false })
  const soon = String(NOW_MS / 1_000 + 9)
  expect((await buy({ validBefore: soon })).asked).toEqual([OUTCOME])
})
