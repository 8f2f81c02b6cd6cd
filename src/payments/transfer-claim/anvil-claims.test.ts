import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Abi,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashMessage,
  http,
  maxUint256,
  publicActions,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRateCounters } from '../../access/rate-counters.ts'
import { silentLog } from '../../core/log.ts'
import { usd } from '../../core/money.ts'
import { systemClock } from '../../core/time/clock.ts'
import { ChainUnavailableError } from '../../sandbox/chains/evm/anvil-binary.ts'
import { type EvmChain, startEvmChain } from '../../sandbox/chains/evm/chain.ts'
import { abiOf, EVM_CONTRACTS } from '../../sandbox/chains/evm/contracts.ts'
import { lackOf } from '../../testing/missing.ts'
import { claimWith, createClaimWorld, signedClaim } from '../../testing/payments/claim-world.ts'
import { createJsonRpc } from '../chain/json-rpc.ts'
import { AUTHORIZATION_TYPES } from '../read/evm/authorization-types.ts'
import { createSmartWalletSignatures } from '../read/evm/smart-wallet-signatures.ts'
import { claimText } from './claim-text.ts'
import { createReadTransaction } from './read-transaction.ts'

const START_LIMIT_MS = 30_000
const TIMEOUT_MS = 5_000
/** Enough for any transaction here. Without an explicit limit, one that must fail would not be sent. */
const GAS = 400_000n
const payTo = privateKeyToAccount(generatePrivateKey()).address
const alice = privateKeyToAccount(generatePrivateKey())
const mallory = privateKeyToAccount(generatePrivateKey())
const { TestUsdc, ProjectToken, Aggregate, SmartWalletFactory } = EVM_CONTRACTS

let chain: EvmChain | undefined

beforeAll(async () => {
  try {
    chain = await startEvmChain({ dataDir: mkdtempSync(join(tmpdir(), 'tollbook-claims-')), log: silentLog })
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error
    console.warn(`claims on a real chain are not tested here: ${error.message}`)
    return
  }
  for (const { address } of [alice, mallory]) {
    await chain.fundEth(address, 10n ** 18n)
    await chain.fundUsdc(address, usd('10'))
    await chain.fundProjectToken(address, 5n)
  }
}, START_LIMIT_MS)
afterAll(() => chain?.close())

function createWorld({ atMs = Date.now() } = {}) {
  const rpcUrl = chain?.rpcUrl ?? ''
  const rpc = createJsonRpc({ rpcUrl, timeoutMs: TIMEOUT_MS })
  const readTransaction = createReadTransaction(rpc)
  const signatures = createSmartWalletSignatures({
    rpc,
    clock: systemClock,
    counters: createRateCounters({ clock: systemClock }),
  })
  return createClaimWorld({ readTransaction, signatures, payTo, startMs: atMs })
}

/** Sends it and returns its hash once it is mined, whether it succeeded or not. */
async function send(
  account: PrivateKeyAccount | Hex,
  to: Hex,
  abi: Abi,
  functionName: string,
  args: unknown[],
) {
  const client = createWalletClient({ account, chain: base, transport: http(chain?.rpcUrl) }).extend(
    publicActions,
  )
  const data = encodeFunctionData({ abi, functionName, args })
  const hash = await client.sendTransaction({ to, data, gas: GAS })
  await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
  return hash
}
const sendUsdc = (account: PrivateKeyAccount | Hex, functionName: string, ...args: unknown[]) =>
  send(account, TestUsdc, abiOf('TestUsdc'), functionName, args)

