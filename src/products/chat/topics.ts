import { COINS, type Coin } from '../../core/coin.ts'
import { plainLetters } from '../../intel/plain-letters.ts'

/** What somebody may want to know. Earlier ones win where words fit several. */
const TOPICS = {
  advice:
    /\b(?:should i|shall i|would you|can i get rich|financial advice|good (?:time|idea|investment)|worth (?:buying|investing))\b|\bwill\b.*\b(?:rise|fall|moon|crash|pump|dump|go (?:up|down)|reach)\b|\b(?:predict|forecast|prediction)\b.*\b(?:for me|tomorrow|next|now)\b/,
  simulated:
    /\b(?:simulat\w*|sandbox|paper mode|fake|real (?:money|data|prices?)|play money|test ?net|is (?:this|it|that) real|are (?:these|they) real)\b/,
  holders:
    /\b(?:holders?|tiers?|project token|token holders?|premium|sign ?(?:in|ed in)|log ?in|allowance)\b/,
  receipts:
    /\b(?:receipts?|my (?:purchases|calls|payments|spend\w*|orders)|invoices?|what i (?:bought|paid))\b/,
  protocols: /\b(?:mcp|a2a)\b/,
  pay: /\b(?:how (?:do|can|to|would|should)\b.*\b(?:pay|buy|purchase|subscribe|start)|pay(?:ing|ment|ments)?|x402|usdc|wallet needed|subscri\w*|api key|account needed|sign ?up|checkout|credit card|facilitator|base|solana network)\b/,
  refund: /\b(?:refund\w*|money back|charged|double charge\w*|chargeback|guarantee\w*|sla|failed call)\b/,
  trial: /\b(?:free|trial|demo|try|test it|sample|without paying)\b/,
  quality:
    /\b(?:how (?:good|accurate|reliable|well)|accura\w*|hit ?rate|win ?rate|calibrat\w*|brier|edge|backtest\w*|track record|proof|prove|trust|verif\w*|reliab\w*|right how often|performance of (?:the|your) signals?)\b/,
  results:
    /\b(?:bots?|pnl|profits?|profitable|(?:your|its|recent|last) trades|trading results|performance|drawdown|loss(?:es)?)\b/,
  signal: /\b(?:signals?|predict\w*|direction|up or down|probabilit\w*|5 ?min\w*|five ?min\w*|window)\b/,
  operator:
    /\b(?:who (?:runs?|owns?|made|built|operates?|are you|is behind)|operator|owner|contact|support|e ?mail|company|licen[cs]e|imprint)\b/,
  prices:
    /\b(?:price ?lists?|pricing|costs?|how much|charges?|fees?|expensive|cheap\w*|what (?:do|can) (?:you|i) (?:sell|buy)|endpoints?|products?|catalog\w*)\b/,
  market:
    /\b(?:price|prices|market|doing|worth|quote|trading at|up today|down today|24 ?h\w*|chart|bitcoin|btc|ethereum|ether|eth|solana|sol|ripple|xrp|coins?|crypto)\b/,
  agents:
    /\b(?:mcp|agents?|a2a|sdk|librar\w*|clients?|openapi|swagger|docs?|documentation|quickstart|integrat\w*|llms?)\b/,
  help: /\b(?:hi|hello|hey|help|what (?:is|are|can|do) (?:this|you|it)|what is tollbook|who are you|good (?:morning|evening|day))\b|^thanks?\b|^thank you\b/,
} as const satisfies Record<string, RegExp>

export type Topic = keyof typeof TOPICS
const NAMES = Object.keys(TOPICS) as Topic[]

const COIN_WORDS: Readonly<Record<Coin, RegExp>> = {
  BTC: /\b(?:btc|xbt|bitcoins?)\b/,
  ETH: /\b(?:eth|ether|ethereum)\b/,
  SOL: /\b(?:sol|solana)\b/,
  XRP: /\b(?:xrp|ripple)\b/,
}

export type Question = {
  /** Undefined: about nothing that we know. */
  topic: Topic | undefined
  coins: readonly Coin[]
  /** The question in small Latin letters, for looking for endpoints. */
  words: string
}

const OF_CALLS = /\b(?:calls?|costs?|charges?|fees?|endpoints?|products?|api|pricing)\b/

type Turn = { role: 'user' | 'assistant'; content: string }

/**
 * What is asked, from a closed list. Nothing of the question's own words goes further than this and the search among our
 * own endpoints. What an assistant said in the history is the caller's invention and is not read at all.
 */
export function readQuestion(message: string, history: readonly Turn[]): Question {
  const asked = readOne(message)
  if (asked.topic !== undefined && (asked.topic !== 'market' || asked.coins.length === 0)) return asked
  const before = history.findLast(({ role }) => role === 'user')
  // `And ETH?` goes on with what was asked before.
  if (!before || !isShort(asked.words)) return asked
  const { topic, coins } = readOne(before.content)
  const goesOn = topic === 'signal' || topic === 'market'
  return goesOn ? { ...asked, topic, coins: asked.coins.length > 0 ? asked.coins : coins } : asked
}

const SHORT_WORDS = 4
const isShort = (words: string) => words.split(' ').length <= SHORT_WORDS

/** What is behind is not read: the patterns are asked for each topic. */
const READ_CHARS = 2_000

function readOne(text: string): Question {
  const words = plainLetters(text.slice(0, READ_CHARS))
  const coins = COINS.filter((coin) => COIN_WORDS[coin].test(words))
  const topic = NAMES.find((name) => TOPICS[name].test(words))
  // `How much is ETH?` asks for the price of the coin, `how much is a call for ETH?` for ours.
  const isOfCoin = topic === 'prices' && coins.length > 0 && !OF_CALLS.test(words)
  return { topic: isOfCoin ? 'market' : topic, coins, words }
}
