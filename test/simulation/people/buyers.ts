import { OPEN_BY_PAYER } from '../../../src/payments/gate/bounds/limits.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { SimulatedChain } from '../chain/simulated-chain.ts'
import { PRICES, type ProductId } from '../seller/products.ts'
import type { HttpReply, Service } from '../seller/service.ts'
import type { Timeline, Trace } from '../timeline.ts'
import { type Authorization, type SignedBook, SVM } from './authorization.ts'
import { contractWalletOf } from './contract-wallets.ts'
import { evmAddressOf } from './evm-signer.ts'
import { signPayment } from './sign.ts'
import { svmAddressOf } from './svm-signer.ts'

export type BuyerWorld = {
  timeline: Timeline
  random: Seeded
  chain: SimulatedChain
  service: Service
  /** When everything works again and stays so. */
  calmAtMs: number
  /** Whether a 402 of that kind is called for. */
  mayRefuse(authorization: Authorization, reason: string | undefined): boolean
  /** Unused so far. */
  nextNonce(name: string): number
  /** How many payments somebody has signed. */
  signedBy(name: string): number
  signed: SignedBook
  /** Whether a reply is stored for it: it is bound to what was asked for then. */
  hasBought(key: string): boolean
  /** Told of an answer that such a header must not get. */
  odd(what: string): void
  trace: Trace
}
/** What one buyer wanted and what became of it. */
export type Purchase = {
  name: string
  kind: 'honest' | 'vanishing'
  productId: ProductId
  query: string
  signed: Authorization[]
  /** Texts of every 200 that arrived, by authorization. */
  received: { key: string; text: string }[]
  /** Answers an honest buyer must never get. */
  insults: string[]
}

const PRODUCTS = ['cheap', 'cheaper', 'dear'] as const
const LIVES_MS = [30_000, 30_000, 60_000, 300_000] as const
const DEATH_STEP_MS = 10_000
/** A blockhash of Solana lives for about this long. */
const BLOCKHASH_MS = [60_000, 90_000] as const
/** More than any run of bad luck needs while faults last. */
const MAX_SIGNATURES = 25
const PATIENCE_MS = 150_000

/** Follows the protocol: the same payment again on 0, 409 and 503, a new one only on 402. */
export async function buyHonestly(world: BuyerWorld, name: string): Promise<Purchase> {
  const purchase = await begin(world, name, 'honest')
  const { timeline, calmAtMs } = world
  let untilMs = Math.max(calmAtMs, timeline.now()) + PATIENCE_MS
  let authorization: Authorization | undefined
  while (timeline.now() < untilMs) {
    authorization ??= await sign(world, purchase)
    // What did not move in time is void only when it has died.
    untilMs = Math.max(untilMs, authorization.diesAtMs + PATIENCE_MS)
    const reply = await send(world, purchase, authorization)
    if (reply.status === 200) {
      // Asking again for what was bought is everybody's right for a day.
      await present(world, purchase, authorization)
      return purchase
    }
    if (reply.status === 402) {
      if (purchase.signed.length >= MAX_SIGNATURES) return purchase
      authorization = undefined
    } else await timeline.sleep(world.random.between(200, 2_500))
  }
  return purchase
}

/** Sends its payment once or twice, is gone, and comes back when all is calm to fetch what it may have paid for. */
export async function buyAndVanish(world: BuyerWorld, name: string): Promise<Purchase> {
  const purchase = await begin(world, name, 'vanishing')
  const { timeline, random, calmAtMs } = world
  const authorization = await sign(world, purchase)
  const visits = random.between(1, 2)
  for (let visit = 0; visit < visits; visit++) {
    void send(world, purchase, authorization)
    await timeline.sleep(random.between(0, 3_000))
  }
  await timeline.sleep(Math.max(0, calmAtMs - timeline.now()) + random.between(0, 20_000))
  await present(world, purchase, authorization)
  return purchase
}

