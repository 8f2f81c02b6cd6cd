import { describe, expect, it } from 'vitest'
import { searchSize } from '../../testing/search-size.ts'
import { type Parser, readText, searchMutations } from '../../testing/upstreams/mutation-search.ts'
import { areRecordedMissing, recordedText } from '../../testing/upstreams/recorded.ts'
import { OWN_REPLIES, PARSERS } from '../../testing/upstreams/token-parsers.ts'

const areMissing = areRecordedMissing()
const TRIES = searchSize('payload-mutations')

/** Keys of our types that may be undefined. */
const OPTIONAL = new Set(
  `decimals coinId dex basePriceUsd priceInQuote quotePriceUsd liquidityUsd fdvUsd marketCapUsd createdAtMs m5 m15 m30 h1 h6 h24
  buys sells buyers sellers reports volume24hUsd change24hPercent lastTradeMs totalSupply websites twitter telegram score
  pool transaction creation info holders isVerified count top10Percent top11To20Percent top21To40Percent updatedAtMs canMint
  canFreeze isHoneypot developer developerPercent baseAmount quoteAmount links buyTax sellTax transferTax cannotBuy
  cannotSellAll canChangeTax canChangeTaxOfOne hasTradingCooldown canPauseTransfers canBlacklist hasWhitelist
  limitsTradeSize canChangeTradeLimit isOpenSource isProxy callsOthers canSelfDestruct hasHiddenOwner
  canTakeBackOwnership canChangeBalances creatorMadeHoneypots isAirdropScam isTrueToken isTrusted isInDex owner
  ownerShare creator creatorShare holderCount lpHolderCount lpHolders label isContract isLocked reason buyGas sellGas risk
  riskLevel couldSell couldNotSell siphoned averageTax highestTax highTaxWallets hasProxyCalls poolLiquidityUsd
  poolCreatedAtMs scoreParts abusesGas worstFlag`.split(/\s+/),
)
/** The price is optional in a token, and what a list of prices is made of. */
const optionalIn = (file: string): ReadonlySet<string> =>
  file.endsWith('/onchain_token.json') ? new Set([...OPTIONAL, 'priceUsd']) : OPTIONAL

const search = (file: string, json: unknown, parse: Parser) =>
  searchMutations({ file, json, parse, optional: optionalIn(file), findFault: findImpossible })

/** Prices of 0 and shares above 1 would be sold as facts. */
function findImpossible(value: unknown): string | undefined {
  let fault: string | undefined
  JSON.stringify(value instanceof Map ? [...value.values()] : value, (key, each) => {
    if (/PriceUsd$|^priceUsd$/.test(key) && each === 0) fault = `${key} is 0`
    if (/Tax$|Share$|^share$/.test(key) && typeof each === 'number' && !(each >= 0 && each <= 1))
      fault = `${key} is ${each}`
    return each instanceof Map ? [...each.values()] : each
  })
  return fault
}

describe('replies about tokens with something wrong in them are read soundly or refused', () => {
  it.each(Object.entries(OWN_REPLIES))('ours: %s', (file, json) => {
    const parse = PARSERS[file]
    if (!parse) throw new Error(`no parser for ${file}`)
    expect(readText(JSON.stringify(json), parse)).toBeDefined()
    const { read, refused } = search(file, json, parse)
    // Both must happen, or the search looks at one side only.
    expect(read).toBeGreaterThan(TRIES / 50)
    expect(refused).toBeGreaterThan(TRIES / 50)
  })

  it.skipIf(areMissing).each(Object.entries(PARSERS))('recorded: %s', (file, parse) => {
    const { read, refused } = search(file, JSON.parse(recordedText(file)), parse)
    expect(read + refused).toBe(TRIES)
  })

  it('the search would notice a price of 0 and a tax in percent', () => {
    const file = 'recorded/dexscreener/tokens_v1.json'
    expect(() => search(file, OWN_REPLIES[file], () => ({ basePriceUsd: 0 }))).toThrow('is 0')
    expect(() => search(file, OWN_REPLIES[file], () => [{ sellTax: 5 }])).toThrow('is 5')
  })
})