describe('on a chain of our own', () => {
  const onChain = (name: string, story: (chain: EvmChain) => Promise<void>) =>
    test(name, { timeout: START_LIMIT_MS }, async ({ skip }) =>
      chain ? story(chain) : skip(lackOf('anvil')),
    )

  onChain('a confirmed transfer is claimed once', async ({ mine }) => {
    const world = createWorld()
    const hash = await sendUsdc(alice, 'transfer', payTo, 100_000n)
    const claim = await signedClaim(alice, hash, '/cheap')
    await mine(2)
    expect(await claimWith(world, claim)).toBe('{"made":1}')
    expect(await claimWith(world, claim)).toBe('{"made":1}')
    expect(await claimWith(world, signedClaim(alice, hash, '/other'))).toMatch(/^409/)
    expect(await claimWith(world, signedClaim(mallory, hash, '/cheap'))).toMatch(/^403/)
    expect(await world.ledger.totals({ exceptPayers: [] })).toMatchObject({ count: 1, revenue: 100_000n })
  })

  onChain('what is no payment buys nothing', async ({ mine }) => {
    const world = createWorld()
    const authorization = [alice.address, payTo, 100_000n, 0n, maxUint256, `0x${'07'.repeat(32)}`] as const
    const bad: [string, Hex, RegExp][] = [
      ['failed', await sendUsdc(alice, 'transfer', payTo, usd('1000')), /^402 the transaction failed/],
      ['too little', await sendUsdc(alice, 'transfer', payTo, 99_999n), /^402 .* below/],
      ['to somebody else', await sendUsdc(alice, 'transfer', mallory.address, 100_000n), /^402 .* no USDC/],
      ['only approved', await sendUsdc(alice, 'approve', payTo, 100_000n), /^402 .* no USDC/],
      [
        'another token',
        await send(alice, ProjectToken, abiOf('ProjectToken'), 'transfer', [payTo, 10n ** 18n]),
        /^402 .* no USDC/,
      ],
      ['of somebody else', await sendUsdc(mallory, 'transfer', payTo, 100_000n), /^403/],
      [
        'by signed authorization',
        await sendUsdc(
          mallory,
          'transferWithAuthorization',
          ...authorization,
          await signAuthorization(authorization),
        ),
        /^402 .* signed authorization/,
      ],
    ]
    await mine(2)
    for (const [name, hash, says] of bad)
      expect([name, await claimWith(world, signedClaim(alice, hash, '/cheap'))]).toEqual([
        name,
        expect.stringMatching(says),
      ])
    expect(world.rows.size).toBe(0)
  })

  onChain('a transfer of yesterday is too old', async ({ mine }) => {
    const hash = await sendUsdc(alice, 'transfer', payTo, 100_000n)
    await mine(2)
    const later = createWorld({ atMs: Date.now() + 3_700_000 })
    expect(await claimWith(later, signedClaim(alice, hash, '/cheap'))).toMatch(/^402 .* hour old/)
  })

  onChain('what a spender moves belongs to the wallet it came from', async ({ mine }) => {
    const world = createWorld()
    await sendUsdc(alice, 'approve', mallory.address, 100_000n)
    const hash = await sendUsdc(mallory, 'transferFrom', alice.address, payTo, 100_000n)
    await mine(2)
    expect(await claimWith(world, signedClaim(mallory, hash, '/cheap'))).toMatch(/^403/)
    expect(await claimWith(world, signedClaim(alice, hash, '/cheap'))).toBe('{"made":1}')
  })

  onChain('two transfers of one transaction are two purchases', async ({ mine }) => {
    const world = createWorld()
    await sendUsdc(alice, 'approve', Aggregate, 200_000n)
    const args = [alice.address, payTo, 100_000n]
    const callData = encodeFunctionData({ abi: abiOf('TestUsdc'), functionName: 'transferFrom', args })
    const call = { target: TestUsdc, allowFailure: false, callData }
    const hash = await send(alice, Aggregate, abiOf('Aggregate'), 'aggregate3', [[call, call]])
    await mine(2)
    const outcomes = await Promise.all(
      ['/cheap', '/other', '/dearest'].map((path) =>
        signedClaim(alice, hash, path).then((each) => claimWith(world, each)),
      ),
    )
    expect(outcomes.map((text) => text.slice(0, 3)).sort()).toEqual(['409', '{"m', '{"m'])
    const rows = await world.ledger.findByTransaction('eip155:8453', hash)
    expect(new Set(rows.map(({ key }) => key)).size).toBe(2)
  })

  onChain('a contract wallet claims with the signature of its owner, and nobody else does', async (our) => {
    const world = createWorld()
    const wallet = await createSmartWallet(alice)
    await our.fundUsdc(wallet, usd('1'))
    await our.fundEth(wallet, 10n ** 18n)
    const rpc = createJsonRpc({ rpcUrl: our.rpcUrl, timeoutMs: TIMEOUT_MS })
    await rpc.call('anvil_impersonateAccount', [wallet])
    const hash = await sendUsdc(wallet, 'transfer', payTo, 100_000n)
    await our.mine(2)
    const claim = { txHash: hash, endpoint: '/cheap', wallet, client: 'test' }
    const signedBy = async (owner: PrivateKeyAccount) =>
      wrap(await owner.sign({ hash: hashMessage(claimText(claim)) }))
    expect(await claimWith(world, { ...claim, signature: await signedBy(mallory) })).toMatch(/^403/)
    expect(await claimWith(world, { ...claim, signature: await signedBy(alice) })).toBe('{"made":1}')
  })
})

const wrap = (signature: Hex) =>
  encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [0n, signature])

async function createSmartWallet(owner: PrivateKeyAccount): Promise<Hex> {
  const abi = abiOf('SmartWalletFactory')
  const args = [owner.address, `0x${'00'.repeat(32)}`]
  await send(owner, SmartWalletFactory, abi, 'create', args)
  const client = createWalletClient({ chain: base, transport: http(chain?.rpcUrl) }).extend(publicActions)
  return (await client.readContract({
    address: SmartWalletFactory,
    abi,
    functionName: 'addressOf',
    args,
  })) as Hex
}

function signAuthorization([from, to, value, validAfter, validBefore, nonce]: readonly [
  Hex,
  Hex,
  bigint,
  bigint,
  bigint,
  Hex,
]) {
  return alice.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: TestUsdc },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: { from, to, value, validAfter, validBefore, nonce },
  })
}
