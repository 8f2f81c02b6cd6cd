import { createRandomStream } from '../../../core/math/random.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import { COARSE_TICK_E4, FINE_TICK_E4, isFine } from '../crowd/tick-size.ts'
import { createListing, type Listing } from '../listing.ts'
import { marketIds } from '../market-ids.ts'
import { type Course, createCourse } from './course.ts'
import { findOccurrence, type Occurrence, occurrencesAt } from './occurrence.ts'
import type { Subject } from './subject.ts'
import { CRYPTO } from './subjects/crypto.ts'
import { CULTURE } from './subjects/culture.ts'
import { ECONOMY } from './subjects/economy.ts'
import { POLITICS } from './subjects/politics.ts'
import { SPORTS } from './subjects/sports.ts'
import { TECH } from './subjects/tech.ts'
import { WEATHER } from './subjects/weather.ts'
import { WORLD } from './subjects/world.ts'

/** A market that is not of the five-minute series, with what its price and volume follow. */
export type OtherMarket = { listing: Listing; course: Course; choice: number }

const SUBJECTS: readonly Subject[] = [
  ...POLITICS,
  ...SPORTS,
  ...WEATHER,
  ...CRYPTO,
  ...ECONOMY,
  ...TECH,
  ...CULTURE,
  ...WORLD,
]

/** Those that are listed at a time and not yet known. */
export function listOthers(
  seed: string,
  nowMs: number,
  isKnown: (slug: string) => boolean,
): readonly OtherMarket[] {
  return SUBJECTS.flatMap((subject, number) =>
    occurrencesAt(subject.ends, nowMs).flatMap((occurrence) => {
      const course = createCourse(seed, subject, occurrence)
      return subject.choices
        .map((_, choice) => ({ seed, nowMs, subject, number, occurrence, course, choice }))
        .filter((input) => !isKnown(slugOf(input)))
        .map((input) => ({ listing: createOther(input), course, choice: input.choice }))
    }),
  )
}

/** The market of this name, if it was listed at any time until now. */
export function findOther(seed: string, slug: string, nowMs: number): OtherMarket | undefined {
  for (const [number, subject] of SUBJECTS.entries())
    for (const [choice, { slug: name }] of subject.choices.entries()) {
      if (!slug.startsWith(`${name}-`)) continue
      const occurrence = findOccurrence(subject.ends, slug.slice(name.length + 1), nowMs)
      if (!occurrence) continue
      const course = createCourse(seed, subject, occurrence)
      const listing = createOther({ seed, nowMs, subject, number, occurrence, course, choice })
      return { listing, course, choice }
    }
  return undefined
}

type OtherInput = {
  seed: string
  nowMs: number
  subject: Subject
  number: number
  occurrence: Occurrence
  course: Course
  choice: number
}

const FIRST_ID = 100_000_000
const IDS_PER_DAY = 4_096
const CHOICES_MAX = 32
const DISPUTED_SHARE = 0.02
const MIN_SHARES_E6 = 5_000_000

function createOther(input: OtherInput): Listing {
  const { seed, nowMs, subject, number, occurrence, course, choice } = input
  const slug = slugOf(input)
  const { endsMs, listedMs, text } = occurrence
  const chance = createRandomStream(seed, `resolution/${slug}`)
  const isSingle = subject.choices.length === 1
  const probability = course.probabilityOf(choice, nowMs)
  return createListing({
    nowMs,
    acceptUntilMs: endsMs,
    resolutionDelayMs: Math.round((5 + 85 * chance.uniform(0)) * MINUTE_MS),
    isDisputed: chance.uniform(1) < DISPUTED_SHARE,
    decide: () => ((isSingle ? course.winner() === 0 : course.winner() === choice) ? 0 : 1),
    fairAt: (atMs) => course.probabilityOf(choice, atMs),
    market: {
      id: String(FIRST_ID + Math.floor(endsMs / DAY_MS) * IDS_PER_DAY + number * CHOICES_MAX + choice),
      ...marketIds(seed, slug),
      slug,
      question: (subject.choices[choice]?.question ?? subject.title).replaceAll('{date}', text),
      outcomes: subject.outcomes,
      series: undefined,
      eventSlug: `${subject.slug}-${occurrence.slug}`,
      ...(isSingle ? {} : { eventTitle: subject.title.replaceAll('{date}', text) }),
      eventTitle: subject.title.replaceAll('{date}', text),
      tags: subject.tags,
      listedMs,
      endsMs,
      tickE4: isFine(probability) ? FINE_TICK_E4 : COARSE_TICK_E4,
      minShares: MIN_SHARES_E6,
      volumeE6: 0,
      volume24hE6: 0,
      lastTradeE4: undefined,
    },
  })
}

function slugOf({
  subject,
  occurrence,
  choice,
}: Pick<OtherInput, 'subject' | 'occurrence' | 'choice'>): string {
  return `${subject.choices[choice]?.slug ?? subject.slug}-${occurrence.slug}`
}
