// Replies of our own in the shape of those of GeckoTerminal, DexScreener, GoPlus and honeypot.is.

type Fields = Readonly<Record<string, unknown>>

export const TOKEN = `0x${'7a'.repeat(20)}`
export const OTHER_TOKEN = `0x${'1b'.repeat(20)}`
export const WETH = '0x4200000000000000000000000000000000000006'
export const V4_POOL = `0x${'3c'.repeat(32)}`
export const PAIR = `0x${'5d'.repeat(20)}`
const HOLDER = `0x${'9e'.repeat(20)}`
const CREATED_S = 1_790_000_000

const each = <T>(of: T) => ({ m5: of, m15: of, m30: of, h1: of, h6: of, h24: of })

export const geckoPool = (attributes: Fields = {}): Fields => ({
  id: `base_${V4_POOL}`,
  type: 'pool',
  attributes: {
    base_token_price_usd: '0.0004212345678901234567890123456789',
    base_token_price_native_currency: 'NaN',
    quote_token_price_usd: '3120.55',
    base_token_price_quote_token: null,
    address: V4_POOL,
    name: 'PUFFIN / WETH',
    pool_created_at: '2026-09-21T16:53:20Z',
    fdv_usd: '421234.5',
    market_cap_usd: null,
    price_change_percentage: { ...each('1.25'), h24: '-12.5' },
    transactions: each({ buys: 4, sells: 3, buyers: 3, sellers: 2 }),
    volume_usd: { ...each('120.5'), h24: '90123.75' },
    reserve_in_usd: '54000.25',
    community_sus_report: 1,
    ...attributes,
  },
  relationships: {
    base_token: { data: { id: `base_${TOKEN}`, type: 'token' } },
    quote_token: { data: { id: `base_${WETH}`, type: 'token' } },
    dex: { data: { id: 'uniswap-v4-base', type: 'dex' } },
  },
})
const geckoNames = (address: string, symbol: string, decimals: number) => ({
  address,
  name: `${symbol} of ours`,
  symbol,
  decimals,
  image_url: 'missing.png',
  coingecko_coin_id: null,
})
const included = [
  { id: `base_${TOKEN}`, type: 'token', attributes: geckoNames(TOKEN, 'PUFFIN', 18) },
  { id: `base_${WETH}`, type: 'token', attributes: geckoNames(WETH, 'WETH', 18) },
  { id: 'uniswap-v4-base', type: 'dex', attributes: { name: 'Uniswap V4 (Base)' } },
]
export const geckoPools = (pools: readonly Fields[] = [geckoPool(), geckoPool({ name: '' })]): Fields => ({
  data: pools,
  included,
})
export const geckoPrices = (attributes: Fields = {}): Fields => ({
  data: {
    id: 'a-reply',
    type: 'simple_token_price',
    attributes: {
      token_prices: { [TOKEN]: '0.00042', [OTHER_TOKEN]: null },
      market_cap_usd: { [TOKEN]: null },
      h24_volume_usd: { [TOKEN]: '90123.75' },
      h24_price_change_percentage: { [TOKEN]: '-12.5' },
      total_reserve_in_usd: { [TOKEN]: '54000.25' },
      last_trade_timestamp: { [TOKEN]: String(CREATED_S) },
      ...attributes,
    },
  },
})
export const geckoToken = (attributes: Fields = {}): Fields => ({
  data: {
    id: `base_${TOKEN}`,
    type: 'token',
    attributes: {
      ...geckoNames(TOKEN, 'PUFFIN', 18),
      total_supply: '1000000000000000000000000000.0',
      normalized_total_supply: '1000000000.0',
      price_usd: '0.00042',
      fdv_usd: '420000',
      total_reserve_in_usd: '54000.25',
      volume_usd: { h24: '90123.75' },
      market_cap_usd: null,
      ...attributes,
    },
    relationships: { top_pools: { data: [{ id: `base_${V4_POOL}`, type: 'pool' }] } },
  },
})
export const geckoInfo = (attributes: Fields = {}): Fields => ({
  data: {
    id: `base_${TOKEN}`,
    type: 'token',
    attributes: {
      ...geckoNames(TOKEN, 'PUFFIN', 18),
      websites: ['https://puffin.example'],
      twitter_handle: 'puffin',
      telegram_handle: null,
      description: 'A bird.',
      gt_score: 61.25,
      gt_score_details: { pool: 70, transaction: 50, creation: 60, info: 40, holders: 86.25 },
      gt_verified: false,
      categories: ['Meme'],
      holders: {
        count: 1200,
        distribution_percentage: { top_10: '40.5', '11_20': '10', '21_40': '8.25', rest: '41.25' },
        last_updated: '2026-09-22T10:00:00Z',
      },
      mint_authority: null,
      freeze_authority: 'no',
      is_honeypot: 'unknown',
      developer_address: HOLDER,
      developer_holding_percentage: '2.5',
      ...attributes,
    },
  },
})
export const geckoCandles = (
  list: readonly unknown[] = [
    [CREATED_S + 120, 0.00041, 0.00043, 0.00041, 0.00042, 310.5],
    [CREATED_S + 60, '0.0004', 0.00041, 4e-4, 0.00041, 12],
  ],
): Fields => ({
  data: { id: 'a-reply', type: 'ohlcv_request_response', attributes: { ohlcv_list: list } },
  meta: { base: { address: TOKEN }, quote: { address: WETH } },
})

