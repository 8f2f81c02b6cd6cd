import type { OwnMarket } from '../market/market-change.ts'
import { marketParts } from '../market/market-state.ts'
import { VALUES_PART } from '../values/value-kinds.ts'
import { OtherFormat } from '../wire/entry.ts'
import { isEarlierId, LOG_START, type LogPage, type RelayLog } from '../wire/relay-log.ts'
import type { HeardValues } from './heard-values.ts'
import type { Hearing } from './hearing.ts'
import { createNextStep, type Place, type Step } from './next-step.ts'
import { PAGE_ENTRIES, readWholeState } from './whole-state.ts'

/** Keeps a market and values as the leader has them. */
export type Follower = {
  /** Reads what is new; where that does not follow what is known, the whole state. Rejects where Redis is lost. */
  poll(): Promise<void>
  /** Why nothing new is taken; undefined while all is well. */
  why(): string | undefined
  /** `ignored`: entries that are none of ours. */
  counts(): { entries: number; loads: number; ignored: number; epoch: number | undefined }
}

type Ports = { relay: RelayLog; market: OwnMarket; values: HeardValues; hearing: Hearing }

/** In one poll; the rest is read with the next. */
const PAGES_MAX = 64
/** Entries of the leader that do not follow, one after another: one alone may be a stranger's. */
const AHEAD_MAX = 3

export function createFollower({ relay, market, values, hearing }: Ports): Follower {
  const parts = [...marketParts(market), { name: VALUES_PART, parse: values.parseState }]
  const next = createNextStep({ market, values })
  const counts = { entries: 0, loads: 0, ignored: 0 }
  let place: Place | undefined
  /** Whoever leads must not be of an earlier term than anyone heard before. */
  let highest = 0
  let why: string | undefined = 'nothing was read yet'
  let ahead = 0

  const refuse = (error: unknown) => {
    counts.ignored++
    if (error instanceof OtherFormat) why = error.message
  }
  const take = ({ entry, heldMs, apply }: Step, at: Place) => {
    apply()
    at.seq = entry.seq
    counts.entries++
    hearing.heard(entry.sentMs, heldMs)
    why = undefined
    ahead = 0
  }
  const load = async (epoch: number) => {
    why = NOT_WHOLE
    const whole = await readWholeState({ relay, parts, next, epoch })
    if (whole instanceof OtherFormat) why = whole.message
    if (whole instanceof Error) return
    if (!whole) return relay.wantState()
    if (epoch !== highest) hearing.restart()
    highest = epoch
    // From here to the end nobody else has a turn: no reader sees half of it.
    for (const restore of whole.restores) restore()
    for (const step of whole.steps) take(step, whole.place)
    place = whole.place
    counts.loads++
    ahead = 0
    why = undefined
  }
  const follow = ({ entries }: LogPage, at: Place) => {
    for (const entry of entries) {
      at.id = entry.id
      try {
        const step = next(at, entry)
        if (step === 'ahead') ahead++
        else if (step) take(step, at)
      } catch (error) {
        refuse(error)
      }
    }
  }
  /** True where there is more to read at once. */
  const readOn = async (): Promise<boolean> => {
    const page = await relay.read(place?.id ?? LOG_START, place ? PAGE_ENTRIES : 1)
    const { epoch, newestId, entries } = page
    why = whyNotLed(epoch, highest) ?? why
    if (epoch === undefined || epoch < highest) return false
    if (place?.epoch !== epoch || ahead >= AHEAD_MAX) {
      await load(epoch)
      return false
    }
    // Redis has begun a new log: what we know may still go on there.
    if (newestId === undefined || isEarlierId(newestId, place.id)) place.id = LOG_START
    follow(page, place)
    return entries.length === PAGE_ENTRIES || ahead >= AHEAD_MAX
  }
  return {
    async poll() {
      for (let pages = 0; pages < PAGES_MAX && (await readOn()); pages++);
    },
    why: () => why,
    counts: () => ({ ...counts, epoch: highest || undefined }),
  }
}

const NOT_WHOLE = 'the engine has not written its whole state yet'

function whyNotLed(epoch: number | undefined, highest: number): string | undefined {
  if (epoch === undefined) return 'no engine has said anything yet'
  if (epoch >= highest) return undefined
  return `the engine of term ${epoch} is not believed: term ${highest} was heard before`
}
