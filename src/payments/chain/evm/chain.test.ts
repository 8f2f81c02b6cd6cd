import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, pad, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createRateCounters } from '../../../access/rate-counters.ts'
import { silentLog } from '../../../core/log.ts'
import { usd } from '../../../core/money.ts'
import { systemClock } from '../../../core/time/clock.ts'
import { type EvmChain, startEvmChain } from '../../../sandbox/chains/evm/chain.ts'
import { EVM_CONTRACTS } from '../../../sandbox/chains/evm/contracts.ts'
import { startFaultyNode } from '../../../sandbox/chains/faulty-node.ts'
import {
  account,
  BASE_URL,
  cheap,
  requirementOf,
  signAuthorization,
  terms,
  toHeader,
} from '../../../testing/payments/sample-evm.ts'
import type { Payment } from '../../gate/payment.ts'
import { createSmartWalletSignatures } from '../../read/evm/smart-wallet-signatures.ts'
import { createReadPayment } from '../../read/read-payment.ts'
import type { Referee } from '../chain.ts'
import { createJsonRpc, type JsonRpc, NodeStatusError, ReplyTooLargeError } from '../json-rpc.ts'
import { createEvmReferee } from './chain.ts'

const USDC = EVM_CONTRACTS.TestUsdc
const TOKEN = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])
const AGGREGATE = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'function aggregate3(Call3[] calls) payable',
])
const FACTORY = parseAbi([
  'function create(address owner, bytes32 salt) returns (address)',
  'function addressOf(address owner, bytes32 salt) view returns (address)',
])
const ours = requirementOf(cheap, 'eip155')
const THIEF = `0x${'99'.repeat(20)}` as Hex
const TIMEOUT_MS = 5_000
const nowS = () => Math.floor(Date.now() / 1000)

let dataDir: string
let chain: EvmChain
let rpc: JsonRpc
let faucet: string
let referee: Referee

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'referee-'))
  chain = await startEvmChain({ dataDir, log: silentLog })
  rpc = createJsonRpc({ rpcUrl: chain.rpcUrl, timeoutMs: TIMEOUT_MS })
  ;[faucet = ''] = (await rpc.call('eth_accounts', [])) as string[]
  await chain.fundUsdc(account.address, usd('1'))
  referee = createEvmReferee({ rpc, confirmations: () => 1, logRangeBlocks: 3 })
}, 30_000)

afterAll(async () => {
  await chain.close()
  rmSync(dataDir, { recursive: true })
})

type Signed = Awaited<ReturnType<typeof signAuthorization>>
const fresh = () => ({
  nonce: `0x${randomBytes(32).toString('hex')}` as Hex,
  validBefore: String(nowS() + ours.maxTimeoutSeconds),
})
async function toPayment(signed: Signed): Promise<Payment> {
  const signatures = createSmartWalletSignatures({
    rpc,
    clock: systemClock,
    counters: createRateCounters({ clock: systemClock }),
  })
  const read = createReadPayment({ clock: systemClock, terms, signatures, baseUrl: BASE_URL })
  const text = toHeader({ x402Version: 2, accepted: ours, payload: signed })
  const result = await read({ version: 2, text }, cheap, 'client')
  if ('reason' in result || result.problem) throw new Error(JSON.stringify(result))
  return result.payment
}
function transferCall({ authorization, signature }: Signed): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  return encodeFunctionData({
    abi: TOKEN,
    functionName: 'transferWithAuthorization',
    args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature],
  })
}
async function send(to: string, data: Hex): Promise<string> {
  const receipt = await rpc.call('eth_sendTransactionSync', [{ from: faucet, to, data, gas: '0x100000' }])
  return (receipt as { transactionHash: string }).transactionHash
}
const settle = (signed: Signed) => send(USDC, transferCall(signed))
/** All in one transaction, as a facilitator may send them. */
const settleTogether = (all: Signed[]) => {
  const calls = all.map((signed) => ({ target: USDC, allowFailure: true, callData: transferCall(signed) }))
  return send(EVM_CONTRACTS.Aggregate, encodeFunctionData({ abi: AGGREGATE, args: [calls] }))
}
const NO_SUCH = `0x${'ab'.repeat(32)}`

