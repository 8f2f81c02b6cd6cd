import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import { type Address, createKeyPairSignerFromBytes, createSolanaRpc, type Signature } from '@solana/kit'
import { afterEach, describe, expect, test } from 'vitest'
import { usd } from '../../../core/money.ts'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { requirementsOf, solanaPayer } from '../../../testing/sandbox/payers.ts'
import { createSvmSender } from '../../facilitator/svm-sender.ts'
import { openFacilitatorKeys, openSandboxKeys, toSvmAddress } from '../../keys.ts'
import { createWallets } from '../../wallets.ts'
import { createRpc } from '../evm/rpc-client.ts'
import { type SvmChain, startSvmChain } from './chain.ts'
import { findUsdcAccount } from './usdc-account.ts'

const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const START_MS = Date.UTC(2026, 0, 5, 12)
const open: SvmChain[] = []
afterEach(async () => {
  for (const chain of open.splice(0)) await chain.close()
})

async function startWorld(
  dataDir = mkdtempSync(join(tmpdir(), 'tollbook-svm-')),
  clock = createManualClock(START_MS),
) {
  const payTo = openSandboxKeys(dataDir)
  const chain = await startSvmChain({ dataDir, clock, payTo: payTo.svm.address })
  open.push(chain)
  const { evm: _, svm: key } = openFacilitatorKeys(dataDir)
  const sender = await createSvmSender({ rpcUrl: chain.rpcUrl, key })
  chain.fundSol(payTo.svm.feePayer, 10n ** 9n)
  const requirement = requirementsOf(payTo).svm
  /** Signed by payer and fee payer, ready to be sent. */
  const signedBy = async (secretKey: string, amount = '12000') => {
    const payer = await solanaPayer(secretKey, chain.rpcUrl)
    const [{ payload }] = await payer.pay({ ...requirement, amount })
    return sender.signTransaction(String(payload.transaction), payTo.svm.feePayer as Address, NETWORK)
  }
  const wallet = (await createWallets({ evm: undefined, svm: chain }).fresh()).solana
  if (!wallet) throw new Error('no wallet')
  const rpc = createSolanaRpc(chain.rpcUrl)
  return { dataDir, clock, payTo: payTo.svm.address, chain, sender, signedBy, wallet, rpc }
}

