/** A process that reads what an engine tells over Redis, and says what that cost: one line of JSON for each line it gets. */
import { createInterface } from 'node:readline'
import { openRedis } from '../../src/access/redis/connection.ts'
import { silentLog } from '../../src/core/log.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { openSubscriber } from '../../src/relay/read/subscriber.ts'

const [url = '', prefix = ''] = process.argv.slice(2)
const redis = openRedis({ url, log: silentLog })
const reader = openSubscriber({ redis, prefix, clock: systemClock, log: silentLog })
const LOOK_MS = 5

let lagsMs: number[] = []
let newest = 0
setInterval(() => {
  const trade = reader.market.trades('binance', 'BTC', 1)[0]
  if (!trade || trade.atMs <= newest) return
  newest = trade.atMs
  lagsMs.push(Date.now() - trade.atMs)
}, LOOK_MS)

for await (const _ of createInterface(process.stdin)) {
  const { user, system } = process.cpuUsage()
  const said = { cpuUs: user + system, lagsMs, ready: reader.ready(), ...reader.counts() }
  process.stdout.write(`${JSON.stringify(said)}\n`)
  lagsMs = []
}
await reader.stop()
redis.close()
process.exit(0)