/** It moved, in a block that does not count yet. */
const YOUNG = { kind: 'open', isSeen: true }

describe('the chain as referee', () => {
  test('unused is open, whatever a facilitator says', async () => {
    const signed = await signAuthorization(ours, fresh())
    const other = await settle(await signAuthorization(ours, fresh()))
    const payment = await toPayment(signed)
    for (const hint of [undefined, NO_SUCH, other, 'nonsense', ''])
      expect(await referee.outcome(payment, hint)).toEqual({ kind: 'open' })
  })

  test('used is paid, with a hint, without one and with a wrong one', async () => {
    const signed = await signAuthorization(ours, fresh())
    const payment = await toPayment(signed)
    const transaction = await settle(signed)
    await chain.mine(10)
    for (const hint of [transaction, undefined, NO_SUCH])
      expect(await referee.outcome(payment, hint)).toEqual({ kind: 'paid', transaction })
    expect(await referee.outcome(JSON.parse(JSON.stringify(payment)), undefined)).toEqual({
      kind: 'paid',
      transaction,
    })
  })

  test('it counts only under enough blocks', async () => {
    const deep = createEvmReferee({ rpc, confirmations: () => 50 })
    const signed = await signAuthorization(ours, fresh())
    const payment = await toPayment(signed)
    const transaction = await settle(signed)
    expect(await deep.outcome(payment, transaction)).toEqual(YOUNG)
    expect(await deep.outcome(payment, undefined)).toEqual(YOUNG)
    await chain.mine(49)
    expect(await deep.outcome(payment, transaction)).toEqual({ kind: 'paid', transaction })
    expect(await deep.outcome(payment, undefined)).toEqual({ kind: 'paid', transaction })
  })

  test('a receipt of a block above the head is no payment yet, with a hint and without', async () => {
    const node = await startFaultyNode(chain.rpcUrl, { isStale: true })
    onTestFinished(node.close)
    const early = createJsonRpc({ rpcUrl: node.url, timeoutMs: TIMEOUT_MS })
    const judge = createEvmReferee({ rpc: early, confirmations: () => 1 })
    // There its head stands still, while it shows receipts of what comes after.
    await early.call('eth_blockNumber', [])
    const signed = await signAuthorization(ours, fresh())
    const payment = await toPayment(signed)
    const transaction = await settle(signed)
    expect(await judge.outcome(payment, transaction)).toEqual(YOUNG)
    expect(await judge.outcome(payment, undefined)).toEqual({ kind: 'open' })
    node.fail({})
    for (const hint of [transaction, undefined])
      expect(await judge.outcome(payment, hint)).toEqual({ kind: 'paid', transaction })
  })

  test('blocks are counted by the machine that shows the receipt, not by another one behind the same address', async () => {
    const signed = await signAuthorization(ours, fresh())
    const payment = await toPayment(signed)
    await settle(signed)
    const head = await rpc.call('eth_blockNumber', [])
    await chain.mine(5)
    // This one has not seen a block since, or is on a fork that was left.
    const behind: JsonRpc = {
      call: rpc.call,
      batch: async (calls) => {
        const replies = await rpc.batch(calls)
        return replies.map((reply, at) => (calls[at]?.[0] === 'eth_blockNumber' ? head : reply))
      },
    }
    const mixed = createEvmReferee({ rpc: behind, confirmations: () => 3 })
    expect(await mixed.outcome(payment, undefined)).toEqual(YOUNG)
  })

  test('a larger price asks for more blocks', async () => {
    const asked: bigint[] = []
    const byPrice = createEvmReferee({
      rpc,
      confirmations: (amount) => {
        asked.push(amount)
        return 4
      },
    })
    const signed = await signAuthorization(ours, fresh())
    const payment = await toPayment(signed)
    const transaction = await settle(signed)
    await chain.mine(2)
    expect(await byPrice.outcome(payment, transaction)).toEqual(YOUNG)
    await chain.mine(1)
    expect(await byPrice.outcome(payment, transaction)).toEqual({ kind: 'paid', transaction })
    expect(new Set(asked)).toEqual(new Set([BigInt(ours.amount)]))
  })

  test('a transaction that failed paid nobody', async () => {
    const poor = privateKeyToAccount(`0x${'33'.repeat(32)}`)
    const changes = fresh()
    const { authorization } = await signAuthorization(ours, { ...changes, from: poor.address })
    const signed = { authorization, signature: (await signAuthorization(ours, changes)).signature }
    const transaction = await settle(signed)
    const good = await toPayment(await signAuthorization(ours, changes))
    expect(await referee.outcome(good, transaction)).toEqual({ kind: 'open' })
  })

  test('a nonce spent on somebody else is dead, even beside a transfer to us', async () => {
    const [nonce, second] = [fresh(), fresh()]
    const payment = await toPayment(await signAuthorization(ours, nonce))
    const elsewhere = await signAuthorization(ours, { ...nonce, to: THIEF })
    const honest = await signAuthorization(ours, second)
    const transaction = await settleTogether([elsewhere, honest])
    expect(await referee.outcome(payment, transaction)).toEqual({ kind: 'dead' })
    expect(await referee.outcome(payment, undefined)).toEqual({ kind: 'dead' })
    expect(await referee.outcome(await toPayment(honest), transaction)).toEqual({ kind: 'paid', transaction })
  })

  test('a nonce spent on less is dead', async () => {
    const nonce = fresh()
    const payment = await toPayment(await signAuthorization(ours, nonce))
    const transaction = await settle(await signAuthorization(ours, { ...nonce, value: '1' }))
    expect(await referee.outcome(payment, transaction)).toEqual({ kind: 'dead' })
  })

  test('two payments in one transaction are two payments', async () => {
    const both = [await signAuthorization(ours, fresh()), await signAuthorization(ours, fresh())]
    const transaction = await settleTogether(both)
    for (const signed of both) {
      const payment = await toPayment(signed)
      expect(await referee.outcome(payment, transaction)).toEqual({ kind: 'paid', transaction })
      expect(await referee.outcome(payment, undefined)).toEqual({ kind: 'paid', transaction })
    }
  })

  test.each([
    ['is too long', new ReplyTooLargeError()],
    ['a gateway answers with 502', new NodeStatusError(502)],
  ])('a receipt that %s is not needed', async (_, error) => {
    const nonce = fresh()
    const elsewhere = await signAuthorization(ours, { ...nonce, to: THIEF })
    const honest = await signAuthorization(ours, fresh())
    const transaction = await settleTogether([elsewhere, honest])
    const long: JsonRpc = {
      call: rpc.call,
      batch: (calls) =>
        calls.some(([method]) => method === 'eth_getTransactionReceipt')
          ? Promise.reject(error)
          : rpc.batch(calls),
    }
    const { outcome } = createEvmReferee({ rpc: long, confirmations: () => 1 })
    const dead = await toPayment(await signAuthorization(ours, nonce))
    for (const hint of [transaction, undefined]) {
      expect(await outcome(await toPayment(honest), hint)).toEqual({ kind: 'paid', transaction })
      expect(await outcome(dead, hint)).toEqual({ kind: 'dead' })
    }
  })

  test('cancelled is dead', async () => {
    const signed = await signAuthorization(ours, fresh())
    const payment = await toPayment(signed)
    const { nonce } = signed.authorization
    const signature = await account.signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      primaryType: 'CancelAuthorization',
      message: { authorizer: account.address, nonce },
    })
    await send(
      USDC,
      encodeFunctionData({
        abi: TOKEN,
        functionName: 'cancelAuthorization',
        args: [account.address, nonce, signature],
      }),
    )
    expect(await referee.outcome(payment, undefined)).toEqual({ kind: 'dead' })
  })

  test('a contract wallet pays, deployed or not', async () => {
    const salt = pad('0x7')
    const where = { to: EVM_CONTRACTS.SmartWalletFactory.toLowerCase() as Hex }
    const args = [account.address, salt] as const
    const answer = await rpc.call('eth_call', [
      { ...where, data: encodeFunctionData({ abi: FACTORY, functionName: 'addressOf', args }) },
      'latest',
    ])
    const from = `0x${String(answer).slice(-40)}` as Hex
    const create = encodeFunctionData({ abi: FACTORY, functionName: 'create', args })
    const plain = await signAuthorization(ours, { ...fresh(), from })
    const wrap = (signature: Hex) =>
      encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [0n, signature])
    const undeployed = (signature: Hex) =>
      concatHex([
        encodeAbiParameters(
          [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
          [where.to, create, signature],
        ),
        `0x${'6492'.repeat(16)}`,
      ])
    const forged = wrap(`0x${'11'.repeat(64)}1b`)
    const signature = wrap(plain.signature)
    await toPayment({ ...plain, signature: undeployed(signature) })
    await expect(toPayment({ ...plain, signature: undeployed(forged) })).rejects.toThrow('invalid_signature')
    await expect(toPayment({ ...plain, signature })).rejects.toThrow('invalid_signature')
    await send(where.to, create)
    const payment = await toPayment({ ...plain, signature })
    await expect(toPayment({ ...plain, signature: forged })).rejects.toThrow('invalid_signature')
    await chain.fundUsdc(from, usd('1'))
    const transaction = await settle({ ...plain, signature })
    expect(await referee.outcome(payment, transaction)).toEqual({ kind: 'paid', transaction })
  })

  test.each<[string, Hex]>([
    ['reverts', '0x60006000fd'],
    ['has an invalid opcode', '0xfe'],
    ['pops an empty stack', '0x50'],
    ['jumps to nowhere', '0x6001600156'],
    ['never ends', '0x5b600056'],
    ['answers a megabyte', '0x621000006000f3'],
    ['sends back what it is asked', '0x365f5f37365ff3'],
    ['answers four bytes', '0x631626ba7e60e01b60005260046000f3'],
  ])('a contract that %s refuses its signature', async (_, code) => {
    const from = `0x${randomBytes(20).toString('hex')}` as Hex
    await rpc.call('anvil_setCode', [from, code])
    const plain = await signAuthorization(ours, { ...fresh(), from })
    await expect(toPayment(plain)).rejects.toThrow('invalid_signature')
    // The factory of a wallet that is not deployed yet may be such a contract too.
    const wrapped = concatHex([
      encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [from, '0x', '0x11']),
      `0x${'6492'.repeat(16)}`,
    ])
    await expect(toPayment({ ...plain, signature: wrapped })).rejects.toThrow('invalid_signature')
  })

  test('expired and unused is dead by the time of the chain, and not a moment earlier', async () => {
    const [used, unused] = [await signAuthorization(ours, fresh()), await signAuthorization(ours, fresh())]
    const [paidOne, openOne] = [await toPayment(used), await toPayment(unused)]
    const transaction = await settle(used)
    const mineAt = async (atS: number) => {
      await rpc.call('evm_setNextBlockTimestamp', [`0x${atS.toString(16)}`])
      await chain.mine(1)
    }
    const validBeforeS = Number(unused.authorization.validBefore)
    await mineAt(validBeforeS + 20)
    expect(await referee.outcome(openOne, undefined)).toEqual({ kind: 'open' })
    await mineAt(validBeforeS + 21)
    expect(await referee.outcome(openOne, undefined)).toEqual({ kind: 'dead' })
    // Found again by a process that was down for a long time.
    await mineAt(validBeforeS + 100_000)
    await chain.mine(200)
    expect(await referee.outcome(paidOne, undefined)).toEqual({ kind: 'paid', transaction })
  })
})
