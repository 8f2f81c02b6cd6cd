import { PRICES, type ProductId } from '../seller/products.ts'
import type { Authorization } from './authorization.ts'
import { type BuyerWorld, signFor } from './buyers.ts'
import { evmAddressOf } from './evm-signer.ts'
import { tamper } from './forgeries.ts'
import { malform } from './malformed.ts'

const TARGETS: readonly [ProductId, ...ProductId[]] = ['cheap', 'cheap', 'cheaper', 'dear']

/** What cannot be paid is asked about until it has died: a long life only makes schedules longer. */
const LIFE_MS = 30_000

/** One small payment, many uses: at once, on other resources, with fields changed, from a purse that is emptied or closed meanwhile. */
export async function steal(world: BuyerWorld, name: string): Promise<void> {
  const { timeline, random, chain } = world
  const payer = evmAddressOf(name)
  chain.fund(payer, PRICES.cheap)
  await timeline.sleep(random.between(0, 3_000))
  const authorization = signFor(world, name, PRICES.cheap, { lifeMs: LIFE_MS })
  if (random.chance(0.5)) timeline.after(random.between(0, 3_000), () => chain.drain(payer))
  else if (random.chance(0.15)) timeline.after(random.between(0, 3_000), () => chain.cancel(authorization))
  const spreadMs = random.pick([3, 100, 2_000])
  const uses = random.between(2, 10)
  await Promise.all(Array.from({ length: uses }, () => use(world, authorization, spreadMs)))
  await timeline.sleep(random.between(1_000, 20_000))
  await use(world, authorization, spreadMs)
}

/** Two payments under one purchase identifier: only one of them may become a purchase. */
export async function reuseIdentifier(world: BuyerWorld, name: string): Promise<void> {
  const { timeline, random, chain } = world
  chain.fund(evmAddressOf(name), 10_000_000)
  await timeline.sleep(random.between(0, 3_000))
  const identifier = `identifier-of-${name}`
  const payments = [0, 1].map(() => signFor(world, name, PRICES.cheap, { identifier }))
  const spreadMs = random.pick([3, 100, 2_000])
  await Promise.all(payments.map((authorization) => use(world, authorization, spreadMs, 'cheap')))
}

async function use(
  world: BuyerWorld,
  authorization: Authorization,
  spreadMs: number,
  target: ProductId = world.random.pick(TARGETS),
): Promise<void> {
  const { timeline, random, service } = world
  await timeline.sleep(random.between(0, spreadMs))
  const query = `q=${random.between(0, 1)}`
  const way = random.fraction()
  if (way < 0.1) return sendMalformed(world, authorization, target, query)
  const sent = way < 0.35 ? world.signed.note(tamper(random, authorization)) : authorization
  await service.get(target, query, sent, 'thief')
}

/** Nothing that cannot be read as a payment, or not in one way only, may have any effect. */
async function sendMalformed(
  { random, service, odd }: BuyerWorld,
  authorization: Authorization,
  target: ProductId,
  query: string,
): Promise<void> {
  const { what, header } = malform(random, authorization)
  const { status, reason } = await service.get(
    target,
    query,
    { ...authorization, header, isGenuine: false },
    'thief',
  )
  if (status !== 402 && status !== 429 && status !== 0) odd(`${what}: ${status} ${reason ?? ''}`)
}
