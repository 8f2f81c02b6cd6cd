import { withoutDisguise } from '../../plain-letters.ts'

/** Symbols that others like to borrow, with the only contract on Base that may bear them. */
const GENUINE: ReadonlyMap<string, string> = new Map([
  ['USDC', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'],
  ['USDBC', '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca'],
  ['USDT', '0xfde4c96c8593536e31f229ea8f37b2ada2699bb2'],
  ['DAI', '0x50c5725949a6f0c72e6c4a641f24049a917db0cb'],
  ['EURC', '0x60a3e35cc302bfa44cb288bc5a4f316fdb1adb42'],
  ['WETH', '0x4200000000000000000000000000000000000006'],
  ['CBETH', '0x2ae3f1ec7f1f5012cfeab0185bfc7aa3cf0dec22'],
  ['CBBTC', '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf'],
  ['WBTC', '0x0555e30da8f98308edb960aa94c0db47230d2b9c'],
])
/** These have no contract on Base: every token of that name is something else. */
const WITHOUT_CONTRACT: ReadonlySet<string> = new Set(['BTC', 'ETH', 'SOL', 'XRP'])

const GENUINE_ADDRESSES: ReadonlySet<string> = new Set(GENUINE.values())

/** Whether it is one of the few contracts whose issuers everybody knows. The address is in lower case. */
export const isGenuine = (address: string): boolean => GENUINE_ADDRESSES.has(address)

/** Nothing that is longer looks like them. */
const READ_CHARS = 200

/** What they are called in full. */
const MONEY_NAMES: readonly (readonly [string, string])[] = [
  ['USD Coin', 'USDC'],
  ['USD Base Coin', 'USDBC'],
  ['Tether', 'USDT'],
  ['Tether USD', 'USDT'],
  ['Dai Stablecoin', 'DAI'],
  ['Euro Coin', 'EURC'],
  ['Wrapped Ether', 'WETH'],
  ['Wrapped Ethereum', 'WETH'],
  ['Coinbase Wrapped Staked ETH', 'CBETH'],
  ['Coinbase Wrapped BTC', 'CBBTC'],
  ['Wrapped BTC', 'WBTC'],
  ['Wrapped Bitcoin', 'WBTC'],
]
/** Honest tokens play with these in their symbols, so they count only as a name. */
const COIN_NAMES: readonly (readonly [string, string])[] = [
  ['Bitcoin', 'BTC'],
  ['Ethereum', 'ETH'],
  ['Solana', 'SOL'],
]

/** Signs that look like another one. Small l and large i look alike, so both are read as i. */
const ALIKE: Readonly<Record<string, string>> = {
  ...{ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' },
  ...{ $: 's', '!': 'i', '|': 'i', l: 'i' },
}
const NOT_A_SIGN = /[^\p{L}\p{N}$!|]/gu
/** Versions and bridged money: `USDC.e`, `USDC2`, `cbBTCv2`. */
const SUFFIX = /(?:v?\d{1,2}|e)$/

const toTable = (entries: Iterable<readonly [string, string]>): ReadonlyMap<string, string> =>
  new Map([...entries].map(([text, known]) => [readAlike(signsOf(text)), known]))
const MONEY = toTable([...[...GENUINE.keys()].map((symbol) => [symbol, symbol] as const), ...MONEY_NAMES])
const COINS = toTable([...WITHOUT_CONTRACT].map((symbol) => [symbol, symbol] as const))
const COINS_IN_FULL = toTable(COIN_NAMES)

/**
 * The known symbol of what this one looks like although the contract is another; undefined for honest ones. The name is
 * looked at as well as the symbol.
 */
export function findImitated(
  address: string,
  symbol: string | undefined,
  name?: string | undefined,
): string | undefined {
  if (isGenuine(address.toLowerCase())) return undefined
  return (
    findMoney(symbol ?? '') ??
    COINS.get(readAlike(signsOf(symbol ?? ''))) ??
    findMoney(name ?? '') ??
    COINS_IN_FULL.get(readAlike(signsOf(name ?? '')))
  )
}

function findMoney(text: string): string | undefined {
  const signs = signsOf(text)
  return MONEY.get(readAlike(signs)) ?? MONEY.get(readAlike(signs.replace(SUFFIX, '')))
}

/** Without case, accents, gaps and invisible signs, in Latin letters. */
function signsOf(text: string): string {
  // A leading dollar sign is how symbols are written, not a letter.
  return withoutDisguise(text.slice(0, READ_CHARS)).replace(NOT_A_SIGN, '').replace(/^\$+/, '')
}

/** What a reader takes it for. */
function readAlike(signs: string): string {
  return Array.from(signs, (sign) => ALIKE[sign] ?? sign).join('')
}
