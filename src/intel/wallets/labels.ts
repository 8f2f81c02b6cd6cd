import { shownName } from '../tokens/shown-name.ts'

/** As whole words; signs such as `_` and digits end a word: `Fake_Phishing123`. */
const SCAM_WORDS =
  /(?<![a-z])(?:phish(?:ing|er)?|scam(?:mer)?|drainer|hack(?:er)?|exploit(?:er)?|rug ?pull|heist|stolen)s?(?![a-z])/i
/** Names under which the exchanges' own wallets are labelled, at the beginning of the label. */
const EXCHANGES: readonly (readonly [RegExp, string])[] = [
  [/^coinbase\b/i, 'Coinbase'],
  [/^binance\b/i, 'Binance'],
  [/^bybit\b/i, 'Bybit'],
  [/^okx\b/i, 'OKX'],
  [/^kraken\b/i, 'Kraken'],
  [/^kucoin\b/i, 'KuCoin'],
  [/^gate\.io\b/i, 'Gate.io'],
  [/^crypto\.com\b/i, 'Crypto.com'],
  [/^bitget\b/i, 'Bitget'],
  [/^mexc\b/i, 'MEXC'],
  [/^htx\b/i, 'HTX'],
  [/^gemini\b/i, 'Gemini'],
  [/^bitfinex\b/i, 'Bitfinex'],
]

/** Only of labels that the explorer gives: a contract chooses its own name, and may choose that of an exchange. */
export const exchangeOf = (label: string | undefined): string | undefined =>
  label === undefined ? undefined : EXCHANGES.find(([pattern]) => pattern.test(label))?.[1]

/** Cleaned for showing; undefined where nothing can be seen of it, or it speaks to models. */
export const shownLabel = (label: string | undefined): string | undefined =>
  shownName({ name: label, symbol: undefined }).name

type Labelled = {
  label: string
  tags: readonly string[]
  isContract: boolean | undefined
  isScam: boolean | undefined
}

/** By the explorer's mark or tag. The name of a contract is its own choice, and no report. */
export const isReportedScam = ({ label, tags, isContract, isScam }: Labelled): boolean =>
  isScam === true || [...tags, ...(isContract === true ? [] : [label])].some(soundsLikeScam)

export const soundsLikeScam = (label: string | undefined): boolean =>
  label !== undefined && SCAM_WORDS.test(label)
