import type { Clock } from '../../../core/time/clock.ts'
import { UpstreamError } from '../../../upstreams/upstream.ts'

type Input<T> = {
  clock: Clock
  /** Addresses in one request. */
  perRequest: number
  /** How long the first of a batch waits for others. */
  gatherMs?: number
  /** The answers in the order of the addresses. */
  read: (addresses: readonly string[]) => Promise<readonly T[]>
}
type Asked<T> = { address: string; resolve: (answer: T) => void; reject: (error: unknown) => void }

const GATHER_MS = 20
/** Addresses that wait or are asked for; more are refused at once. */
const MAX_WAITING = 300

/** Many sources allow few requests and many addresses in each: callers at about the same time share one. */
export function createBatched<T>({
  clock,
  perRequest,
  gatherMs = GATHER_MS,
  read,
}: Input<T>): (address: string) => Promise<T> {
  let gathered: Asked<T>[] = []
  let waiting = 0
  let cancel = () => {}

  const send = async () => {
    cancel()
    const batch = gathered
    gathered = []
    try {
      const answers = await read(batch.map(({ address }) => address))
      if (answers.length !== batch.length)
        throw new UpstreamError('malformed', 'not an answer for each address')
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as T)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      waiting -= batch.length
    }
  }
  return (address) =>
    new Promise((resolve, reject) => {
      if (waiting >= MAX_WAITING)
        return reject(new UpstreamError('busy', 'too many addresses are being looked up'))
      waiting++
      gathered.push({ address, resolve, reject })
      if (gathered.length === 1) cancel = clock.after(gatherMs, () => void send())
      if (gathered.length === perRequest) void send()
    })
}
