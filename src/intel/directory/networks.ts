import { EVM_USDC, SVM_USDC } from '../../core/usdc.ts'
import type { ListedTerms } from '../../upstreams/bazaar/wire.ts'
import { cleanText } from '../hostile-text.ts'
import type { PriceRange } from './listing.ts'

/** Names of version 1 of the protocol; version 2 writes CAIP-2. */
const CAIP2: ReadonlyMap<string, string> = new Map(
  Object.entries({
    base: 'eip155:8453',
    'base-sepolia': 'eip155:84532',
    ethereum: 'eip155:1',
    optimism: 'eip155:10',
    polygon: 'eip155:137',
    'polygon-amoy': 'eip155:80002',
    arbitrum: 'eip155:42161',
    'arbitrum-sepolia': 'eip155:421614',
    avalanche: 'eip155:43114',
    'avalanche-fuji': 'eip155:43113',
    bsc: 'eip155:56',
    celo: 'eip155:42220',
    solana: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'solana-devnet': 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  }),
)

/** USDC of the networks where it is money; all have six decimals. */
const USDC: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'eip155:8453': EVM_USDC.toLowerCase(),
    'eip155:1': '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
    'eip155:10': '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
    'eip155:137': '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
    'eip155:42161': '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
    'eip155:43114': '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': SVM_USDC.toLowerCase(),
  }),
)
const UNITS_PER_USDC = 1e6
/** Nobody asks this for a call; such a row does not know its units. */
const MAX_PRICE_USDC = 1e6
const MAX_NETWORKS = 12
const NETWORK_CHARS = 60

/** In CAIP-2 where the name is known, else as it is written. */
export const networkOf = (name: string): string =>
  CAIP2.get(name.trim().toLowerCase()) ?? cleanText(name, NETWORK_CHARS)

export function networksOf(names: readonly string[]): string[] {
  return [...new Set(names.map(networkOf))].filter((name) => name !== '').slice(0, MAX_NETWORKS)
}

/** Of the ways to pay in USDC; undefined where there is none, or none says how much. */
export function priceOf(terms: readonly ListedTerms[]): PriceRange | undefined {
  const prices = terms.flatMap(({ network, asset, units }) => {
    const isUsdc = USDC.get(networkOf(network)) === asset.toLowerCase()
    const price = (units ?? Number.NaN) / UNITS_PER_USDC
    return isUsdc && price <= MAX_PRICE_USDC ? [price] : []
  })
  return prices.length === 0 ? undefined : { min: Math.min(...prices), max: Math.max(...prices) }
}
