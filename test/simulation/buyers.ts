import type { Seeded } from '../../src/testing/seeded.ts'
import { type Authorization, EVM, keyOf, PAY_TO, SVM } from './authorization.ts'
import type { SimulatedChain } from './chain.ts'
import { type HttpReply, PRICES, type ProductId, type Service } from './service.ts'
import type { Timeline, Trace } from './timeline.ts'

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
  nextNonce(): string
  trace: Trace
}
/** What one buyer wanted and what became of it. */
export type Purchase = {
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
/** A blockhash of Solana lives for about this long. */
const BLOCKHASH_MS = [60_000, 90_000] as const
/** More than any run of bad luck needs while faults last. */
const MAX_SIGNATURES = 25
const PATIENCE_MS = 150_000

/** Follows the protocol: the same payment again on 0, 409 and 503, a new one only on 402. */
export async function buyHonestly(world: BuyerWorld, name: string): Promise<Purchase> {
  const purchase = await begin(world, name, 'honest')
  const { timeline, calmAtMs } = world
  let authorization: Authorization | undefined
  while (timeline.now() < calmAtMs + PATIENCE_MS) {
    authorization ??= await sign(world, purchase, name)
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
  const authorization = await sign(world, purchase, name)
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
  chain.fund(name, 10_000_000)
  const purchase: Purchase = {
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
  { service, mayRefuse }: BuyerWorld,
  { productId, query, received, insults }: Purchase,
  authorization: Authorization,
): Promise<HttpReply> {
  const reply = await service.get(productId, query, authorization)
  const key = keyOf(authorization)
  if (reply.status === 200) received.push({ key, text: reply.text ?? '' })
  const isRefusedForNothing = reply.status === 402 && !mayRefuse(authorization, reply.reason)
  if (reply.status === 500 || reply.reason === 'payment_already_used' || isRefusedForNothing)
    insults.push(`${key} ${reply.status} ${reply.reason ?? ''}`)
  return reply
}

async function sign(world: BuyerWorld, purchase: Purchase, payer: string): Promise<Authorization> {
  const wantsSolana = world.random.chance(0.25)
  const authorization = signFor(world, payer, PRICES[purchase.productId], {
    feePayer: wantsSolana ? await findFeePayer(world) : undefined,
    identifier: world.random.chance(0.3) ? `id-${payer}-${purchase.signed.length}` : undefined,
  })
  purchase.signed.push(authorization)
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

export function signFor(
  { timeline, random, nextNonce }: BuyerWorld,
  payer: string,
  value: number,
  { feePayer, identifier }: { feePayer?: string | undefined; identifier?: string | undefined } = {},
): Authorization {
  const lifeMs =
    feePayer === undefined ? random.pick(LIVES_MS) : random.between(BLOCKHASH_MS[0], BLOCKHASH_MS[1])
  return {
    network: feePayer === undefined ? EVM : SVM,
    payer,
    nonce: nextNonce(),
    to: PAY_TO,
    value,
    diesAtMs: timeline.now() + lifeMs,
    feePayer,
    isGenuine: true,
    identifier,
  }
}
