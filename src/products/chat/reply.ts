import type { Coin } from '../../core/coin.ts'
import { ServiceError } from '../../core/service-error.ts'
import { BY_RULES } from '../../intel/writer/assignment.ts'
import { isoTime } from '../fields.ts'
import { ANSWERS, type Answer, beyond, found } from './answers.ts'
import { toChatAssignment } from './assignment.ts'
import { createFindOffers, type FindOffers } from './find-offers.ts'
import type { ChatServices, ChatShop, Offer } from './services.ts'
import { type Question, readQuestion, type Topic } from './topics.ts'

type Turn = { role: 'user' | 'assistant'; content: string }
export type ChatReply = { reply: string; model: string; as_of: string }

const MAX_CALLS = 5
/** Endpoints that the words of a question name are told with these topics. */
const NAMED_WITH: readonly Topic[] = ['prices', 'market', 'signal', 'results', 'trial', 'pay', 'agents']
const NAMED = { alone: 4, beside: 2, asked: 4 }

/** Our words and facts, chosen by the question; a model may phrase the facts. */
export async function replyTo(
  services: ChatServices,
  { message, history }: { message: string; history: readonly Turn[] },
): Promise<ChatReply> {
  const question = readQuestion(message, history)
  const answer = await answerOf(services, question)
  const { text, model } = await write(services, question.topic, answer)
  const calls = [...new Set([...answer.offers, ...offersOf(services.shop, answer.calls)])].slice(0, MAX_CALLS)
  const paragraphs = [
    text,
    answer.words,
    calls.map((offer) => toLine(offer, question.coins)).join('\n'),
    services.shop.notice,
  ]
  return {
    reply: paragraphs.filter((each) => each !== '').join('\n\n'),
    model,
    as_of: answer.asOf ?? isoTime(services.clock.now()),
  }
}

async function answerOf(
  services: ChatServices,
  { topic, coins, words }: Question,
): Promise<Answer & { offers: readonly Offer[] }> {
  const find = findOffersOf(services.shop)
  if (topic === undefined) {
    const offers = find(words, NAMED.alone)
    return offers.length > 0 ? { ...found(), offers } : { ...beyond(services), offers: [] }
  }
  const limit = topic === 'prices' ? NAMED.asked : NAMED_WITH.includes(topic) ? NAMED.beside : 0
  const named = find(words, limit)
  const offers = topic === 'prices' && named.length === 0 ? firstOfGroups(services.shop) : named
  try {
    return { ...(await ANSWERS[topic](services, coins)), offers }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return {
      facts: [],
      words: 'These figures are not there right now. Ask again in a minute.',
      calls: [],
      offers,
    }
  }
}

async function write({ writer }: ChatServices, topic: Topic | undefined, { facts }: Answer) {
  if (topic === undefined || facts.length === 0) return { text: '', model: BY_RULES }
  const { draft, writtenBy } = await writer.write(toChatAssignment(topic, facts))
  return { text: draft.answer, model: writtenBy }
}

const known = new WeakMap<ChatShop, FindOffers>()

/** The catalog does not change while we run: its words are read once. */
function findOffersOf(shop: ChatShop): FindOffers {
  const find = known.get(shop) ?? createFindOffers(shop.offers)
  known.set(shop, find)
  return find
}

/** What is sold, for who names nothing of it: the first of each group, in catalog order. */
const firstOfGroups = ({ offers }: ChatShop): Offer[] => {
  const sold = offers.filter(({ price }) => price !== undefined)
  return [...Map.groupBy(sold, ({ group }) => group).values()].flatMap(([first]) => first ?? [])
}

const offersOf = ({ offers }: ChatShop, ids: readonly string[]) =>
  ids.flatMap((id) => offers.find((offer) => offer.id === id) ?? [])

function toLine({ method, url, urlOfCoin, price, summary }: Offer, [coin]: readonly Coin[]): string {
  const cost = price === undefined ? 'free' : `${price} per call`
  return `${method} ${(coin && urlOfCoin?.(coin)) ?? url} (${cost}): ${summary}`
}
