import { PRICES } from '../seller/products.ts'
import type { Authorization } from './authorization.ts'
import { type BuyerWorld, signFor } from './buyers.ts'
import { evmAddressOf } from './evm-signer.ts'
import { tamper } from './forgeries.ts'

/** All of them call from one address. */
export const HOSTILE_CLIENT = 'mob'
/** More than a client may fail with in a minute, with those that are under way then. */
const MANY = 100
const SOME = 30
const LIFE_MS = 30_000

/** Payments that lead to nothing, more of them than anybody may send. */
export async function harass(world: BuyerWorld): Promise<void> {
  const { timeline, random } = world
  const spreadMs = random.pick([20, 1_000, 5_000])
  await timeline.sleep(random.between(0, 5_000))
  const payments = random.pick([emptyWallets, oneWallet, openRows, copies, forgeries])(world)
  const send = async (payment: Authorization) => {
    await timeline.sleep(random.between(0, spreadMs))
    await world.service.get('cheap', `q=${random.between(0, 1)}`, payment, HOSTILE_CLIENT)
  }
  await Promise.all(payments.map(send))
}

const sign = (world: BuyerWorld, name: string) => signFor(world, name, PRICES.cheap, { lifeMs: LIFE_MS })
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const emptyWallets = (world: BuyerWorld) => times(MANY, (index) => sign(world, `empty${index}`))

const oneWallet = (world: BuyerWorld) => times(SOME, () => sign(world, 'empty'))

/** Money for one, that is gone when the others are settled. */
function openRows(world: BuyerWorld): Authorization[] {
  const { timeline, random, chain } = world
  const payer = evmAddressOf('spender')
  chain.fund(payer, PRICES.cheap)
  timeline.after(random.between(0, 2_000), () => chain.drain(payer))
  return times(SOME, () => sign(world, 'spender'))
}

/**
 * What others paid with stands on the chain for everybody to see. An authorization that somebody else submits before it
 * has bought anything names no goods and no buyer: it is his who presents it first, and nobody here could tell.
 */
function copies({ signed, random, chain, hasBought }: BuyerWorld): Authorization[] {
  const seen = signed.all().filter(({ key }) => chain.transferOf(key) && hasBought(key))
  const [first, ...rest] = seen
  return first ? times(SOME, () => random.pick([first, ...rest])) : []
}

function forgeries(world: BuyerWorld): Authorization[] {
  const { random, signed } = world
  const own = sign(world, 'empty')
  return times(SOME, () => signed.note(tamper(random, own)))
}
