/** Adds minutes to a history as fast as it can, and prints each batch once it is written. */
import { MINUTE_MS } from '../../core/time/time.ts'
import { appendLines } from '../../signals/samples/files/append-lines.ts'
import { dayPath } from '../../signals/samples/files/day-files.ts'
import { toLine } from '../../signals/samples/files/sample-line.ts'
import { HISTORY_START_MS, sampleHistory } from './sample-history.ts'

const [folder = '', from = ''] = process.argv.slice(2)
const minutes = sampleHistory({ seed: 'killed', coins: ['BTC', 'ETH'], days: 1 })
for (let minute = Number(from); ; minute++) {
  const openMs = HISTORY_START_MS + (minute % 1_440) * MINUTE_MS
  const lines = minutes
    .filter((each) => each.openMs === openMs)
    .map((each) => toLine({ ...each, openMs: HISTORY_START_MS + minute * MINUTE_MS }))
  await appendLines(dayPath(folder, HISTORY_START_MS), lines)
  process.stdout.write(`${minute}\n`)
}