describe('the Solana chain', () => {
  test('finds a payment by signature and by address', async () => {
    const { chain, sender, signedBy, wallet, rpc, payTo } = await startWorld()
    const wire = await signedBy(wallet.secret_key)
    const signature = (await sender.sendTransaction(wire, NETWORK)) as Signature
    const account = await findUsdcAccount(payTo as Address)
    expect(await chain.usdcOf(payTo)).toBe(12_000n)
    const listed = await rpc.getSignaturesForAddress(account).send()
    expect(listed.map((each) => [each.signature, each.err, each.blockTime])).toEqual([
      [signature, null, BigInt(START_MS / 1000)],
    ])
    const found = await rpc
      .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
      .send()
    expect(found?.transaction[0]).toBe(wire)
    expect(found?.meta?.err).toBeNull()
    const received = found?.meta?.postTokenBalances?.find(({ owner }) => owner === payTo)
    expect(received?.uiTokenAmount).toMatchObject({ amount: '12000', decimals: 6 })
    const { value } = await rpc.getSignatureStatuses([signature]).send()
    expect(value[0]).toMatchObject({ err: null, confirmationStatus: 'finalized' })
    expect((await rpc.getTokenAccountBalance(account).send()).value.amount).toBe('12000')
    const unknown = base58.encode(new Uint8Array(64).fill(7)) as Signature
    expect(await rpc.getTransaction(unknown, { encoding: 'base64' }).send()).toBeNull()
  })

  test('refuses what needs a later slot than its own, as nodes do that are behind', async () => {
    const { chain, clock, payTo } = await startWorld()
    const slot = clock.now() / 400
    const account = await findUsdcAccount(payTo as Address)
    const calls: [string, unknown[]][] = [
      ['getSlot', []],
      ['getBlockHeight', []],
      ['getLatestBlockhash', []],
      ['isBlockhashValid', ['11111111111111111111111111111111']],
      ['getAccountInfo', [account]],
      ['getMultipleAccounts', [[account]]],
      ['getBalance', [account]],
      ['getSignaturesForAddress', [account]],
    ]
    const ask = async (method: string, params: unknown[]) => {
      const response = await fetch(chain.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      return (await response.json()) as { error?: unknown }
    }
    for (const [method, params] of calls) {
      const at = (minContextSlot: number) => ask(method, [...params, { encoding: 'base64', minContextSlot }])
      expect([method, (await at(slot)).error]).toEqual([method, undefined])
      expect([method, (await at(slot + 1)).error]).toEqual([
        method,
        { code: -32016, message: 'Minimum context slot has not been reached', data: { contextSlot: slot } },
      ])
    }
  })

  test('runs a transaction once, and not after its blockhash has expired', async () => {
    const { chain, clock, sender, signedBy, wallet, payTo } = await startWorld()
    const wire = await signedBy(wallet.secret_key)
    const late = await signedBy(wallet.secret_key, '13000')
    await sender.sendTransaction(wire, NETWORK)
    await sender.sendTransaction(wire, NETWORK)
    expect(await chain.usdcOf(payTo)).toBe(12_000n)
    await expect(sender.simulateTransaction(wire, NETWORK)).rejects.toThrow(/AlreadyProcessed/)
    await sender.simulateTransaction(late, NETWORK)
    clock.advance(61_000)
    await expect(sender.simulateTransaction(late, NETWORK)).rejects.toThrow(/BlockhashNotFound/)
    const send = createRpc(chain.rpcUrl)('sendTransaction', late, { encoding: 'base64', skipPreflight: true })
    await expect(send).rejects.toThrow(/BlockhashNotFound/)
    await sender.simulateTransaction(late, NETWORK, { replaceRecentBlockhash: true })
    expect(await chain.usdcOf(payTo)).toBe(12_000n)
  })

  test('keeps a transaction that failed, with its error', async () => {
    const { chain, sender, signedBy, rpc, payTo } = await startWorld()
    const seed = randomBytes(32)
    const poor = toSvmAddress(base58.encode(seed))
    await chain.fundUsdc(poor, usd('0.001'))
    const wire = await signedBy(base58.encode(Buffer.concat([seed, base58.decode(poor)])))
    await expect(sender.simulateTransaction(wire, NETWORK)).rejects.toThrow(/InstructionError/)
    const signature = (await sender.sendTransaction(wire, NETWORK)) as Signature
    await expect(sender.confirmTransaction(signature, NETWORK)).rejects.toThrow(/failed onchain/)
    const found = await rpc
      .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
      .send()
    expect(
      JSON.stringify(found?.meta?.err, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
    ).toBe('{"InstructionError":[2,{"Custom":1}]}')
    expect(await chain.usdcOf(payTo)).toBe(0n)
  })

  test('refuses a transaction that lacks a signature or carries a forged one', async () => {
    const { chain, signedBy, wallet, payTo } = await startWorld()
    const rpc = createRpc(chain.rpcUrl)
    const bytes = Buffer.from(await signedBy(wallet.secret_key), 'base64')
    const second = 1 + 64
    const forged = Buffer.from(bytes)
      .fill(9, second, second + 64)
      .toString('base64')
    const unsigned = Buffer.from(bytes)
      .fill(0, second, second + 64)
      .toString('base64')
    for (const wire of [forged, unsigned]) {
      await expect(rpc('sendTransaction', wire, { encoding: 'base64', skipPreflight: true })).rejects.toThrow(
        /signature/i,
      )
      await expect(rpc('sendTransaction', wire, { encoding: 'base64' })).rejects.toThrow(/signature/i)
    }
    expect(await chain.usdcOf(payTo)).toBe(0n)
  })

  test('is the same chain after a kill', async () => {
    const { dataDir, clock, sender, signedBy, wallet, payTo } = await startWorld()
    const before = await signedBy(wallet.secret_key)
    const signature = (await sender.sendTransaction(before, NETWORK)) as Signature
    const underWay = await signedBy(wallet.secret_key, '500')
    // The first chain is not closed: it stands for the killed process.
    const again = await startWorld(dataDir, clock)
    expect(await again.chain.usdcOf(payTo)).toBe(12_000n)
    expect(await again.chain.usdcOf(wallet.address)).toBe(usd('10') - 12_000n)
    const { value } = await again.rpc.getSignatureStatuses([signature]).send()
    expect(value[0]).toMatchObject({ err: null })
    await expect(again.sender.simulateTransaction(before, NETWORK)).rejects.toThrow(/AlreadyProcessed/)
    await again.sender.sendTransaction(before, NETWORK)
    expect(await again.chain.usdcOf(payTo)).toBe(12_000n)
    await again.sender.sendTransaction(underWay, NETWORK)
    expect(await again.chain.usdcOf(payTo)).toBe(12_500n)
  })

  test.each<['payer' | 'payee', 'frozen' | 'closed']>([
    ['payer', 'frozen'],
    ['payer', 'closed'],
    ['payee', 'frozen'],
    ['payee', 'closed'],
  ])('moves nothing while the account of the %s is %s, also after a restart', async (who, state) => {
    const { dataDir, clock, chain, sender, signedBy, wallet, payTo } = await startWorld()
    const wire = await signedBy(wallet.secret_key)
    await chain.setUsdcAccount(who === 'payer' ? wallet.address : payTo, state)
    await expect(sender.simulateTransaction(wire, NETWORK)).rejects.toThrow(/InstructionError/)
    const again = await startSvmChain({ dataDir, clock })
    open.push(again)
    const raw = createRpc(again.rpcUrl)
    const sent = raw('simulateTransaction', wire, { encoding: 'base64', sigVerify: false })
    expect(JSON.stringify(await sent)).toContain('InstructionError')
    expect(await again.usdcOf(payTo)).toBe(0n)
  })

  test('answers the methods that clients use and refuses others', async () => {
    const { chain, rpc, wallet } = await startWorld()
    expect(await rpc.getHealth().send()).toBe('ok')
    expect(await rpc.getSlot().send()).toBe(BigInt(START_MS / 400))
    expect(await rpc.getBlockHeight().send()).toBe(BigInt(START_MS / 400))
    const { blockhash } = (await rpc.getLatestBlockhash().send()).value
    expect((await rpc.isBlockhashValid(blockhash).send()).value).toBe(true)
    expect((await rpc.getVersion().send())['solana-core']).toBeTruthy()
    expect(await rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n)
    const owner = wallet.address as Address
    const { value } = await rpc
      .getMultipleAccounts([await findUsdcAccount(owner), owner], { encoding: 'base64' })
      .send()
    expect(value.map((account) => account?.space)).toEqual([165n, undefined])
    const signer = await createKeyPairSignerFromBytes(base58.decode(wallet.secret_key))
    expect(signer.address).toBe(wallet.address)
    const raw = createRpc(chain.rpcUrl)
    await expect(raw('getAccountInfo', 'nonsense')).rejects.toThrow(/Invalid params/)
    await expect(raw('getAccountInfo', owner, { encoding: 'jsonParsed' })).rejects.toThrow(/only base64/)
    await expect(raw('sendTransaction', 'AAAA', {})).rejects.toThrow(/deserialize/)
    await expect(raw('toString')).rejects.toThrow(/Method not found/)
    const plain = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{}',
    })
    expect(plain.status).toBe(415)
  })
})
