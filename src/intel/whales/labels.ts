import type { Chain, FindExchange } from './transfer.ts'

/**
 * Wallets of exchanges that the public can check. It is a short list on purpose: an address whose owner is disputed
 * would turn a transfer into a flow that there was not. What is not on it counts as nobody's.
 *
 * Where each was found, all in lists that others keep by what exchanges publish and explorers label:
 * - Bitcoin: DefiLlama-Adapters, `helper/bitcoin-book`.
 * - Base, Binance: duneanalytics/spellbook, `cex_evms_addresses`; some careless lists take it for Coinbase's.
 * - Base, Bybit: DefiLlama-Adapters for the first one, on several chains; several copies of Etherscan's labels for the
 *   second.
 * - Base, Gate.io: DefiLlama-Adapters, for Base.
 * - Base, KuCoin and Crypto.com: copies of Etherscan's labels; the latter is also in DefiLlama-Adapters, for Ethereum.
 * These are accounts: who holds the key on one EVM chain holds it on all.
 */
const WALLETS: Readonly<Record<Chain, Readonly<Record<string, readonly string[]>>>> = {
  bitcoin: {
    Binance: [
      '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo',
      '3M219KR5vEneNb47ewrPfWyb5jQ2DjxRP6',
      'bc1qm34lsc65zpw79lxes69zkqmk6ee3ewf0j77s3h',
      '3LQUu4v9z6KNch71j7kbj8GPeAGUo1FW6a',
      '3FHNBLobJnbCTFTVakh5TXmEneyf5PT61B',
      '39884E3j6KZj82FK4vcCrkUvWYL5MQaS3v',
    ],
    Bitfinex: [
      '1Kr6QSydW9bFQG1mXiPNNu6WpJGmUa9i1g',
      '3JZq4atUahhuA9rLhXLMhhTo133J9rF97j',
      'bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97',
    ],
  },
  base: {
    Binance: ['0x3304e22ddaa22bcdc5fca2269b418046ae7b566a'],
    Bybit: ['0xf89d7b9c864f589bbf53a82105107622b35eaa40', '0xbaed383ede0e5d9d72430661f3285daa77e9439f'],
    'Gate.io': ['0x0d0707963952f2fba59dd06f2b425ace40b492fe', '0xc882b111a75c0c657fc507c04fbfcd2cc984f071'],
    KuCoin: ['0xd6216fc19db775df9774a6e33526131da7d19a2c'],
    'Crypto.com': ['0x6262998ced04146fa42253a5c0af90ca02dfd2a3'],
  },
}

export const findPublicExchange: FindExchange = createFindExchange(WALLETS)

/** Bitcoin addresses mean their case; those of Base do not. */
export function createFindExchange(
  wallets: Readonly<Record<Chain, Readonly<Record<string, readonly string[]>>>>,
): FindExchange {
  const byAddress = new Map<string, string>()
  for (const [chain, exchanges] of Object.entries(wallets))
    for (const [exchange, addresses] of Object.entries(exchanges))
      for (const address of addresses) byAddress.set(keyOf(chain as Chain, address), exchange)
  return (chain, address) => byAddress.get(keyOf(chain, address))
}

function keyOf(chain: Chain, address: string): string {
  return `${chain}/${chain === 'base' ? address.toLowerCase() : address}`
}
