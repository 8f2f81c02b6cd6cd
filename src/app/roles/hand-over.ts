import { type Clock, sleep } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'
import { LOG_START, type RelayLog } from '../../relay/wire/relay-log.ts'

/** When an engine begins to tell others what it knows, and when it ends, so that somebody tells all the time. */
export type HandOver = {
  mayBegin(): boolean
  /** It is open: it begins, also where one that hands over still tells. */
  begin(): void
  /** Gives up the term. Resolves when the next one tells, or none is there to. */
  end(): Promise<void>
}

type Ports = {
  relay: Pick<RelayLog, 'read'>
  clock: Clock
  leadership: Pick<Leadership, 'isAwaited' | 'close'>
  /** Aborted when an engine of a later term tells. */
  over: AbortSignal
}

/** The next one needs less to open. */
export const HAND_OVER_MS = 10 * SECOND_MS
/** One that tells says something ten times a second. */
export const SILENT_AFTER_MS = 300
const ASK_AGAIN_MS = 50

/** Begins by itself as soon as nobody tells. Whoever hands over tells on: to open takes all the time of a thread. */
export function createHandOver({ relay, clock, leadership, over }: Ports): HandOver {
  const begun = new AbortController()
  const begin = () => begun.abort()
  void untilSilent(relay, clock, begun.signal).then(begin)
  return {
    mayBegin: () => begun.signal.aborted,
    begin,
    async end() {
      const isAwaited = begun.signal.aborted && (await leadership.isAwaited())
      await leadership.close()
      if (isAwaited) await sleep(clock, HAND_OVER_MS, over)
      begin()
    },
  }
}

/** Where Redis cannot be asked, as in the moment before it is connected, nobody knows: and nobody could be told anything. */
async function untilSilent(relay: Ports['relay'], clock: Clock, signal: AbortSignal): Promise<void> {
  let heard: string | undefined
  while (!signal.aborted) {
    const page = await relay.read(LOG_START, 1).catch(() => undefined)
    if (page && (page.newestId === undefined || page.newestId === heard)) return
    if (page) heard = page.newestId
    await sleep(clock, page ? SILENT_AFTER_MS : ASK_AGAIN_MS, signal)
  }
}
