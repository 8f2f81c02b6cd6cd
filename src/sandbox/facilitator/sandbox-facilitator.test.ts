import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { base58 } from '@scure/base'
import type { FacilitatorClient } from '@x402/core/server'
import { createPublicClient, createWalletClient, erc20Abi, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { usd } from '../../core/money.ts'
import { systemClock } from '../../core/time/clock.ts'
import {
  keyPayer,
  type Payer,
  type Payment,
  requirementsOf,
  solanaPayer,
  walletPayer,
} from '../../testing/sandbox/payers.ts'
import { type EvmChain, startEvmChain } from '../chains/evm/chain.ts'
import { type Address, EVM_CONTRACTS } from '../chains/evm/contracts.ts'
import { type SvmChain, startSvmChain } from '../chains/svm/chain.ts'
import { openFacilitatorKeys, openSandboxKeys } from '../keys.ts'
import { createWallets } from '../wallets.ts'
import { createSandboxFacilitator } from './sandbox-facilitator.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-facilitator-'))
const payTo = openSandboxKeys(dataDir)
const { evm: onEvm, svm: onSolana } = requirementsOf(payTo)
const PRICE = 12_000n

let evm: EvmChain
let svm: SvmChain
let facilitator: FacilitatorClient

beforeAll(async () => {
  evm = await startEvmChain({ dataDir, log: silentLog })
  svm = await startSvmChain({ dataDir, clock: systemClock, payTo: payTo.svm.address })
  facilitator = await createSandboxFacilitator({ evm, svm, keys: openFacilitatorKeys(dataDir) })
})
afterAll(async () => {
  await Promise.all([evm?.close(), svm?.close()])
})

const balances = async (payer: Payer) => [
  await evm.usdcOf(payer.address as Address),
  await evm.usdcOf(payTo.evm as Address),
]

/** Verifies and settles, and tells what left the payer and what arrived. */
async function settleOnEvm(payer: Payer) {
  await evm.fundUsdc(payer.address as Address, usd('1'))
  const payment = await payer.pay(onEvm)
  const before = await balances(payer)
  const verified = await facilitator.verify(...payment)
  const settled = await facilitator.settle(...payment)
  const after = await balances(payer)
  const [paid = 0n, received = 0n] = after.map((balance, index) => balance - (before[index] ?? 0n))
  return { payment, verified, settled, paid, received }
}

describe('on EVM', () => {
  test('a key pays exactly the amount, once', async () => {
    const payer = keyPayer()
    const { payment, verified, settled, paid, received } = await settleOnEvm(payer)
    expect(verified).toMatchObject({ isValid: true, payer: payer.address })
    expect(settled).toMatchObject({ success: true, payer: payer.address, network: onEvm.network })
    expect([paid, received]).toEqual([-PRICE, PRICE])
    const before = await balances(payer)
    expect(await facilitator.verify(...payment)).toMatchObject({
      invalidReason: expect.stringMatching(/nonce_already_used/),
    })
    expect(await facilitator.settle(...payment)).toMatchObject({
      success: false,
      errorReason: expect.stringMatching(/nonce_already_used/),
    })
    expect(await balances(payer)).toEqual(before)
  })

  test('a smart wallet pays, deployed or not yet', async () => {
    const deployed = await walletPayer(evm.rpcUrl, 'deployed')
    await evm.fundEth(privateKeyToAccount(DEPLOYER).address, 10n ** 18n)
    const sender = createWalletClient({
      account: privateKeyToAccount(DEPLOYER),
      chain: base,
      transport: http(evm.rpcUrl),
    })
    await sender.sendTransaction({ to: EVM_CONTRACTS.SmartWalletFactory, data: deployed.creation })
    for (const payer of [deployed, await walletPayer(evm.rpcUrl, 'counterfactual')]) {
      const { verified, settled, paid, received } = await settleOnEvm(payer)
      expect(verified).toMatchObject({ isValid: true })
      expect(settled).toMatchObject({ success: true, payer: payer.address })
      expect([paid, received]).toEqual([-PRICE, PRICE])
    }
  })

  test('a wallet of a factory we do not know is refused', async () => {
    const { verified, settled, paid } = await settleOnEvm(
      await walletPayer(evm.rpcUrl, 'counterfactual', EVM_CONTRACTS.ProjectToken),
    )
    expect(verified.invalidReason).toMatch(/factory_not_allowed/)
    expect([settled.success, paid]).toEqual([false, 0n])
  })

  test('expired, forged, altered and unfunded payments move nothing', async () => {
    const payer = keyPayer()
    await evm.fundUsdc(payer.address as Address, usd('0.5'))
    const [payload, requirement] = await payer.pay(onEvm)
    const authorization = payload.payload.authorization as object
    const altered = (change: object): Payment => [
      { ...payload, payload: { ...payload.payload, authorization: { ...authorization, ...change } } },
      requirement,
    ]
    const expired = await payer.pay({ ...onEvm, maxTimeoutSeconds: 1 })
    const unfunded = await keyPayer().pay(onEvm)
    const stolen = altered({ from: keyPayer().address })
    const before = await balances(payer)
    for (const payment of [
      expired,
      unfunded,
      stolen,
      altered({ value: '1' }),
      altered({ to: payer.address }),
    ]) {
      expect((await facilitator.verify(...payment)).isValid).toBe(false)
      expect((await facilitator.settle(...payment)).success).toBe(false)
    }
    expect(await balances(payer)).toEqual(before)
    expect((await facilitator.verify(...unfunded)).invalidReason).toMatch(/insufficient_balance/)
  })

  test('many at once all settle, and after failed sends it still sends', async () => {
    const payer = keyPayer()
    await evm.fundUsdc(payer.address as Address, usd('1'))
    const same = await payer.pay(onEvm)
    const payments = await Promise.all(Array.from({ length: 10 }, () => payer.pay(onEvm)))
    const settled = await Promise.all(
      [same, same, same, ...payments].map((each) => facilitator.settle(...each)),
    )
    expect(settled.map(({ success }) => success).filter(Boolean)).toHaveLength(11)
    expect(await evm.usdcOf(payer.address as Address)).toBe(usd('1') - 11n * PRICE)
    expect((await facilitator.settle(...(await payer.pay(onEvm)))).success).toBe(true)
  })
})