export const dexPair = (changed: Fields = {}): Fields => ({
  chainId: 'base',
  dexId: 'uniswap',
  url: `https://dexscreener.com/base/${PAIR}`,
  pairAddress: PAIR,
  labels: ['v3'],
  baseToken: { address: TOKEN, name: 'Puffin', symbol: 'PUFFIN' },
  quoteToken: { address: WETH, name: 'Wrapped Ether', symbol: 'WETH' },
  priceNative: '0.0000001345',
  priceUsd: '0.00042',
  txns: {
    m5: { buys: 0, sells: 0 },
    h1: { buys: 5, sells: 4 },
    h6: { buys: 20, sells: 9 },
    h24: { buys: 61, sells: 40 },
  },
  volume: { h24: 90123.75, h6: 2000.5, h1: 310, m5: 0 },
  priceChange: { h1: 1.25, h6: -3, h24: -12.5 },
  liquidity: { usd: 54000.25, base: 64_285_000, quote: 8.6523 },
  fdv: 420_000,
  marketCap: 420_000,
  pairCreatedAt: CREATED_S * 1000,
  info: { websites: [{ url: 'https://puffin.example', label: 'Website' }], socials: [] },
  ...changed,
})

export const security = (changed: Fields = {}): Fields => ({
  buy_tax: '0.05',
  sell_tax: '',
  cannot_sell_all: '0',
  can_take_back_ownership: '0',
  creator_address: HOLDER,
  creator_percent: '0.025000',
  hidden_owner: '0',
  holder_count: '1200',
  holders: [
    { address: HOLDER, tag: 'team', is_contract: 0, balance: '25000000', percent: '0.025', is_locked: 0 },
    { address: PAIR, tag: '', is_contract: 1, balance: '60000000', percent: '0.06', is_locked: 0 },
  ],
  lp_holder_count: '1',
  lp_holders: [{ address: HOLDER, tag: '', is_contract: 0, balance: '1', percent: '1.000', is_locked: 1 }],
  dex: [{ liquidity_type: 'UniV3', name: 'UniswapV3', liquidity: '54000.25', pair: PAIR }],
  is_blacklisted: '1',
  is_honeypot: '0',
  is_in_dex: '1',
  is_mintable: '1',
  is_open_source: '1',
  is_proxy: '0',
  owner_address: HOLDER,
  owner_percent: '0.025000',
  token_name: 'Puffin',
  token_symbol: 'PUFFIN',
  total_supply: '1000000000',
  ...changed,
})
export const securityReply = (tokens: Fields = { [TOKEN]: security() }, envelope: Fields = {}): Fields => ({
  code: 1,
  message: 'OK',
  result: tokens,
  ...envelope,
})

export const simulation = (changed: Fields = {}): Fields => ({
  token: { name: 'Puffin', symbol: 'PUFFIN', decimals: 18, address: TOKEN, totalHolders: 1200 },
  withToken: { name: 'Wrapped Ether', symbol: 'WETH', decimals: 18, address: WETH, totalHolders: 5 },
  summary: {
    risk: 'medium',
    riskLevel: 30,
    flags: [{ flag: 'medium_tax', description: 'Taxes.', severity: 'medium', severityIndex: 8 }],
  },
  simulationSuccess: true,
  honeypotResult: { isHoneypot: false },
  simulationResult: { buyTax: 5, sellTax: 12.5, transferTax: 0, buyGas: '176000', sellGas: '137000' },
  holderAnalysis: {
    holders: '60',
    successful: '58',
    failed: '2',
    siphoned: '0',
    averageTax: 12.5,
    averageGas: 137_000,
    highestTax: 25,
    highTaxWallets: '1',
    taxDistribution: [{ tax: 12, count: 58 }],
  },
  flags: ['medium_tax'],
  contractCode: { openSource: true, rootOpenSource: true, isProxy: false, hasProxyCalls: false },
  chain: { id: '8453', name: 'Base', shortName: 'base', currency: 'ETH' },
  pair: {
    pair: { name: 'Uniswap V3: PUFFIN-WETH', address: PAIR, token0: TOKEN, token1: WETH, type: 'UniswapV3' },
    chainId: '8453',
    liquidity: 54000.25,
    createdAtTimestamp: String(CREATED_S),
  },
  pairAddress: PAIR,
  ...changed,
})
