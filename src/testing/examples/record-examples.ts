import { tmpdir } from 'node:os'
import type { RecordedCall } from '../../catalog/endpoints/recorded-call.ts'
import { sleep, systemClock } from '../../core/time/clock.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { choosePort } from '../../http/listen.ts'
import { awayFromOpening, untilMarketsAreFollowed } from '../away-from-opening.ts'
import { startWorld, type World } from '../world.ts'
import { arrange, replyTo, shownBy } from './arrange.ts'
import { type Arrangement, bodyOf, jsonInit } from './arranged.ts'
import { type Shown, schemaOf } from './ask.ts'
import { mask } from './mask.ts'
import { charsOf, MOST_CHARS, shorten } from './shorten.ts'

const BASE_URL = 'https://tollbook.example'
const KEY = 'operator-of-the-examples-0123456789'
const operator = { authorization: `Bearer ${KEY}` }
const WINDOW_MS = WINDOW_S * 1000
/** Orders are placed while there is something to buy; what they became is known this long after the close. */
const ORDERS_FROM_MS = 20_000
const ORDERS_UNTIL_MS = 120_000
const SETTLED_AFTER_MS = 75_000
const LOOK_EVERY_MS = 1_000
const MOST_LOOKS = 90

type Wanted = {
  isWanted(id: string): boolean
  /** Whether to ask at once: not for what needs a window that has closed. */
  atOnce: boolean
  say(text: string): void
}
type Recorded = { calls: Map<string, RecordedCall>; faults: string[] }

/** Runs a sandbox for two windows, so that predictions have come true and trades are settled, and asks it for the samples. */
export async function recordExamples({ isWanted, atOnce, say }: Wanted): Promise<Recorded> {
  const port = await choosePort('127.0.0.1', 0)
  await using world = await startWorld({
    PORT: String(port),
    TOLLBOOK_BASE_URL: BASE_URL,
    TOLLBOOK_OPERATOR_KEY: KEY,
    TOLLBOOK_TRUSTED_PROXIES: '127.0.0.1/32',
  })
  await untilMarketsAreFollowed(world.url)
  await untilInWindow(ORDERS_FROM_MS, ORDERS_UNTIL_MS)
  say('placing orders, buying, signing in')
  if (!atOnce) await buyAtTheVenue(world)
  const arranged = await arrange(world, operator)
  if (!atOnce) {
    say('waiting for two windows to close')
    await untilTwoHaveClosed()
    Object.assign(arranged, await arrangeRecordCalls(world))
  }
  const calls = new Map<string, RecordedCall>()
  const faults: string[] = []
  for (const endpoint of shownBy(world).filter(({ id }) => isWanted(id)))
    try {
      calls.set(endpoint.id, await record(world, endpoint, arranged))
    } catch (error) {
      faults.push(`${endpoint.id}: ${(error as Error).message}`)
    }
  return { calls, faults }
}

async function record(world: World, endpoint: Shown, arrangement: Arrangement): Promise<RecordedCall> {
  await awayFromOpening()
  const arranged = arrangement[endpoint.id] ?? {}
  const { status, body } = await replyTo(world, endpoint, operator, arranged)
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  const reply = shorten(mask(body, world.app.site), schemaOf(endpoint))
  refuseLeaks(reply)
  if (charsOf(reply) > MOST_CHARS) throw new Error(`${charsOf(reply)} characters are too many`)
  return { ...(arranged.sample && { sample: arranged.sample }), reply }
}

function refuseLeaks(reply: unknown): void {
  const text = JSON.stringify(reply)
  const leaked = [KEY, process.cwd(), tmpdir()].find((secret) => text.includes(secret))
  if (leaked) throw new Error(`the reply shows ${leaked}`)
}

/** One order with the account at the venue, which has no past in a new sandbox. */
async function buyAtTheVenue(world: World): Promise<void> {
  const post = (path: string, body: object) => () => world.send('POST', path, jsonInit(body, operator))
  const use = (sim_mode: boolean) => untilAllowed(post('/admin/trading/config', { sim_mode }))
  await use(false)
  await untilAllowed(post('/admin/trading/buy', { side: 'YES', coin: 'eth', size_usd: 5 }))
  await use(true)
}

/** Brokers are not changed while an order is open, and nothing is bought before the venue was asked about the account. */
async function untilAllowed(call: () => Promise<Response>): Promise<void> {
  let reply = await call()
  for (let looks = 0; reply.status === 409 && looks < MOST_LOOKS; looks++) {
    await sleep(systemClock, LOOK_EVERY_MS)
    reply = await call()
  }
  await bodyOf(Promise.resolve(reply))
}

/** A prediction that has been opened. */
async function arrangeRecordCalls(world: World): Promise<Arrangement> {
  const { entries } = await bodyOf(world.get('/record?limit=100'))
  const { leaf } = entries.find(({ leaf }: { leaf: { kind: string } }) => leaf.kind === 'reveal')
  const sample = { id: leaf.id }
  return { 'record.entry': { sample }, 'record.proof': { sample } }
}

async function untilInWindow(fromMs: number, untilMs: number): Promise<void> {
  const sinceMs = systemClock.now() % WINDOW_MS
  if (sinceMs < fromMs) await sleep(systemClock, fromMs - sinceMs)
  if (sinceMs > untilMs) await sleep(systemClock, WINDOW_MS - sinceMs + fromMs)
}

/** The window that is open, and the next one, which is the first that can be predicted. */
async function untilTwoHaveClosed(): Promise<void> {
  const nowMs = systemClock.now()
  await sleep(systemClock, 2 * WINDOW_MS - (nowMs % WINDOW_MS) + SETTLED_AFTER_MS)
}
