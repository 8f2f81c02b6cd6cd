import { expect, test } from 'vitest'
import { findImitated } from './imitation.ts'

const OTHER = `0x${'ab'.repeat(20)}`
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

test.each([
  ['USDC', 'USDC'],
  ['usdc', 'USDC'],
  ['$USDC', 'USDC'],
  ['USDС', 'USDC'],
  ['U\u200bSDC', 'USDC'],
  ['U S D C', 'USDC'],
  ['ＵＳＤＣ', 'USDC'],
  ['ÚSDC', 'USDC'],
  ['𝐔𝐒𝐃𝐂', 'USDC'],
  ['USD₮', 'USDT'],
  ['WEТH', 'WETH'],
  ['cbBTC', 'CBBTC'],
  ['WBTC', 'WBTC'],
  ['ΕTH', 'ETH'],
  ['BTC', 'BTC'],
  ...Array.from(
    ['USDϹ', 'USDꓚ', 'ՍSDC', 'U5DC', 'USDꮯ', 'ꓴꓢꓓꓚ', 'ᑌSDC', 'ɄSDC', 'USĐC', 'USDᴄ', 'ᴜsᴅᴄ', 'USⅮC'],
    (text) => [text, 'USDC'],
  ),
  ...Array.from(['WEᎢH', 'ᏔETH', 'WΕΤΗ', 'ꓪETH', 'W3TH'], (text) => [text, 'WETH']),
  ...Array.from(['USDC.e', 'USDCe', 'USDC2', 'USDCv2', 'USDCoin'], (text) => [text, 'USDC']),
  ['DAl', 'DAI'],
  ['DA1', 'DAI'],
  ['EURϹ', 'EURC'],
  ['CBΒTC', 'CBBTC'],
  ['cbBTCv2', 'CBBTC'],
  ['cbЕТH', 'CBETH'],
  ['USDT0', 'USDT'],
  ['SΟL', 'SOL'],
  ['S0L', 'SOL'],
  ['SOĿ', 'SOL'],
  ['ХRР', 'XRP'],
  ['BᎢC', 'BTC'],
])('%s looks like %s', (symbol, known) => {
  expect(findImitated(OTHER, symbol)).toBe(known)
})

test.each([
  ['USD Coin', 'USDC'],
  ['UЅD  Coin', 'USDC'],
  ['USD Coin v2', 'USDC'],
  ['Tether USD', 'USDT'],
  ['Dai Stablecoin', 'DAI'],
  ['Coinbase Wrapped BTC', 'CBBTC'],
  ['Ethereum', 'ETH'],
])('the name %s is that of %s', (name, known) => {
  expect(findImitated(OTHER, 'CUP', name)).toBe(known)
})
test.each(['Coinbase', 'Dai Hards', 'Ethereum Classic Coffee', 'Bitcoin Cup', 'Base'])(
  'the name %s is nobody else’s',
  (name) => {
    expect(findImitated(OTHER, 'CUP', name)).toBeUndefined()
  },
)

test('the genuine contract may bear its name, in any case of its address', () => {
  expect(findImitated(USDC, 'USDC')).toBeUndefined()
  expect(findImitated(USDC.toLowerCase(), 'USDC')).toBeUndefined()
})

test.each([
  ...[
    'CUP',
    'USDCOFFEE',
    'aUSDC',
    '',
    'DOGE',
    '​',
    'USDe',
    'USD',
    'AERO',
    'cbXRP',
    'VIRTUAL',
    'wstETH',
    'BITCOIN',
    'SOLE',
  ],
])('%j is nobody else', (symbol) => {
  expect(findImitated(OTHER, symbol)).toBeUndefined()
})
test('no symbol imitates nobody', () => {
  expect(findImitated(OTHER, undefined)).toBeUndefined()
})

test('wrapped bitcoin of its own issuer is no imitation', () => {
  expect(findImitated('0x0555E30da8f98308EdB960aa94C0Db47230d2B9c', 'WBTC', 'Wrapped BTC')).toBeUndefined()
})
