import type { Fact, Unit } from './fact.ts'
import { LARGER_WORDS, NUMBER_WORDS } from './number-words.ts'

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  trillion: 1e12,
}
/** What may stand around a number without being one: names of spans and lists that facts are about. */
const PHRASES = [
  /\b24[ -]?(?:h|hours?)\b/gi,
  /\b(?:10|ten)[ -](?:largest|holders)\b/gi,
  /\b(?:top|largest)[ -](?:10|ten)\b/gi,
  /(?:\bout of|\bof|\/) ?100\b(?! ?%)/gi,
] as const
const NUMBER =
  /(\$ ?)?(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?: ?(thousand|million|billion|trillion|[kmb]|bn)(?![a-z]))?( ?%| percent\b)?(?:[ -](days?|hours?|dollars?|usd)\b)?(?![\w%])/gi
const ANY_DIGIT = /\d/
const RISES = /\b(?:up|ros\w*|rise[ns]?|rising|gain\w*|climb\w*|increas\w*|higher|grew|grow\w*)\b/gi
const FALLS = /\b(?:down|fell|fall\w*|los[tes]\w*|drop\w*|declin\w*|lower|decreas\w*|slid\w*|plung\w*)\b/gi
/** How far from the truth a rounded number may be. */
const MAX_ERROR = 0.05

/** What is wrong with the numbers of a text; undefined where each states a fact. Signs of changes are kept, too. */
export function findForeignNumber(text: string, facts: readonly Fact[]): string | undefined {
  const said = PHRASES.reduce((left, phrase) => left.replace(phrase, ' '), text)
  for (const match of said.matchAll(NUMBER)) {
    const stated = factsStated(match, facts)
    if (stated.length === 0) return 'a number that is in no fact'
    if (stated.every((fact) => isTurned(fact, sentenceBefore(said, match.index))))
      return 'a change of the wrong direction'
  }
  const rest = said.replace(NUMBER, ' ')
  if (ANY_DIGIT.test(rest)) return 'a number that cannot be read'
  if (LARGER_WORDS.test(rest)) return 'an amount in letters'
  return Object.entries(NUMBER_WORDS).some(([word, count]) => saysWord(rest, word) && !isCount(count, facts))
    ? 'a count in letters that is in no fact'
    : undefined
}

function factsStated(match: RegExpExecArray | RegExpMatchArray, facts: readonly Fact[]): readonly Fact[] {
  const [, dollar, whole = '', fraction = '', scaleWord = '', percent, unitWord = ''] = match
  const scale = SCALES[scaleWord.toLowerCase()] ?? 1
  const written = Number(whole.replaceAll(',', '') + fraction) * scale
  const step = stepOf(whole.replaceAll(',', ''), fraction) * scale
  const units = unitsOf(Boolean(dollar), Boolean(percent), unitWord.toLowerCase())
  return facts.filter(
    ({ value, unit }) =>
      typeof value === 'number' &&
      unit !== undefined &&
      units.includes(unit) &&
      isRounded(Math.abs(value), written, step),
  )
}

function unitsOf(isDollars: boolean, isPercent: boolean, word: string): readonly Unit[] {
  if (isDollars || /^(?:dollar|usd)/.test(word)) return isPercent ? [] : ['usd']
  if (isPercent) return ['percent']
  if (word.startsWith('day')) return ['days']
  if (word.startsWith('hour')) return ['hours']
  return ['count', 'score', 'days', 'hours']
}

/** Of the last digit that counts: zeros at the end may be rounding where at least two digits stand before them. */
function stepOf(whole: string, fraction: string): number {
  if (fraction !== '') return 10 ** -(fraction.length - 1)
  const zeros = /0*$/.exec(whole)?.[0].length ?? 0
  return whole.length - zeros >= 2 ? 10 ** zeros : 1
}

function isRounded(value: number, written: number, step: number): boolean {
  const error = Math.abs(value - written)
  // The sum of both is a little more than half a step in binary fractions.
  return error <= 1e-9 * value || (error <= step * 0.5000001 && error <= value * MAX_ERROR)
}

const SENTENCE_START = /[.!?](?=\s)/g

function sentenceBefore(text: string, index: number): string {
  const before = text.slice(0, index)
  const start = [...before.matchAll(SENTENCE_START)].at(-1)?.index ?? 0
  return before.slice(start)
}

/** The nearest word before it that tells a direction tells the other one. */
function isTurned({ isChange, value }: Fact, before: string): boolean {
  if (!isChange || typeof value !== 'number' || value === 0) return false
  const [rise, fall] = [RISES, FALLS].map((words) => [...before.matchAll(words)].at(-1)?.index ?? -1) as [
    number,
    number,
  ]
  if (rise === fall) return false
  return value > 0 ? fall > rise : rise > fall
}

const saysWord = (text: string, word: string) => new RegExp(`\\b${word}\\b`, 'i').test(text)

const isCount = (count: number, facts: readonly Fact[]) =>
  facts.some(({ value, unit }) => unit === 'count' && value === count)
