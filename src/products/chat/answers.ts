import type { Coin } from '../../core/coin.ts'
import { listCoins } from '../../core/coin.ts'
import { countText } from '../../core/count-text.ts'
import type { Fact } from '../../intel/writer/fact.ts'
import { demo } from '../bot/demo.ts'
import { freeTrial } from '../bot/free-trial.ts'
import { latestSignal } from '../bot/latest-signal.ts'
import { performance } from '../bot/performance.ts'
import { stats } from '../bot/stats.ts'
import { price } from '../market/price.ts'
import { recordCalibration as calibration } from '../record/calibration.ts'
import { record } from '../record/record.ts'
import { sandboxWallets } from '../service/sandbox-wallets.ts'
import { marketSnapshot } from '../signals/market-snapshot.ts'
import { signals } from '../signals/signals.ts'
import { marketFacts, recordFacts, resultFacts, signalFacts } from './fact-lists.ts'
import { readMarket, readResults, readTrackRecord } from './previews.ts'
import type { ChatServices, ChatShop } from './services.ts'
import type { Topic } from './topics.ts'

/** What there is to say: facts that a writer phrases, words of ours that stay as they are, and what to call. */
export type Answer = {
  facts: readonly Fact[]
  words: string
  /** Ids of endpoints. */
  calls: readonly string[]
  /** Time of the facts. */
  asOf?: string
}
type Make = (services: ChatServices, coins: readonly Coin[]) => Answer | Promise<Answer>

const inWords = (words: string, ...calls: string[]): Answer => ({ facts: [], words, calls })

/** One for each topic; the order of the calls is the order in which they are named. */
export const ANSWERS: Readonly<Record<Topic, Make>> = {
  async market(services, coins) {
    const { asOf, coins: now } = await readMarket(services)
    const facts = marketFacts(now, coins)
    const words =
      facts.length > 0
        ? 'That is the public sample of the minute; exact and current prices are sold per call.'
        : `No fresh price of ${listCoins(coins) || 'any coin'} is there right now.`
    return { facts, words, calls: [price.id, marketSnapshot.id], asOf }
  },
  async signal(services, coins) {
    const { asOf, closed } = await readMarket(services)
    const facts = signalFacts(closed, coins)
    const words =
      'What the signal says about the window that is open now is what is sold, so it is not told here. Signals of closed windows are free.'
    return { facts, words, calls: [signals.id, latestSignal.id], asOf }
  },
  async quality(services) {
    const { asOf, ...predictions } = await readTrackRecord(services)
    const words =
      'Every prediction is committed to before its window opens and can be checked by anybody, hit or miss. A five-minute direction is close to a coin flip: look at the calibration before relying on it.'
    return {
      facts: recordFacts({ asOf, ...predictions }),
      words,
      calls: [calibration.id, record.id, freeTrial.id],
      asOf,
    }
  },
  async results(services) {
    const results = await readResults(services)
    const words = 'What the bot does in the open window is not told here.'
    return { facts: resultFacts(results), words, calls: [stats.id, performance.id], asOf: results.asOf }
  },
  advice: () =>
    inWords(
      'That would be advice, or a look ahead, and this chat gives neither. It can say what things cost, what the public previews show and how often past signals were right.',
      signals.id,
      calibration.id,
    ),
  simulated: ({ shop }) => inWords(SIMULATED[shop.mode], demo.id),
  pay: ({ shop }) => inWords(payingWords(shop), price.id, sandboxWallets.id),
  refund: () =>
    inWords(
      'A call that ends in an error, or whose data is missing or too old, is never charged, so there is nothing to give back; a settled payment is final. The same payment sent again for the same request within 24 hours brings the same reply and is charged once.',
    ),
  trial: ({ shop }) => inWords(trialWords(shop), freeTrial.id, demo.id, latestSignal.id),
  operator: ({ shop }) =>
    inWords(
      `${shop.name} is run by the operator of this address, who can be reached at ${shop.contactEmail}. The software is licensed under Apache 2.0.`,
    ),
  prices: ({ shop }) =>
    inWords(
      `Each call has its own price, from ${lowest(shop)} to ${highest(shop)}, paid in USDC. There is no subscription and no account. The whole list of ${countText(sortedPrices(shop).length, 'product')}: ${shop.links.pricing}`,
    ),
  protocols: ({ shop }) => inWords(agentWords(shop)),
  agents: ({ shop }) => inWords(agentWords(shop)),
  holders: ({ shop }) => inWords(holderWords(shop)),
  receipts: ({ shop }) => inWords(receiptWords(shop)),
  help: ({ shop }) =>
    inWords(
      `This is ${shop.name}: ${shop.summary}. Ask about prices, the market, the signals and their record, the bot, free calls or how to pay.`,
      demo.id,
      freeTrial.id,
      signals.id,
    ),
}

