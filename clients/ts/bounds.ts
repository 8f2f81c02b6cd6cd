import { addressOf, originOf } from './address.ts'
import { TollbookError } from './tollbook-error.ts'
import type { Offer, PaymentRequired } from './x402.ts'

/** A token that is worth a dollar, by its network (CAIP-2) and its contract or mint there. */
export type DollarToken = { network: string; asset: string; decimals: number }

export const USDC: { readonly base: DollarToken; readonly solana: DollarToken } = {
  base: { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', decimals: 6 },
  solana: {
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    decimals: 6,
  },
}

/** What a 402 may ask for. All of it comes from the caller, none from the service. */
export type BoundOptions = {
  baseUrl: string
  /** The most that one call may cost, in dollars; 0.10 by default. */
  maxPriceUsd?: number
  /** What may be paid with; USDC on Base and on Solana by default. */
  assets?: readonly DollarToken[]
  /** The only addresses that are paid; `first`: on each network the one of its first 402. */
  payTo?: readonly string[] | 'first'
  /** How the service names itself where that is not `baseUrl`, behind a proxy; `any` does not compare. */
  publicUrl?: string
}

export type Bounds = {
  /** The terms with only the offers that the caller allows. Throws where none is left. */
  allow(terms: PaymentRequired, askedUrl: string, maxPriceUsd?: number): PaymentRequired
}

const DEFAULT_MAX_PRICE_USD = 0.1
/** So that a payment without an answer is void within the hour, whoever kept it. */
const MAX_GOOD_FOR_S = 3_600
const MICRO = 6

export function createBounds(options: BoundOptions): Bounds {
  const { assets = [USDC.base, USDC.solana], payTo, publicUrl, baseUrl } = options
  const usualMaxUsd = parseMaxPrice(options.maxPriceUsd ?? DEFAULT_MAX_PRICE_USD)
  const firstPaid = new Map<string, string>()

  const isPaidTo = (offer: Offer) => {
    if (payTo === undefined) return true
    const known = payTo === 'first' ? [firstPaid.get(offer.network) ?? offer.payTo] : payTo
    return known.some((address) => isSameAddress(offer.network, address, offer.payTo))
  }
  const findProblem = (offer: Offer, maxUsd: number): string | undefined => {
    if (!isReadable(offer)) return 'its terms cannot be read'
    if (!isPlainTransfer(offer)) return `it wants more than a plain transfer (${offer.scheme})`
    const token = assets.find(({ network, asset }) => isSameToken(offer, network, asset))
    if (!token) return `it asks for ${offer.asset} on ${offer.network}, which assets does not allow`
    if (isAbove(offer.amount, token.decimals, maxUsd))
      return `it costs ${toUsd(offer.amount, token.decimals)} USD on ${offer.network}, and maxPriceUsd is ${maxUsd}`
    if (!isPaidTo(offer))
      return `it is paid to ${offer.payTo} on ${offer.network}, which payTo does not allow`
    if (offer.maxTimeoutSeconds > MAX_GOOD_FOR_S)
      return `its payment would be good for ${offer.maxTimeoutSeconds} s, more than ${MAX_GOOD_FOR_S}`
    return undefined
  }
  return {
    allow(terms, askedUrl, maxPriceUsd) {
      const maxUsd = maxPriceUsd === undefined ? usualMaxUsd : parseMaxPrice(maxPriceUsd)
      const expected = expectedResource(askedUrl, baseUrl, publicUrl)
      if (expected && !isSameResource(terms.resource.url, expected))
        throw notAllowed(otherResource(terms.resource.url, expected), terms)
      const judged = terms.accepts.map((offer) => ({ offer, problem: findProblem(offer, maxUsd) }))
      const accepts = judged.filter(({ problem }) => !problem).map(({ offer }) => offer)
      if (accepts.length === 0) {
        const problems = new Set(judged.map(({ problem }) => problem))
        throw notAllowed([...problems].join('; ') || 'it offers no way to pay', terms)
      }
      for (const { network, payTo } of accepts) if (!firstPaid.has(network)) firstPaid.set(network, payTo)
      return { ...terms, accepts }
    },
  }
}

function parseMaxPrice(usd: number): number {
  if (typeof usd === 'number' && usd >= 0) return usd
  throw new TypeError(
    `maxPriceUsd is a number of dollars, not ${typeof usd === 'string' ? `the text '${usd}'` : usd}`,
  )
}

const notAllowed = (why: string, body: PaymentRequired) =>
  new TollbookError(`nothing was signed: ${why}`, { kind: 'terms', status: 402, body })

/** A 402 comes from outside: its offers need not be what their type says. */
function isReadable(offer: Offer): boolean {
  const { network, asset, payTo, amount, maxTimeoutSeconds } = (offer ?? {}) as Partial<Offer>
  return (
    [network, asset, payTo].every((text) => typeof text === 'string' && text !== '') &&
    typeof amount === 'string' &&
    /^\d{1,40}$/.test(amount) &&
    Number.isFinite(maxTimeoutSeconds)
  )
}

/** Other schemes sign deposits and allowances, which `amount` does not bound. */
function isPlainTransfer({ scheme, extra }: Offer): boolean {
  const method = extra?.assetTransferMethod
  return scheme === 'exact' && (method === undefined || method === 'eip3009')
}

const isSameToken = (offer: Offer, network: string, asset: string) =>
  offer.network === network && isSameAddress(network, offer.asset, asset)

/** Ethereum's addresses are numbers in hex, whose case is a checksum; Solana's tell case apart. */
function isSameAddress(network: string, a: string, b: string): boolean {
  return network.startsWith('eip155:') ? a.toLowerCase() === b.toLowerCase() : a === b
}

function isAbove(amount: string, decimals: number, maxUsd: number): boolean {
  if (maxUsd === Number.POSITIVE_INFINITY) return false
  // To the nearest millionth of a dollar, because 0.0157 * 1e6 is a little less than 15700.
  const maxMicroUsd = BigInt(Math.round(maxUsd * 10 ** MICRO))
  return BigInt(amount) * 10n ** BigInt(MICRO) > maxMicroUsd * 10n ** BigInt(decimals)
}

function toUsd(amount: string, decimals: number): string {
  const digits = amount.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/^0+(?=\d)/, '')
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}

function expectedResource(askedUrl: string, baseUrl: string, publicUrl: string | undefined): URL | undefined {
  if (publicUrl === 'any') return undefined
  if (publicUrl === undefined) return new URL(askedUrl)
  const { pathname, search } = new URL(askedUrl)
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, '')
  const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname
  return new URL(addressOf(publicUrl, `${path}${search}`))
}

/** The same address, with no param that was not asked for. The service leaves out those that only steer the payment. */
function isSameResource(url: string, expected: URL): boolean {
  if (!URL.canParse(url)) return false
  const named = new URL(url)
  return (
    originOf(named) === originOf(expected) &&
    named.pathname === expected.pathname &&
    [...named.searchParams].every(([name, value]) => expected.searchParams.getAll(name).includes(value))
  )
}

function otherResource(url: string, expected: URL): string {
  const way = 'if the service is behind a proxy and names itself so, pass its address as publicUrl'
  return `the 402 is for ${url}, and ${expected.href} was asked for; ${way}`
}
