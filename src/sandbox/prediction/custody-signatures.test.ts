import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createWalletClient, type Hex, hashTypedData, http, slice, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lackOf } from '../../testing/missing.ts'
import { type LocalCustody, openLocalCustody } from '../../testing/sandbox/local-custody.ts'
import { POLYMARKET_CHAIN_ID, POLYMARKET_CONTRACTS } from '../../upstreams/polymarket/relayer/addresses.ts'
import type { Custody } from './custody.ts'

/** The part of the official order client that signs; its package does not export it. */
type OrderBuilder = {
  buildSignedOrder(order: object): Promise<{ signature: Hex }>
  buildOrderTypedData(order: object): TypedDataDefinition
}
type BuilderModule = {
  ExchangeOrderBuilderV2: new (exchange: string, chainId: number, signer: object) => OrderBuilder
}

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** Of ERC-1967. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const EOA = 0
const POLY_1271 = 3

let local: LocalCustody | undefined
let builderModule: BuilderModule
const here = (): LocalCustody => local as LocalCustody

beforeAll(async () => {
  const entry = createRequire(import.meta.url).resolve('@polymarket/clob-client-v2')
  const file = join(entry, '..', 'order-utils', 'exchangeOrderBuilderV2.js')
  const [opened, loaded] = await Promise.all([openLocalCustody(), import(pathToFileURL(file).href)])
  local = opened
  builderModule = loaded as BuilderModule
})
afterAll(() => local?.close())
beforeEach((context) => {
  if (!local) context.skip(lackOf('anvil'))
})

/** An order as the official client signs it, and its hash for the exchange that takes it. */
async function signOrder(
  owner: PrivateKeyAccount,
  maker: Hex,
  signatureType: number,
  { exchange = POLYMARKET_CONTRACTS.exchange as string, chainId = POLYMARKET_CHAIN_ID } = {},
) {
  const signer = createWalletClient({ account: owner, transport: http('http://127.0.0.1:9') })
  const builder = new builderModule.ExchangeOrderBuilderV2(exchange, chainId, signer)
  const amounts = { makerAmount: '4000000', takerAmount: '10000000', side: 'BUY', timestamp: '1767614400000' }
  const order = await builder.buildSignedOrder({
    ...amounts,
    maker,
    signer: maker,
    tokenId: '123',
    signatureType,
  })
  const hash = hashTypedData(builder.buildOrderTypedData(order))
  return { hash, signer: maker, signatureType, signature: order.signature }
}

type Signed = Parameters<Custody['isSigned']>[0]
const verdicts = (orders: Record<string, Signed>) =>
  Promise.all(
    Object.entries(orders).map(async ([name, order]) => `${name}: ${await here().custody.isSigned(order)}`),
  )

/** A second wallet of the same owner, which the factory would not make. */
async function plantTwin(wallet: Hex): Promise<Hex> {
  const { rpc } = here().chain
  const twin = '0x7011b00C00000000000000000000000000000777'
  await rpc('anvil_setCode', twin, await rpc('eth_getCode', wallet, 'latest'))
  const implementation = await rpc('eth_getStorageAt', wallet, IMPLEMENTATION_SLOT, 'latest')
  await rpc('anvil_setStorageAt', twin, IMPLEMENTATION_SLOT, implementation)
  return twin
}

/** The other signature of the same key for the same text. */
function malleate(signature: Hex): Hex {
  const s = BigInt(slice(signature, 32, 64))
  expect(s).toBeLessThanOrEqual(HALF_ORDER)
  const v = slice(signature, 64, 65) === '0x1b' ? '1c' : '1b'
  const otherS = (ORDER - s).toString(16).padStart(64, '0')
  return `0x${signature.slice(2, 66)}${otherS}${v}${signature.slice(132)}`
}

