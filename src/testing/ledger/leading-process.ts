import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { openDatabase } from '../../ledger/postgres/database.ts'
import { fenceDatabase } from '../../ledger/postgres/leader/fenced-database.ts'
import { openLeadership } from '../../ledger/postgres/leader/leadership.ts'

/**
 * A process that wants to lead, for tests that kill it: `node leading-process.ts <database> <name>`. While it believes to
 * lead it writes rows with its term, each in one fenced transaction, and says when it did.
 */
const [url = '', holder = ''] = process.argv.slice(2)
const ACT_EVERY_MS = 20

const leadership = openLeadership({ url, holder, clock: systemClock, log: silentLog })
const fenced = fenceDatabase(openDatabase(url), leadership)
const say = (what: string, term?: number) =>
  process.stdout.write(`${JSON.stringify({ what, term, atMs: Date.now() })}\n`)

leadership.lost.addEventListener('abort', () => say('lost'))
setInterval(() => {
  const term = leadership.term()
  if (term === undefined) return
  say('leads', term)
  fenced.query('INSERT INTO acts (holder, term) VALUES ($1, $2)', [holder, term]).then(
    () => say('acted', term),
    () => say('refused', term),
  )
}, ACT_EVERY_MS)
