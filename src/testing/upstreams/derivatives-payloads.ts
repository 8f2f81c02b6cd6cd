import { HOUR_MS } from '../../core/time/time.ts'

export const AT_MS = Date.UTC(2026, 4, 6, 13)
const NEXT_MS = AT_MS + 3 * HOUR_MS
const bybit = (result: unknown) => ({ retCode: 0, retMsg: 'OK', result, retExtInfo: {}, time: AT_MS })
const okx = (data: unknown) => ({ code: '0', msg: '', data })
const premium = (symbol: string, rate: string) => ({
  symbol,
  markPrice: '90100.50000000',
  indexPrice: '90090.10000000',
  estimatedSettlePrice: '90091.00000000',
  lastFundingRate: rate,
  interestRate: '0.00010000',
  nextFundingTime: NEXT_MS,
  time: AT_MS,
})
const context = (funding: string, openInterest: string, markPx: string) => ({
  funding,
  openInterest,
  prevDayPx: markPx,
  dayNtlVlm: '1500000000.5',
  premium: null,
  oraclePx: markPx,
  markPx,
  midPx: null,
  impactPxs: null,
  dayBaseVlm: '16000.1',
})

/** Payloads of our own making in the format of each venue. */
export const OWN_PAYLOADS: Readonly<Record<string, unknown>> = {
  'binance premiumIndex': [
    // A delivery contract has no funding.
    { ...premium('BTCUSDT_260626', ''), nextFundingTime: 0 },
    premium('BTCUSDT', '0.00007500'),
    premium('ETHUSDT', '-0.00012000'),
  ],
  'binance openInterest': { symbol: 'BTCUSDT', openInterest: '91000.250', time: AT_MS },
  'binance ticker': {
    symbol: 'BTCUSDT',
    quoteVolume: '12500000000.75',
    volume: '138000.1',
    lastPrice: '90100.5',
  },
  'binance fundingInfo': [
    { symbol: 'LPTUSDT', fundingIntervalHours: 4, adjustedFundingRateCap: '0.02', disclaimer: false },
    { symbol: 'XRPUSDT', fundingIntervalHours: 4, adjustedFundingRateCap: '0.02', disclaimer: false },
  ],
  'binance fundingRate': [
    {
      symbol: 'BTCUSDT',
      fundingTime: AT_MS,
      fundingRate: '0.00005',
      markPrice: '90000',
      rateType: 'Regular',
    },
    { symbol: 'BTCUSDT', fundingTime: NEXT_MS, fundingRate: '-0.00001', markPrice: '', rateType: 'Regular' },
  ],
  'binance openInterestHist': [
    { symbol: 'BTCUSDT', sumOpenInterest: '90500.5', sumOpenInterestValue: '8100000000', timestamp: AT_MS },
  ],
  'binance frame': {
    stream: 'btcusdt@forceOrder',
    data: {
      e: 'forceOrder',
      E: AT_MS,
      o: {
        s: 'BTCUSDT',
        S: 'SELL',
        o: 'LIMIT',
        f: 'IOC',
        q: '0.500',
        p: '89500.00',
        ap: '89600.00',
        X: 'FILLED',
        l: '0.100',
        z: '0.400',
        T: AT_MS,
      },
    },
  },
  'bybit tickers': bybit({
    category: 'linear',
    list: [
      {
        symbol: 'BTCUSDT',
        markPrice: '90095.10',
        indexPrice: '90090.00',
        fundingRate: '0.00004',
        nextFundingTime: String(NEXT_MS),
        fundingIntervalHour: '8',
        openInterest: '60000.000',
        openInterestValue: '5405706000.00',
        singleOpenInterest: '30000.000',
        turnover24h: '6000000000.25',
      },
      {
        symbol: 'XRPUSDT',
        markPrice: '2.1',
        fundingRate: '0.0001',
        nextFundingTime: String(NEXT_MS),
        fundingIntervalHour: '4',
        openInterest: '200000000',
        turnover24h: '',
      },
    ],
  }),
  'bybit fundings': bybit({
    list: [{ symbol: 'BTCUSDT', fundingRate: '0.00003', fundingRateTimestamp: String(AT_MS) }],
  }),
  'bybit openInterest': bybit({
    list: [
      { openInterest: '60000.5', singleOpenInterest: '30000.25', timestamp: String(AT_MS) },
      { openInterest: '61000', timestamp: String(AT_MS - HOUR_MS) },
    ],
  }),
  'bybit frame': {
    topic: 'allLiquidation.ETHUSDT',
    type: 'snapshot',
    ts: AT_MS,
    data: [{ T: AT_MS, s: 'ETHUSDT', S: 'Buy', v: '12.5', p: '3000.10' }],
  },
  'okx fundings': okx([
    {
      instId: 'SOL-USDT-SWAP',
      instType: 'SWAP',
      fundingRate: '0.0002',
      fundingTime: String(NEXT_MS),
      nextFundingRate: '',
      nextFundingTime: String(NEXT_MS + 4 * HOUR_MS),
      ts: String(AT_MS),
    },
  ]),
  'okx openInterest': okx([
    {
      instId: 'SOL-USDT-SWAP',
      instType: 'SWAP',
      oi: '3000000',
      oiCcy: '3000000',
      oiUsd: '480000000',
      ts: `${AT_MS}`,
    },
    {
      instId: 'BTC-USDT-SWAP',
      instType: 'SWAP',
      oi: '2500000.5',
      oiCcy: '25000.005',
      oiUsd: '',
      ts: `${AT_MS}`,
    },
  ]),
  'okx mark prices': okx([{ instType: 'SWAP', instId: 'SOL-USDT-SWAP', markPx: '160.25', ts: `${AT_MS}` }]),
  'okx tickers': okx([{ instType: 'SWAP', instId: 'SOL-USDT-SWAP', last: '160.2', volCcy24h: '9000000.5' }]),
  'okx past fundings': okx([
    { instId: 'SOL-USDT-SWAP', fundingRate: '0.00012', realizedRate: '0.00011', fundingTime: `${AT_MS}` },
  ]),
  'okx past openInterest': okx([[`${AT_MS}`, '3000000', '3000000', '480000000']]),
  'okx frame': {
    arg: { channel: 'liquidation-orders', instType: 'SWAP' },
    data: [
      {
        instId: 'BTC-USDT-SWAP',
        instType: 'SWAP',
        instFamily: 'BTC-USDT',
        uly: 'BTC-USDT',
        details: [
          { side: 'buy', posSide: 'short', bkPx: '91000.5', sz: '130', bkLoss: '0', ccy: '', ts: `${AT_MS}` },
          { side: 'sell', posSide: 'net', bkPx: '90000', sz: '10', bkLoss: '0', ccy: '', ts: `${AT_MS}` },
        ],
      },
    ],
  },
  'hyperliquid contexts': [
    {
      universe: [
        { szDecimals: 5, name: 'BTC', maxLeverage: 40 },
        { szDecimals: 4, name: 'ETH', maxLeverage: 25 },
        { szDecimals: 0, name: 'kPEPE', maxLeverage: 10 },
      ],
      marginTables: [],
    },
    [
      context('0.0000125', '27000.5', '90110.0'),
      context('-0.000005', '600000.25', '3001.5'),
      context('0.0', '1', '0.01'),
    ],
  ],
  'hyperliquid fundings': [
    { coin: 'BTC', fundingRate: '0.0000125', premium: '0.0003', time: AT_MS + 48 },
    { coin: 'BTC', fundingRate: '0.00001', time: AT_MS + HOUR_MS },
  ],
}