const DEPLOYER = generatePrivateKey()

describe('on Solana', () => {
  test('a key pays exactly the amount, once, and the chain can tell', async () => {
    const { solana } = await createWallets({ evm: undefined, svm }).fresh()
    const payer = await solanaPayer(solana?.secret_key ?? '', svm.rpcUrl)
    const payment = await payer.pay(onSolana)
    const before = [await svm.usdcOf(payer.address), await svm.usdcOf(payTo.svm.address)]
    expect(before[0]).toBe(usd('10'))
    expect(await facilitator.verify(...payment)).toMatchObject({ isValid: true, payer: payer.address })
    const settled = await facilitator.settle(...payment)
    expect(settled).toMatchObject({ success: true, network: onSolana.network })
    expect(await svm.usdcOf(payer.address)).toBe(usd('10') - PRICE)
    expect(await svm.usdcOf(payTo.svm.address)).toBe((before[1] ?? 0n) + PRICE)
    expect((await facilitator.verify(...payment)).isValid).toBe(false)
    expect(await facilitator.settle(...payment)).toMatchObject({
      success: false,
      errorReason: 'duplicate_settlement',
    })
    // Another facilitator process knows nothing of the first, but the chain does.
    const other = await createSandboxFacilitator({ evm: undefined, svm, keys: openFacilitatorKeys(dataDir) })
    expect((await other.settle(...payment)).success).toBe(false)
    expect(await svm.usdcOf(payer.address)).toBe(usd('10') - PRICE)
  })
})

test('a wallet that is handed out pays on both chains and holds the project token', async () => {
  const wallets = createWallets({ evm, svm })
  const [wallet, other] = await Promise.all([wallets.fresh(), wallets.fresh()])
  if (!wallet.evm || !wallet.solana) throw new Error('a chain is missing')
  expect(wallet.evm).toMatchObject({
    private_key: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    rpc_url: evm.rpcUrl,
  })
  expect(base58.decode(wallet.solana.secret_key)).toHaveLength(64)
  expect(other.evm?.address).not.toBe(wallet.evm.address)
  const payers = [
    keyPayer(wallet.evm.private_key),
    await solanaPayer(wallet.solana.secret_key, wallet.solana.rpc_url),
  ]
  expect(payers.map(({ address }) => address)).toEqual([wallet.evm.address, wallet.solana.address])
  const [onFirst, onSecond] = await Promise.all([payers[0]?.pay(onEvm), payers[1]?.pay(onSolana)])
  for (const payment of [onFirst, onSecond]) {
    if (!payment) throw new Error('no payment')
    expect((await facilitator.settle(...payment)).success).toBe(true)
  }
  expect(await evm.usdcOf(wallet.evm.address as Address)).toBe(usd('10') - PRICE)
  expect(await svm.usdcOf(wallet.solana.address)).toBe(usd('10') - PRICE)
  const chain = createPublicClient({ transport: http(evm.rpcUrl) })
  const args = [wallet.evm.address as Address] as const
  const token = { address: EVM_CONTRACTS.ProjectToken, abi: erc20Abi } as const
  expect(await chain.readContract({ ...token, functionName: 'balanceOf', args })).toBe(100n * 10n ** 18n)
})
