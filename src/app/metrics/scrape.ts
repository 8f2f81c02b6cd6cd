import { type Clock, sleep } from '../../core/time/clock.ts'
import { createSingleFlight } from '../../upstreams/rules/single-flight.ts'
import type { Family } from './family.ts'
import { createRegistry, type Rendered } from './registry.ts'
import { createTally } from './tally.ts'

/** What has to be asked for before families are read. */
type Asked<Answers> = { [Part in keyof Answers]: () => Promise<Answers[Part]> }
export type Answered<Answers> = () => { readonly [Part in keyof Answers]?: Answers[Part] | undefined }

type Parts<Answers> = {
  clock: Clock
  asked: Asked<Answers>
  families: (answered: Answered<Answers>) => readonly Family[]
}

/** Less than Prometheus waits. What has not answered by then is missing, and the rest is told. */
const WITHIN_MS = 3_000

/** One at a time, whoever asks. A part that fails or hangs leaves its own metrics out, and is counted. */
export async function createScrape<Answers extends object>({
  clock,
  asked,
  families,
}: Parts<Answers>): Promise<() => Promise<Rendered>> {
  const faults = createTally<'part'>(
    'tollbook_scrape_faults_total',
    'Parts that could not be read for a scrape',
  )
  const flights = createSingleFlight()
  let answers: { [Part in keyof Answers]?: Answers[Part] | undefined } = {}
  const onFault = (part: string) => faults.add({ part })
  const render = await createRegistry([...families(() => answers), faults], onFault)
  const ask = async (part: keyof Answers & string) => {
    const late = new AbortController()
    const answer = await Promise.race([
      asked[part]().catch(() => undefined),
      sleep(clock, WITHIN_MS, late.signal).then(() => undefined),
    ])
    late.abort()
    if (answer === undefined) onFault(part)
    return [part, answer] as const
  }
  return () =>
    flights.join('scrape', render, async () => {
      const found = await Promise.all((Object.keys(asked) as (keyof Answers & string)[]).map(ask))
      answers = Object.fromEntries(found) as typeof answers
      return render()
    })
}