/** The same payment until it gets a final answer. */
async function present(world: BuyerWorld, purchase: Purchase, authorization: Authorization): Promise<void> {
  const { timeline, random, calmAtMs } = world
  while (timeline.now() < Math.max(calmAtMs, authorization.diesAtMs) + PATIENCE_MS) {
    const { status } = await send(world, purchase, authorization)
    if (status === 200 || status === 402) return
    await timeline.sleep(random.between(500, 3_000))
  }
  purchase.insults.push('no final answer')
}

async function begin(world: BuyerWorld, name: string, kind: Purchase['kind']): Promise<Purchase> {
  const { timeline, random, chain } = world
  for (const payer of [evmAddressOf(name), contractWalletOf(name), svmAddressOf(name)])
    chain.fund(payer, 10_000_000)
  const purchase: Purchase = {
    name,
    kind,
    productId: random.pick(PRODUCTS),
    query: `q=${random.between(0, 1)}`,
    signed: [],
    received: [],
    insults: [],
  }
  await timeline.sleep(random.between(0, 3_000))
  return purchase
}

async function send(
  { service, mayRefuse, signedBy }: BuyerWorld,
  { name, productId, query, received, insults }: Purchase,
  authorization: Authorization,
): Promise<HttpReply> {
  const reply = await service.get(productId, query, authorization, name)
  const { key } = authorization
  if (reply.status === 200) received.push({ key, text: reply.text ?? '' })
  const isRefusedForNothing = reply.status === 402 && !mayRefuse(authorization, reply.reason)
  // Who has signed few payments has not failed often, nor left many open.
  const isTurnedAway = reply.status === 429 && signedBy(name) < OPEN_BY_PAYER
  if (reply.status === 500 || reply.reason === 'payment_already_used' || isRefusedForNothing || isTurnedAway)
    insults.push(`${key} ${reply.status} ${reply.reason ?? ''}`)
  return reply
}

const SOLANA_SHARE = 0.07
const CONTRACT_SHARE = 0.1
const V1_SHARE = 0.15

async function sign(world: BuyerWorld, purchase: Purchase): Promise<Authorization> {
  const { random, nextNonce } = world
  const { name, signed, productId } = purchase
  const feePayer = random.chance(SOLANA_SHARE) ? await findFeePayer(world) : undefined
  const authorization = signFor(world, name, PRICES[productId], {
    feePayer,
    isContract: feePayer === undefined && random.chance(CONTRACT_SHARE),
    identifier: random.chance(0.3) ? `identifier-${name}-${nextNonce(`identifiers of ${name}`)}` : undefined,
    version: random.chance(V1_SHARE) ? 1 : 2,
  })
  signed.push(authorization)
  return authorization
}

/** As the 402 names it; without one the buyer pays on EVM. */
async function findFeePayer({ service, timeline }: BuyerWorld): Promise<string | undefined> {
  const TRIES = 5
  for (let tried = 0; tried < TRIES; tried++) {
    const feePayer = service.feePayerOf(SVM)
    if (feePayer !== undefined) return feePayer
    await timeline.sleep(300)
  }
  return undefined
}

type Wishes = {
  feePayer?: string | undefined
  isContract?: boolean
  identifier?: string | undefined
  version?: 1 | 2
  lifeMs?: number
}

export function signFor(
  { timeline, random, nextNonce, signed }: BuyerWorld,
  name: string,
  value: number,
  { lifeMs: wanted, ...wishes }: Wishes = {},
): Authorization {
  const lifeMs =
    wishes.feePayer === undefined
      ? (wanted ?? random.pick(LIVES_MS))
      : random.between(BLOCKHASH_MS[0], BLOCKHASH_MS[1])
  // In few steps, so that most payments have been signed in earlier schedules and need not be signed again.
  const diesAtMs = Math.ceil((timeline.now() + lifeMs) / DEATH_STEP_MS) * DEATH_STEP_MS
  return signed.note(signPayment({ name, nonce: nextNonce(name), value, diesAtMs, ...wishes }))
}