test('a plain key signs for itself (type 0), and for nobody else', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const other = privateKeyToAccount(generatePrivateKey())
  const good = await signOrder(owner, owner.address, EOA)
  const { wallet } = await here().trader()
  expect(
    await verdicts({
      good,
      'another signer': { ...good, signer: other.address },
      'the zero address': { ...good, signer: '0x0000000000000000000000000000000000000000' },
      'another order': { ...good, hash: `0x${'11'.repeat(32)}` },
      malleated: { ...good, signature: malleate(good.signature) },
      truncated: { ...good, signature: slice(good.signature, 0, 64) },
      empty: { ...good, signature: '0x' },
      'all zero': { ...good, signature: `0x${'00'.repeat(65)}` },
      'as a contract': { ...good, signatureType: POLY_1271 },
      'for a contract': { ...good, signer: wallet },
      'as a proxy': { ...good, signatureType: 1 },
      'as a safe': { ...good, signatureType: 2 },
      'as nothing known': { ...good, signatureType: 256 },
      'as half a type': { ...good, signatureType: 0.5 },
    }),
  ).toEqual([
    'good: true',
    ...[
      'another signer',
      'the zero address',
      'another order',
      'malleated',
      'truncated',
      'empty',
      'all zero',
    ].map((name) => `${name}: false`),
    ...[
      'as a contract',
      'for a contract',
      'as a proxy',
      'as a safe',
      'as nothing known',
      'as half a type',
    ].map((name) => `${name}: false`),
  ])
})

test('a deposit wallet takes the nested signature of its owner (type 3), and no other', async () => {
  const { owner, wallet } = await here().trader()
  const other = await here().trader()
  const good = await signOrder(owner, wallet, POLY_1271)
  const elsewhere = await signOrder(owner, wallet, POLY_1271, { exchange: POLYMARKET_CONTRACTS.collateral })
  const otherChain = await signOrder(owner, wallet, POLY_1271, { chainId: 80002 })
  const byAnother = await signOrder(other.owner, wallet, POLY_1271)
  const plain = await signOrder(owner, owner.address, EOA)
  const twin = await plantTwin(wallet)
  const forTwin = await signOrder(owner, twin, POLY_1271)
  const changed = (from: number, bytes: string): Hex =>
    `0x${good.signature.slice(2, 2 + from * 2)}${bytes}${good.signature.slice(2 + from * 2 + bytes.length)}`
  const bad: Record<string, Signed> = {
    'the domain of another contract': { ...elsewhere, hash: good.hash },
    'the domain of another chain': { ...otherChain, hash: good.hash },
    'another owner': byAnother,
    'another wallet': { ...good, signer: other.wallet },
    'another wallet of the same owner': { ...good, signer: twin },
    'a plain signature': { ...plain, signer: wallet, signatureType: POLY_1271 },
    'no contract': { ...good, signer: owner.address },
    'another order': { ...good, hash: `0x${'22'.repeat(32)}` },
    malleated: { ...good, signature: malleate(good.signature) },
    truncated: { ...good, signature: slice(good.signature, 0, 200) },
    'cut at the front': { ...good, signature: slice(good.signature, 1) },
    'with a byte more': { ...good, signature: `${good.signature}00` },
    'with another app domain': { ...good, signature: changed(65, 'ff'.repeat(32)) },
    'with other contents': { ...good, signature: changed(97, 'ff'.repeat(32)) },
    'with another type name': { ...good, signature: changed(129, '58') },
    'with a length of nothing': { ...good, signature: `${good.signature.slice(0, -4)}0000` as Hex },
    'with the longest length': { ...good, signature: `${good.signature.slice(0, -4)}ffff` as Hex },
    'far too long': { ...good, signature: `0x${'00'.repeat(100_000)}` },
    empty: { ...good, signature: '0x' },
    'with half a byte': { ...good, signature: `${good.signature}0` },
    'not hexadecimal': { ...good, signature: '0xzz' },
    'by nobody': { ...good, signer: '0x12' },
  }
  expect(await verdicts({ good, forTwin, ...bad })).toEqual([
    'good: true',
    'forTwin: true',
    ...Object.keys(bad).map((name) => `${name}: false`),
  ])
})
