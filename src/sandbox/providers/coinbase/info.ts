import { COINS, type Coin } from '../../../core/coin.ts'
import { decimalText } from '../../market/instrument.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'

const NAMES: Readonly<Record<Coin, string>> = { BTC: 'Bitcoin', ETH: 'Ether', SOL: 'Solana', XRP: 'XRP' }

export function coinbaseProduct(market: SimulatedMarket, coin: Coin) {
  const { symbol, priceDecimals, sizeDecimals } = market.instrument('coinbase', coin)
  return {
    id: symbol,
    base_currency: coin,
    quote_currency: 'USD',
    quote_increment: decimalText(1, priceDecimals),
    base_increment: decimalText(1, sizeDecimals),
    display_name: symbol,
    min_market_funds: '1',
    margin_enabled: false,
    post_only: false,
    limit_only: false,
    cancel_only: false,
    status: 'online',
    status_message: '',
    trading_disabled: false,
    fx_stablecoin: false,
    max_slippage_percentage: '0.02000000',
    auction_mode: false,
    high_bid_limit_percentage: '',
  }
}

export function coinbaseCurrencies() {
  const currency = (id: string, name: string, decimals: number) => ({
    id,
    name,
    min_size: decimalText(1, decimals),
    status: 'online',
    message: '',
    max_precision: decimalText(1, decimals),
    convertible_to: [],
    details: { type: id === 'USD' ? 'fiat' : 'crypto' },
    default_network: '',
    supported_networks: [],
  })
  return [...COINS.map((coin) => currency(coin, NAMES[coin], 8)), currency('USD', 'United States Dollar', 2)]
}
