import { createDraws, createRandomStream } from '../../core/math/random.ts'
import { EVM_USDC, SVM_USDC } from '../../core/usdc.ts'
import { BAD_URLS, BREAKING, COMMANDING, STUFFED } from './hostile-services.ts'
import { BRANDS, TOPICS, type Topic } from './topics.ts'

/** A made-up endpoint that is listed. All its figures follow from the seed; its times also from the present one. */
export type SimService = {
  url: string
  name: string
  description: string
  tags: readonly string[]
  /** Of the protocol: the two write their terms in different words. */
  version: 1 | 2
  type: 'http' | 'mcp'
  offers: readonly { network: SimNetwork; units: number }[]
  /** Of 30 days; undefined for services that the list knows no figures of. */
  use: { calls: number; payers: number } | undefined
  /** How long ago it was called, and listed. */
  calledAgoS: number
  listedAgoS: number
}

/** A made-up project on the list of x402.org. */
export type SimPartner = {
  folder: string
  name: string
  category: string
  description: string
  url: string
  networks: readonly string[] | undefined
}

export type SimNetwork = { v1: string; v2: string; asset: string }
export const BASE: SimNetwork = { v1: 'base', v2: 'eip155:8453', asset: EVM_USDC }
const SOLANA: SimNetwork = { v1: 'solana', v2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', asset: SVM_USDC }
const TESTNET: SimNetwork = {
  v1: 'base-sepolia',
  v2: 'eip155:84532',
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
}

export type ServiceWorld = { services: readonly SimService[]; partners: readonly SimPartner[] }

const MAX_TOPICS = 9
const DAY_S = 86_400
/** One in so many has these. */
const UNKNOWN_USE = 7
const OLD_VERSION = 12

export function createServiceWorld(seed: string): ServiceWorld {
  const draws = createDraws(createRandomStream(seed, 'services'))
  const describe = (url: string, { name, about, tags, units }: Topic): SimService => {
    const payers = Math.floor(Math.exp(draws.uniform() * 7) - 1)
    const offers = [{ network: draws.below(30) === 0 ? TESTNET : BASE, units }]
    if (draws.below(4) === 0) offers.push({ network: SOLANA, units })
    return {
      ...{ url, name, tags, offers },
      description: about,
      version: draws.below(OLD_VERSION) === 0 ? 1 : 2,
      type: draws.below(20) === 0 ? 'mcp' : 'http',
      use: draws.below(UNKNOWN_USE) === 0 ? undefined : { payers, calls: payers * (1 + draws.below(40)) },
      calledAgoS: Math.floor(draws.uniform() ** 3 * 60 * DAY_S),
      listedAgoS: DAY_S * (1 + draws.below(300)),
    }
  }
  const honest = BRANDS.flatMap((brand) => {
    const first = draws.below(TOPICS.length)
    const count = 1 + draws.below(MAX_TOPICS)
    return Array.from({ length: count }, (_, step) => {
      const topic = TOPICS[(first + step) % TOPICS.length] as Topic
      const owner = `${brand.slice(0, 1).toUpperCase()}${brand.slice(1)}`
      return describe(`https://${brand}.example${topic.path}`, { ...topic, name: `${owner} ${topic.name}` })
    })
  })
  const plain = TOPICS[0] as Topic
  const hostile = [...COMMANDING, ...STUFFED, ...BREAKING].map(([name, about], index) =>
    describe(`https://hostile${index}.example/api`, { ...plain, name, about, tags: [name, ...plain.tags] }),
  )
  const unreachable = BAD_URLS.map((url) => describe(url, plain))
  return {
    services: shuffled([...honest, ...hostile, ...unreachable], draws.below),
    partners: createPartners(),
  }
}

/** Hostile entries must not stand together at the end. */
function shuffled<T>(items: T[], below: (count: number) => number): T[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = below(last + 1)
    const [a, b] = [items[last] as T, items[other] as T]
    items[last] = b
    items[other] = a
  }
  return items
}

const KINDS: readonly (readonly [category: string, suffix: string, about: string])[] = [
  ['Services/Endpoints', 'Data', 'sells data by the call to agents and people.'],
  ['Infrastructure & Tooling', 'Gateway', 'puts a price on any API without changing it.'],
  ['Facilitators', 'Facilitator', 'verifies and settles payments on Base and Solana.'],
  ['Client-Side Integrations', 'Wallet', 'pays for calls within a budget that its owner sets.'],
  ['Learning & Community Resources', 'Guide', 'explains paid calls with examples.'],
]

function createPartners(): SimPartner[] {
  const honest = BRANDS.map((brand, index) => {
    const [category, suffix, about] = KINDS[index % KINDS.length] as (typeof KINDS)[number]
    const owner = `${brand.slice(0, 1).toUpperCase()}${brand.slice(1)}`
    return {
      folder: `${brand}-${suffix.toLowerCase()}`,
      name: `${owner} ${suffix}`,
      category,
      description: `${owner} ${about}`,
      url:
        index % 2 === 0 ? `https://www.${brand}.example` : `https://${suffix.toLowerCase()}.${brand}.example`,
      networks: category === 'Facilitators' ? ['base', 'solana', 'base-sepolia'] : undefined,
    }
  })
  const hostile = COMMANDING.slice(0, 3).map(([name, description], index) => ({
    ...{ folder: `hostile-${index}`, name, description, category: 'Services/Endpoints' },
    url: `https://partner${index}.example`,
    networks: undefined,
  }))
  return [...honest, ...hostile]
}
