import type { Authorization } from './authorization.ts'
import { type BuyerWorld, signFor } from './buyers.ts'
import { PRICES, type ProductId } from './service.ts'

const TARGETS: readonly [ProductId, ...ProductId[]] = ['cheap', 'cheap', 'cheaper', 'dear']

/** One small payment, many uses: at once, on other resources, with fields changed, from a purse that is emptied or closed meanwhile. */
export async function steal(world: BuyerWorld, name: string): Promise<void> {
  const { timeline, random, chain } = world
  chain.fund(name, PRICES.cheap)
  await timeline.sleep(random.between(0, 3_000))
  const authorization = signFor(world, name, PRICES.cheap)
  if (random.chance(0.5)) timeline.after(random.between(0, 3_000), () => chain.drain(name))
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
  chain.fund(name, 10_000_000)
  await timeline.sleep(random.between(0, 3_000))
  const identifier = `id-${name}`
  const payments = [0, 1].map(() => signFor(world, name, PRICES.cheap, { identifier }))
  const spreadMs = random.pick([3, 100, 2_000])
  await Promise.all(payments.map((authorization) => use(world, authorization, spreadMs, 'cheap')))
}

async function use(
  { timeline, random, service }: BuyerWorld,
  authorization: Authorization,
  spreadMs: number,
  target: ProductId = random.pick(TARGETS),
): Promise<void> {
  await timeline.sleep(random.between(0, spreadMs))
  const forged = random.chance(0.3) ? tampered(random.between(0, 2), authorization) : authorization
  await service.get(target, `q=${random.between(0, 1)}`, forged)
}

function tampered(way: number, authorization: Authorization): Authorization {
  if (way === 0) return { ...authorization, value: PRICES.dear, isGenuine: false }
  if (way === 1) return { ...authorization, diesAtMs: authorization.diesAtMs + 60_000, isGenuine: false }
  return { ...authorization, nonce: `${authorization.nonce}x`, isGenuine: false }
}