/** Of a question that fits nothing. */
export const beyond = ({ shop }: ChatServices): Answer =>
  inWords(
    `Sorry, that is beyond what this chat knows. It answers about ${shop.name}: what it sells and for how much, the market in short, its signals and their record, its bot, and how to pay.`,
    demo.id,
  )

export const found = (): Answer => inWords('These fit what you ask for:')

const SIMULATED: Readonly<Record<ChatShop['mode'], string>> = {
  sandbox:
    'This installation is a sandbox: market data, venues and money are simulated, and payments settle on local test chains only. Every reply says so in its source.',
  paper:
    'Market data here is real, and money is not: payments settle on local test chains with play money, and the bot trades on paper.',
  live: 'Market data here is real, and payments are real USDC. Figures of the bot say whether they were made on paper or with an account at the venue.',
}

function agentWords({ links }: ChatShop): string {
  return [
    `For programs: the quickstart is at ${links.quickstart}, the documentation at ${links.docs}.`,
    'Every paid endpoint answers an unpaid call with x402 terms that an x402 client library pays by itself.',
    ...(links.mcp ? [`Models connect over MCP at ${links.mcp}.`] : []),
    ...(links.a2a ? [`Agents speak A2A at ${links.a2a}.`] : []),
  ].join(' ')
}

function holderWords({ links, holderTerms }: ChatShop): string {
  if (!links.challenge) return 'There is no project token here, so nobody has calls for holding it.'
  return [
    `A wallet that holds the project token signs in and then calls paid endpoints without paying: ${holderTerms}.`,
    `It begins at GET ${links.challenge}?wallet=<your address>; the documentation is at ${links.docs}.`,
  ].join(' ')
}

function receiptWords({ links }: ChatShop): string {
  const signed = links.receipts
    ? `A wallet that paid lists its purchases at ${links.receipts}, signed by itself (SIGN-IN-WITH-X). `
    : ''
  return `${signed}Each paid reply names its settlement in PAYMENT-RESPONSE and links its signed receipt; the same payment sent again within 24 hours brings the same reply.`
}

function payingWords({ networks, links }: ChatShop): string {
  return [
    `There is no account, key or subscription. Call a paid endpoint: the 402 reply names the price and where to pay, in USDC on ${networks.join(' or ')}.`,
    'An x402 client library signs exactly that amount and sends the request again; the reply is the data with a receipt.',
    `Step by step: ${links.quickstart}`,
  ].join(' ')
}

function trialWords({ demoCallsPerDay }: ChatShop): string {
  const calls =
    demoCallsPerDay > 0
      ? `${demoCallsPerDay} calls of paid endpoints are free for each client and UTC day: call them without a payment.`
      : 'Paid endpoints have no free calls here.'
  return `${calls} These cost nothing at all:`
}

const amountOf = (shown: string) => Number(shown.slice(1))
const sortedPrices = ({ offers }: ChatShop) =>
  offers.flatMap((offer) => offer.price ?? []).sort((a, b) => amountOf(a) - amountOf(b))
const lowest = (shop: ChatShop) => sortedPrices(shop)[0] ?? 'nothing'
const highest = (shop: ChatShop) => sortedPrices(shop).at(-1) ?? 'nothing'
