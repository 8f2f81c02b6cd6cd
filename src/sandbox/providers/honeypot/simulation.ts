import { getAddress } from 'viem'
import type { SimPool, SimToken } from '../../tokens/token-world.ts'
import { rounded } from '../decimal-text.ts'
import type { LivePool, TokenMarket } from '../token-market.ts'

/** Holders whose sale is tried. Of tokens that so many hold it tries none. */
const HOLDERS_TRIED = 200
const TOO_MANY_HOLDERS = 1_000_000
const ROUTER = '0x2626664c2603336E57B271c5C0b26F421741e481'
const BUY_GAS = 176_752
const SELL_GAS = 137_663
/** Below this nothing can be bought, and so nothing be tried. */
const LEAST_LIQUIDITY_USD = 50

const TYPES: Readonly<Record<SimPool['dex'], { name: string; type: string }>> = {
  'uniswap-v3-base': { name: 'Uniswap V3', type: 'UniswapV3' },
  'uniswap-v4-base': { name: 'Uniswap V4', type: 'UniswapV4' },
  'aerodrome-slipstream': { name: 'Aerodrome', type: 'UniswapV3' },
}

/** A purchase and a sale in the given pool, as honeypot.is writes what it saw. Taxes are in percent. */
export function toSimulation(token: SimToken, live: LivePool, market: TokenMarket) {
  const { pool, state } = live
  const { isOpenSource, isProxy } = token.traits
  const holderCount = market.world.holderCount(token.address, market.nowMs())
  const canTry = state.liquidityUsd >= LEAST_LIQUIDITY_USD
  const other = token.address === live.base.address ? live.quote : live.base
  const flags = flagsOf(token)
  return {
    token: { ...toToken(token), totalHolders: holderCount },
    withToken: { ...toToken(other), totalHolders: market.world.holderCount(other.address, market.nowMs()) },
    summary: canTry ? { ...riskOf(token), flags } : { risk: 'unknown', riskLevel: 0, flags },
    simulationSuccess: canTry,
    ...(canTry ? resultsOf(token, holderCount) : { simulationError: 'execution reverted: no liquidity' }),
    flags: flags.map(({ flag }) => flag),
    contractCode: { openSource: isOpenSource, rootOpenSource: isOpenSource, isProxy, hasProxyCalls: false },
    chain: { id: '8453', name: 'Base', shortName: 'base', currency: 'ETH' },
    router: ROUTER,
    pair: {
      pair: {
        name: `${TYPES[pool.dex].name}: ${live.base.symbol}-${live.quote.symbol}`,
        address: getAddress(pool.id),
        token0: getAddress(live.base.address),
        token1: getAddress(live.quote.address),
        type: TYPES[pool.dex].type,
      },
      chainId: '8453',
      ...reservesOf(live),
      liquidity: state.liquidityUsd,
      router: ROUTER,
      createdAtTimestamp: String(Math.floor(pool.createdMs / 1000)),
    },
    pairAddress: getAddress(pool.id),
  }
}

const REFUSED = { isHoneypot: true, honeypotReason: 'execution reverted: transfer refused' }

function resultsOf({ traits }: SimToken, holderCount: number) {
  const [buyTax, sellTax] = [percent(traits.buyTax), traits.isHoneypot ? 100 : percent(traits.sellTax)]
  const tried = Math.min(HOLDERS_TRIED, holderCount)
  const failed = traits.isHoneypot ? tried : 0
  return {
    honeypotResult: traits.isHoneypot ? REFUSED : { isHoneypot: false },
    simulationResult: {
      buyTax,
      sellTax,
      transferTax: 0,
      buyGas: String(BUY_GAS),
      sellGas: String(traits.isHoneypot ? 0 : SELL_GAS),
    },
    ...(holderCount <= TOO_MANY_HOLDERS && {
      holderAnalysis: {
        holders: String(tried),
        successful: String(tried - failed),
        failed: String(failed),
        siphoned: '0',
        averageTax: traits.isHoneypot ? 0 : sellTax,
        averageGas: SELL_GAS,
        highestTax: traits.isHoneypot ? 0 : sellTax,
        highTaxWallets: String(sellTax > HIGH_TAX && !traits.isHoneypot ? tried : 0),
        taxDistribution: [{ tax: Math.round(sellTax), count: tried }],
      },
    }),
  }
}

const HIGH_TAX = 25
const NOTABLE_TAX = 5

function riskOf({ traits }: SimToken) {
  const worst = percent(Math.max(traits.buyTax, traits.sellTax))
  if (traits.isHoneypot) return { risk: 'honeypot', riskLevel: 100 }
  if (worst > HIGH_TAX) return { risk: 'very_high', riskLevel: 90 }
  if (!traits.isOpenSource) return { risk: 'medium', riskLevel: 40 }
  return worst > NOTABLE_TAX ? { risk: 'medium', riskLevel: 30 } : { risk: 'low', riskLevel: 1 }
}

function flagsOf({ traits }: SimToken) {
  const worst = percent(Math.max(traits.buyTax, traits.sellTax))
  const flags = [
    {
      isSet: worst > HIGH_TAX,
      flag: 'EXTREMELY_HIGH_TAXES',
      description: 'Taxes are very high.',
      severityIndex: 16,
    },
    {
      isSet: worst > NOTABLE_TAX && worst <= HIGH_TAX,
      flag: 'medium_tax',
      description: 'Taxes are high.',
      severityIndex: 8,
    },
    {
      isSet: !traits.isOpenSource,
      flag: 'CLOSED_SOURCE',
      description: 'The source is not public.',
      severityIndex: 12,
    },
  ]
  return flags
    .filter(({ isSet }) => isSet)
    .map(({ flag, description, severityIndex }) => ({
      flag,
      description,
      severity: severityIndex >= 16 ? 'high' : severityIndex >= 12 ? 'medium' : 'low',
      severityIndex,
    }))
}

/** Half of the pool is in each token. */
function reservesOf({ state, base, quote, quotePriceUsd }: LivePool) {
  const units = (priceUsd: number, decimals: number) =>
    BigInt(Math.floor((state.liquidityUsd / 2 / priceUsd) * 10 ** decimals)).toString()
  return {
    reserves0: units(state.priceUsd, base.decimals),
    reserves1: units(quotePriceUsd, quote.decimals),
  }
}

const percent = (share: number) => rounded(share * 100, 4)
const toToken = ({ name, symbol, decimals, address }: SimToken) => ({
  name,
  symbol,
  decimals,
  address: getAddress(address),
})
