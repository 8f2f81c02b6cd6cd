import { z } from 'zod'
import type { Assignment } from '../../intel/writer/assignment.ts'
import { findForeignNumber } from '../../intel/writer/check-numbers.ts'
import { findFault } from '../../intel/writer/check-text.ts'
import type { Fact } from '../../intel/writer/fact.ts'
import { wireText } from '../../upstreams/wire/text.ts'
import { PLAIN_WORDS } from './plain-words.ts'
import type { Topic } from './topics.ts'

const CHARS = { min: 20, max: 900 }
export const ChatDraft = z.strictObject({ answer: wireText(CHARS.max, CHARS.min) })

const TASK = [
  'Answer a question about the given topic of a market data service from the facts alone.',
  `answer: ${CHARS.min} to ${CHARS.max} characters in one or two short paragraphs.`,
  'Repeat word for word, or leave out, each fact that says what a signal was or how a window closed. Say nothing about what comes next.',
].join('\n')

/** Facts that a text may use and that are no sentence of their own. */
const UNSAID = new Set(['interval', 'high', 'win_high'])

/** The text that is wanted. It is made of the topic and of facts: no word of the one who asks is in it. */
export function toChatAssignment(topic: Topic, facts: readonly Fact[]): Assignment<typeof ChatDraft> {
  return {
    kind: 'chat',
    task: TASK,
    given: { topic },
    facts,
    draft: ChatDraft,
    findFault: ({ answer }) => findAnswerFault(answer, facts),
    byRules: () => ({
      answer: facts
        .filter(({ id }) => !UNSAID.has(id))
        .map(({ says }) => says)
        .join(' '),
    }),
  }
}

/** What a signal was and what came of it could be turned by a single word. */
const DIRECTED =
  /\b(?:UP|DOWN)\b|\b(?:[Ss]ignals?|[Pp]redict\w*|outcome|window|abstain\w*|right|wrong|luck|coin flip)\b/

/** A sentence is a fact, word for word, or made of words of the facts and of plain ones about nothing in particular. */
function findAnswerFault(answer: string, facts: readonly Fact[]): string | undefined {
  const said = new Set(facts.map(({ says }) => says))
  const own = sentencesOf(answer).filter((sentence) => !said.has(sentence))
  const fault = findFault(answer) ?? findForeignNumber(own.join(' '), facts)
  if (fault !== undefined) return fault
  if (own.some((sentence) => DIRECTED.test(sentence))) return 'a signal in other words than its fact'
  const words = new Set(facts.flatMap(({ says }) => wordsOf(says)))
  if (wordsOf(own.join(' ')).some((word) => !words.has(word) && !PLAIN_WORDS.has(word)))
    return 'a word that is not ours'
  return own.some((sentence) => isMixed(sentence, facts))
    ? 'figures of different coins in one sentence'
    : undefined
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? []

const sentencesOf = (text: string) => text.split(/(?<=[.!?])\s+/).filter((sentence) => sentence !== '')

/** Each number of a sentence is a fact, but maybe of the other coin: a sentence in own words is about one coin at most. */
function isMixed(sentence: string, facts: readonly Fact[]): boolean {
  const coins = [...new Set(facts.flatMap(({ id }) => /^(?:price|change)\.(\w+)$/.exec(id)?.[1] ?? []))]
  const named = coins.filter((coin) => sentence.includes(coin))
  if (!/\d/.test(sentence) || coins.length === 0) return false
  if (named.length !== 1) return true
  const own = facts.filter(({ id }) => id.endsWith(`.${named[0]}`))
  return findForeignNumber(sentence, own) !== undefined
}
